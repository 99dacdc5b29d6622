/** The box that packed and parsed files are read in: what its process can see and take, and how its end is told. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { fetchBounds, type ParserBounds, parserBounds } from '../../config/input-bounds.ts'
import { FrameReader, frame, frameKinds } from '../../src/ingest/input/isolated/frames.ts'
import { locateFile } from '../../src/ingest/input/local-file.ts'
import { openInput } from '../../src/ingest/input/open-input.ts'
import { useTestDatabase } from '../support/database.ts'
import { registerContents, stagingTables, useIngest } from '../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file } = useIngest(database)
const isLinux = process.platform === 'linux'
if (!isLinux)
  console.log('skipped: what the system tells of a process is read from /proc, which this one does not have')

const opened: { stop: AbortController; chunks: AsyncIterator<Buffer> }[] = []
afterEach(async () => {
  for (const { stop, chunks } of opened.splice(0)) {
    await chunks.return?.()
    stop.abort()
  }
  // A box that is told to end has ended a little later; the next test counts boxes.
  if (isLinux) await expect.poll(boxes, { timeout: 60_000 }).toEqual([])
})

/** Far more than a pipe holds, so that the box is alive while somebody looks at it. */
const lines = (count: number): string =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ gstin: `NOT-A-GSTIN-${n}`, lgnm: 'A'.repeat(200) })).join(
    '\n',
  )

async function open(path: string, box: Partial<ParserBounds> = {}, bounds: Partial<typeof fetchBounds> = {}) {
  const stop = new AbortController()
  const input = await openInput(await locateFile(path, fetchBounds.fileBytesMax), {
    shape: {},
    bounds: { ...fetchBounds, ...bounds },
    signal: stop.signal,
    processBounds: { ...parserBounds, ...box },
  })
  const chunks = input.bytes[Symbol.asyncIterator]()
  opened.push({ stop, chunks })
  const rest = async (): Promise<void> => {
    for (let next = await chunks.next(); next.done !== true; ) next = await chunks.next()
  }
  return { input, chunks, rest, stop }
}

/** The readers that this process started, the shell that becomes one aside. */
function boxes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`\nPPid:\t${process.pid}\n`)
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('parser-process')
      } catch {
        return false
      }
    })
    .map(Number)
}

function onlyBox(): number {
  const [pid, ...others] = boxes()
  if (pid === undefined || others.length > 0) throw new Error(`one box was expected, not ${others.length + 1}`)
  return pid
}

async function untilGone(pid: number): Promise<void> {
  await expect.poll(() => boxes().includes(pid), { timeout: 60_000 }).toBe(false)
}

describe.runIf(isLinux)('the process of a box', () => {
  test('sees no environment, runs as nobody where its parent is root, and holds the file and its pipe alone', async () => {
    process.env['PANJI_PLANTED_SECRET'] = 'planted'
    try {
      const { chunks } = await open(file('seen.jsonl.gz', gzipSync(lines(100_000))))
      await chunks.next()
      const pid = onlyBox()
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      if (process.getuid?.() === 0) {
        expect(status).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m)
        expect(status).toMatch(/^Gid:\t65534\t65534\t65534\t65534$/m)
        expect(status).toMatch(/^CapEff:\t0+$/m)
        expect(status).toMatch(/^Groups:\t\s*$/m)
      }
      expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toMatch(/PANJI|planted|HOME|PATH/)
      const files = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
      const onDisk = files.filter((path) => path.startsWith('/') && !/^\/dev\/(null|u?random)$/.test(path))
      expect(onDisk).toHaveLength(1)
      expect(onDisk[0]).toMatch(/seen\.jsonl\.gz$/)
      expect(files.filter((path) => path.startsWith('socket:'))).toHaveLength(1)
    } finally {
      delete process.env['PANJI_PLANTED_SECRET']
    }
  })

  test('that takes more memory than it may is ended, and the run says so', async () => {
    const { rest } = await open(file('memory.jsonl.gz', gzipSync(lines(200_000))), { memoryBytesMax: 20 << 20 })
    await expect(rest()).rejects.toMatchObject({ code: 'PARSER_STOPPED', message: expect.stringContaining('memory') })
    await untilGone(boxes()[0] ?? -1)
  })

  // Long enough for a box to start on a busy machine.
  test('that falls silent is ended', async () => {
    const { chunks, rest } = await open(file('silent.jsonl.gz', gzipSync(lines(200_000))), { silenceMsMax: 8000 })
    await chunks.next()
    const pid = onlyBox()
    process.kill(pid, 'SIGSTOP')
    await expect(rest()).rejects.toMatchObject({ code: 'PARSER_STOPPED', message: expect.stringContaining('silent') })
    await untilGone(pid)
  })

  test('waits for a reader that is slow, and loses nothing', async () => {
    const text = lines(100_000)
    const { input, chunks, rest } = await open(file('slow.jsonl.gz', gzipSync(text)))
    await chunks.next()
    const pid = onlyBox()
    // Asleep for good: the pipe is full, and nothing is left to do.
    const state = () =>
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .slice(0, 1)
    const seen: string[] = []
    await expect.poll(() => seen.unshift(state()) > 3 && seen.slice(0, 3).join(''), { timeout: 60_000 }).toBe('SSS')
    await rest()
    expect(input.sha256()).toHaveLength(64)
    expect(input.findings.takeRejects()).toEqual([])
  })

  test('that somebody kills fails the read instead of ending it short', async () => {
    const { chunks, rest } = await open(file('killed.jsonl.gz', gzipSync(lines(200_000))))
    await chunks.next()
    process.kill(onlyBox(), 'SIGKILL')
    await expect(rest()).rejects.toMatchObject({ code: 'PARSER_STOPPED' })
  })

  test('ends with its run: when the reader stops early, and when the worker is told to stop', async () => {
    const early = await open(file('early.jsonl.gz', gzipSync(lines(100_000))))
    await early.chunks.next()
    const first = onlyBox()
    await early.chunks.return?.()
    await untilGone(first)

    const told = await open(file('told.jsonl.gz', gzipSync(lines(100_000))))
    await told.chunks.next()
    const second = onlyBox()
    process.kill(second, 'SIGSTOP')
    const ended = told.rest()
    told.stop.abort(new Error('the worker stops'))
    await expect(ended).rejects.toThrow('the worker stops')
    await untilGone(second)
  })

  test('is not asked for plain CSV', async () => {
    const { chunks } = await open(file('plain.csv', `gstin,lgnm\n${'a,b\n'.repeat(500_000)}`))
    await chunks.next()
    expect(boxes()).toEqual([])
  })
})

test('output beyond what a file may become ends the box, whatever the reader inside believes', async () => {
  const bounds = { unpackedBytesMax: 1 << 20, inflationMax: 1e9 }
  const { rest } = await open(file('large.jsonl', lines(200_000)), {}, bounds)
  await expect(rest()).rejects.toMatchObject({ code: 'PARSER_STOPPED', message: expect.stringContaining('larger') })
})

test('a run whose box is ended fails with a code of its own, and nothing of it is applied', async () => {
  const before = await registerContents(database.db)
  const path = file('fails.jsonl.gz', gzipSync(lines(100_000)))
  const run = ingest('gst-taxpayers', path, { deps: { parserBounds: { ...parserBounds, memoryBytesMax: 20 << 20 } } })
  await expect(run).rejects.toMatchObject({ code: 'PARSER_STOPPED' })
  expect(await registerContents(database.db)).toEqual(before)
  expect(await stagingTables(database.db)).toEqual([])
})

describe('frames', () => {
  const told = fc.array(
    fc.record({ kind: fc.constantFrom(...Object.values(frameKinds)), body: fc.uint8Array({ maxLength: 300 }) }),
    { maxLength: 20 },
  )

  test('come out as they went in, wherever the pipe cuts them', () => {
    fc.assert(
      fc.property(told, fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1 }), (sent, cuts) => {
        const bytes = Buffer.concat(sent.flatMap(({ kind, body }) => frame(kind, Buffer.from(body))))
        const reader = new FrameReader()
        const seen: string[] = []
        for (let at = 0, cut = 0; at < bytes.length; cut++) {
          const length = cuts[cut % cuts.length] ?? 1
          for (const each of reader.push(bytes.subarray(at, at + length)))
            seen.push(each.kind === 'bytes' ? each.piece.toString('latin1') : `${each.kind} ${each.body}`)
          at += length
        }
        const names = Object.fromEntries(Object.entries(frameKinds).map(([name, kind]) => [kind, name]))
        const expected = sent.map(({ kind, body }) =>
          kind === frameKinds.bytes
            ? Buffer.from(body).toString('latin1')
            : `${names[kind]} ${Buffer.from(body).toString('utf8')}`,
        )
        expect(seen.join('\n').replaceAll('\n', '')).toBe(expected.join('').replaceAll('\n', ''))
      }),
    )
  })

  test('of no known kind, or larger than any note, are refused', () => {
    expect(() => [...new FrameReader().push(Buffer.from([9, 0, 0, 0, 1, 0]))]).toThrow('invalid frame')
    expect(() => [...new FrameReader().push(Buffer.from([2, 255, 255, 255, 255, 0]))]).toThrow('invalid frame')
  })
})
