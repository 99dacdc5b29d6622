import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, createGzip, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FetchBounds } from '../../config/input-bounds.ts'
import { discardRun } from '../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../src/ingest/run/request-run.ts'
import { getRun, listRejects, type RunRecord } from '../../src/ingest/run/runs.ts'
import { companyFile, companyHeader, companyLine } from '../support/company-lines.ts'
import { useTestDatabase } from '../support/database.ts'
import { serveFile } from '../support/file-server.ts'
import { registerContents, stagingTables, useIngest } from '../support/ingest.ts'
import { type NodeProcess, runNode } from '../support/run-node.ts'
import { workbookOf, type ZipMember, zipOf } from '../support/zip.ts'

const database = useTestDatabase()
const { ingest, file, folder, queue } = useIngest(database)
const child = fileURLToPath(new URL('input-child.ts', import.meta.url))
const source = 'mca-companies'
const mebibyte = 2 ** 20

async function start(input: string, bounds: Partial<FetchBounds> = {}, knownRun?: number, place = database) {
  const runId =
    knownRun ?? (await place.db.transaction((tx) => requestRun(tx, queue, { source, input, force: true }))).runId
  return {
    runId,
    worker: runNode(child, [place.urlAs('panji_worker'), String(runId), folder, JSON.stringify(bounds)]),
  }
}

/** In a process of its own, whose memory is measured from its beginning. */
async function measured(input: string, bounds?: Partial<FetchBounds>): Promise<{ run: RunRecord; peakBytes: number }> {
  const { runId, worker } = await start(input, bounds)
  const { stdout, stderr } = await worker.ended
  const [line] = stdout.split('\n').filter((each) => each.startsWith('{'))
  if (line === undefined) throw new Error(`the worker said nothing: ${stderr}`)
  const { peakBytes } = JSON.parse(line) as { peakBytes: number }
  const run = await getRun(database.db, runId)
  console.log(`${expect.getState().currentTestName}: ${run.status}, ${Math.round(peakBytes / mebibyte)} MiB at most`)
  return { run, peakBytes }
}

/** Writes in pieces, so that the test itself holds little. */
function large(name: string, pieces: Iterable<string | Buffer>): string {
  const path = join(folder, name)
  const handle = openSync(path, 'w')
  for (const piece of pieces) writeSync(handle, Buffer.from(piece))
  closeSync(handle)
  return path
}

function* repeated(piece: string, times: number): Generator<string> {
  for (let left = times; left > 0; left -= 10_000) yield piece.repeat(Math.min(left, 10_000))
}

function* around(middle: Iterable<string>): Generator<string> {
  yield `${companyHeader}\n${companyLine(1)}\n`
  yield* middle
  yield `\n${companyLine(2)}\n`
}

let before: Record<string, unknown[]>
beforeAll(async () => {
  expect(await ingest(source, file('good.csv', companyFile(50)))).toMatchObject({ status: 'succeeded', inserted: 50 })
})
afterAll(() => {
  if (hasDisk) spawnSync('umount', ['-l', disk])
})
beforeEach(async () => {
  before = await registerContents(database.db)
})

/** Nothing is published, nothing is left behind, and the last good data is served. */
async function expectUntouched(): Promise<void> {
  expect(await registerContents(database.db)).toEqual(before)
  expect(await stagingTables(database.db)).toEqual([])
  expect(existsSync(join(folder, 'downloads')) ? readdirSync(join(folder, 'downloads')) : []).toEqual([])
}

async function expectRefused(path: string, message: RegExp, bounds?: Partial<FetchBounds>): Promise<void> {
  const run = ingest(source, path, { force: true, ...(bounds ? { deps: { bounds } } : {}) })
  await expect(run).rejects.toMatchObject({
    code: 'SOURCE_CORRUPT',
    retry: 'never',
    message: expect.stringMatching(message),
  })
  await expectUntouched()
}

describe('giants cost their own row, and no memory', () => {
  const cell = [...repeated('x'.repeat(1000), 50_000)]
  test.each<[string, () => string]>([
    ['a cell of 50 MB', () => large('cell.csv', around(['U1,', ...cell, ',Active,1,1,Private']))],
    ['a quoted cell of 50 MB', () => large('quoted.csv', around(['U1,"', ...cell, '",Active,1,1,Private']))],
    ['a row of 50,000,000 columns', () => large('wide-row.csv', around(repeated(','.repeat(1000), 50_000)))],
    [
      'a cell of 50 MB in a workbook',
      () => {
        const big = { attributes: 't="inlineStr"', inside: `<is><t>${cell.join('')}</t></is>` }
        const rows = {
          1: companyHeader.split(','),
          2: companyLine(1).split(','),
          3: ['U1', big],
          4: companyLine(2).split(','),
        }
        return file('cell.xlsx', workbookOf([{ name: 'Sheet1', rows }]))
      },
    ],
  ])('%s', async (_, make) => {
    const { run, peakBytes } = await measured(make())
    expect(run).toMatchObject({ status: 'succeeded', rows_read: 3, unchanged: 2, rejected: 1 })
    expect(await listRejects(database.db, run.run_id)).toMatchObject([{ line: 3, code: 'record_too_long' }])
    expect(peakBytes).toBeLessThan(256 * mebibyte)
  })

  test('a JSON line of 50 MB', async () => {
    const record = {
      cin: 'U74999MH2020PTC000001',
      company_name: 'COMPANY 1 PRIVATE LIMITED',
      status: 'Active',
      authorized_capital: 100_000,
      paidup_capital: 100_000,
      class: 'Private',
    }
    const path = large('line.jsonl', [JSON.stringify(record), '\n{"cin":"', ...cell, '"}\n'])
    const { run, peakBytes } = await measured(path)
    expect(run).toMatchObject({
      status: 'succeeded',
      rows_read: 2,
      rejected: 1,
      report: { rejects: { record_too_long: 1 } },
    })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
  })

  test.each<[string, () => string, RegExp]>([
    [
      'named',
      () => large('wide.csv', [Array.from({ length: 1_000_000 }, (_, n) => `c${n}`).join(','), '\n1\n']),
      /no line end within 1048576 bytes/,
    ],
    [
      'without names',
      () => large('empty-names.csv', [','.repeat(999_999), '\n1\n']),
      /the header has 1000000 columns; at most 500/,
    ],
    [
      'as JSON',
      () => large('wide.jsonl', [`{${Array.from({ length: 90_000 }, (_, n) => `"c${n}":1`).join(',')}}\n`]),
      /the header has 90000 columns; at most 500/,
    ],
  ])('a header of a million columns, %s, fails the run', async (_, make, message) => {
    const { run, peakBytes } = await measured(make())
    expect(run).toMatchObject({ status: 'failed', error: { message: expect.stringMatching(message) } })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
    await expectUntouched()
  })

  test('hundreds of thousands of tiny rows, half of them without columns, are each accounted for', async () => {
    const path = large('tiny.csv', [`${companyHeader}\n`, ...repeated('x\n1,,,,,\n', 100_000)])
    const { run, peakBytes } = await measured(path)
    expect(run).toMatchObject({ status: 'needs_approval', rows_read: 200_000, rejected: 200_000 })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
    await discardRun(database.db, run.run_id)
    await expectUntouched()
  })

  test('a workbook whose rows name a long string again and again', async () => {
    const rows: Record<number, string[]> = { 1: companyHeader.split(',') }
    const book = workbookOf([{ name: 'Sheet1', rows: { ...rows, 2: ['y'.repeat(mebibyte - 100)] } }])
    const [head, tail] = book.toString('latin1').split('<row r="2">')
    expect(tail).toBeDefined()
    const many = Array.from({ length: 2000 }, (_, n) => `<row r="${n + 2}"><c t="s"><v>6</v></c></row>`).join('')
    const xml = `${head?.slice(head.lastIndexOf('<?xml'))}${many}</sheetData></worksheet>`
    const path = file('again.xlsx', withPart(book, 'xl/worksheets/sheet1.xml', xml))
    const { run, peakBytes } = await measured(path)
    expect(run).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/unpacks to more than 500 times/) },
    })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
    await expectUntouched()
  })
})

describe('what is cut, rotten or followed by something', () => {
  const packed = gzipSync(companyFile(60))
  const rotten = Buffer.from(packed)
  rotten.writeUInt32LE(1, rotten.length - 8)

  test.each<[string, Buffer, RegExp]>([
    ['a gzip that is cut', packed.subarray(0, -20), /cut\.csv\.gz: the gzip data is broken or cut off: it is cut off/],
    ['a gzip that is cut in its last byte', packed.subarray(0, -1), /it is cut off/],
    ['a gzip with a wrong checksum', rotten, /a checksum does not agree/],
    ['a gzip with text behind it', Buffer.concat([packed, Buffer.from('something else')]), /something follows the end/],
    [
      'a gzip with text behind its padding',
      Buffer.concat([packed, Buffer.alloc(1000), Buffer.from('x')]),
      /something follows the end/,
    ],
    ['a second member that is cut', Buffer.concat([packed, packed.subarray(0, 30)]), /it is cut off/],
    ['a gzip in a gzip', gzipSync(packed), /a gzip file lies inside the archive/],
  ])('%s is refused', async (_, content, message) => expectRefused(file('cut.csv.gz', content), message))

  test('members of a gzip that follow each other are one file, padding or not', async () => {
    const halves = [
      `${companyHeader}\n${companyLine(1)}\n${companyLine(2).slice(0, 20)}`,
      `${companyLine(2).slice(20)}\n`,
    ]
    const content = Buffer.concat([...halves.map((half) => gzipSync(half)), Buffer.alloc(512)])
    const run = await ingest(source, file('members.csv.gz', content), { force: true })
    expect(run).toMatchObject({ status: 'succeeded', rows_read: 2, unchanged: 2, rejected: 0 })
    expect(run.sha256).toBe(createHash('sha256').update(content).digest('hex'))
  })

  test('a CSV that is cut closes nothing: it waits for an operator, however little is missing', async () => {
    const fields = 'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,PaidupCapital'
    const more =
      'CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code'
    const line = (n: number) =>
      `U74999GA2019PTC${String(n).padStart(6, '0')},GOA ${n} LIMITED,ROC Goa,Company limited by shares,Private,1,1,2019-05-01,"X,Goa,403001-India",Unlisted,Active,goa,74999`
    const text = [`${fields},${more}`, ...Array.from({ length: 40 }, (_, n) => line(n)), ''].join('\n')
    await ingest(source, file('goa.csv', text), { asOf: '2025-01-01' })
    before = await registerContents(database.db)
    for (const left of [text.length - 250, text.length / 2]) {
      const cut = await ingest(source, file('goa-cut.csv', text.slice(0, left)), { asOf: '2025-02-01' })
      expect(cut).toMatchObject({ status: 'needs_approval' })
      expect(cut.error?.message).toMatch(/the file ends in the middle of line \d+, and \d+ open records/)
      await discardRun(database.db, cut.run_id)
      await expectUntouched()
    }
  })

  test.each<[string, Buffer, RegExp]>([
    [
      'a zip that is cut',
      zipOf([{ name: 'a.csv', content: companyFile(60) }]).subarray(0, -40),
      /the zip file is broken/,
    ],
    [
      'a zip with a wrong checksum',
      zipOf([{ name: 'a.csv', content: companyFile(60), checksum: 1 }]),
      /its checksum does not agree/,
    ],
    [
      'a zip with rotten data',
      zipOf([{ name: 'a.csv', content: companyFile(60), deflated: true }]).fill(255, 60, 90),
      /the zip file is broken/,
    ],
    [
      'a zip with two members of one name',
      zipOf([
        { name: 'a.csv', content: companyFile(6) },
        { name: 'a.csv', content: companyFile(7) },
      ]),
      /it holds two files named a\.csv/,
    ],
  ])('%s is refused', async (_, content, message) => expectRefused(file('broken.zip', content), message))
})

describe('zip bombs and their kin', () => {
  const zeros = (bytes: number): Buffer => Buffer.concat([companyFile(1), Buffer.alloc(bytes, '\n')])
  const member = (name: string, content: Buffer): ZipMember => ({ name, content, deflated: true })

  test.each<[string, () => ZipMember[]]>([
    ['one member of 1000:1', () => [member('bomb.csv', zeros(300 * mebibyte))]],
    [
      'many members that are harmless alone',
      () => Array.from({ length: 6 }, (_, n) => member(`${n}.csv`, zeros(50 * mebibyte))),
    ],
  ])('%s is stopped', async (_, make) => {
    const { run, peakBytes } = await measured(file('bomb.zip', zipOf(make())))
    expect(run).toMatchObject({
      status: 'failed',
      error: {
        code: 'SOURCE_CORRUPT',
        message: expect.stringMatching(/unpacks to more than 500 times its size, \d+ bytes; refused/),
      },
    })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
    await expectUntouched()
  })

  test('a gzip bomb of 1000:1 is stopped', async () => {
    const gzip = createGzip({ level: constants.Z_BEST_COMPRESSION })
    const packed: Buffer[] = []
    gzip.on('data', (chunk: Buffer) => packed.push(chunk))
    for (let n = 0; n < 300; n++) gzip.write(n === 0 ? companyFile(1) : Buffer.alloc(mebibyte, '\n'))
    gzip.end()
    await new Promise((resolve) => gzip.on('end', resolve))
    const { run, peakBytes } = await measured(file('bomb.csv.gz', Buffer.concat(packed)))
    expect(run).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/more than 500 times its size/) },
    })
    expect(peakBytes).toBeLessThan(256 * mebibyte)
    await expectUntouched()
  })

  test('what unpacks to more than the bound is stopped, whatever its ratio', async () => {
    const text = companyFile(5000)
    const message = /unpacks to more than 100000 bytes \(PANJI_UNPACKED_BYTES_MAX\)/
    await expectRefused(file('large.csv.gz', gzipSync(text)), message, { unpackedBytesMax: 100_000 })
    await expectRefused(file('large.zip', zipOf([member('a.csv', text)])), message, { unpackedBytesMax: 100_000 })
  })

  test.each<[string, () => ZipMember[], RegExp]>([
    [
      'a zip in a zip',
      () => [{ name: 'inner.csv', content: zipOf([member('a.csv', zeros(10))]) }],
      /bad\.zip \(inner\.csv\): a zip file lies inside the archive/,
    ],
    [
      'a gzip in a zip',
      () => [
        { name: 'inner.csv.gz', content: gzipSync(companyFile(3)) },
        { name: 'x.csv', content: 'x' },
      ],
      /\(inner\.csv\.gz\): a gzip file lies inside/,
    ],
    [
      'a member that is larger than it says',
      () => [{ ...member('a.csv', companyFile(500)), claimedSize: 100 }],
      /the zip file is broken: too many bytes/,
    ],
    [
      'a member that is smaller than it says',
      () => [{ ...member('a.csv', companyFile(5)), claimedSize: 1_000_000 }],
      /the zip file is broken: not enough bytes/,
    ],
    [
      'a name that climbs out of the folder',
      () => [{ name: '../../escaped.csv', content: companyFile(3) }],
      /invalid relative path: \.\.\/\.\.\/escaped\.csv/,
    ],
    [
      'a name at the root',
      () => [{ name: '/tmp/escaped.csv', content: companyFile(3) }],
      /absolute path: \/tmp\/escaped\.csv/,
    ],
    [
      'more members than a publication has',
      () => Array.from({ length: 2001 }, (_, n) => ({ name: `${n}.csv`, content: '' })),
      /more than 2000 files \(membersMax/,
    ],
  ])('%s is refused, and nothing is written anywhere', async (_, make, message) => {
    const names = readdirSync(folder)
    const path = file('bad.zip', zipOf(make()))
    await expectRefused(path, message)
    expect(readdirSync(folder).filter((name) => name !== 'bad.zip' && name !== 'downloads')).toEqual(
      names.filter((name) => name !== 'bad.zip' && name !== 'downloads'),
    )
    expect(existsSync('/tmp/escaped.csv') || existsSync(join(folder, '..', '..', 'escaped.csv'))).toBe(false)
  })
})

describe('a worker that is killed while it downloads', () => {
  // What it takes in is far more than the others compare, before and after.
  const place = useTestDatabase()
  const whole = companyFile(20_000)
  const sha256 = createHash('sha256').update(whole).digest('hex')

  /** Until so much of the file is safe that a later attempt may go on from it. */
  const untilKept = (runId: number, worker: NodeProcess) =>
    vi.waitFor(() => {
      expect(worker.child.exitCode).toBeNull()
      const note = JSON.parse(readFileSync(join(folder, 'downloads', `run-${runId}-1.part.json`), 'utf8')) as {
        kept: number
      }
      expect(note.kept).toBeGreaterThan(0)
    }, 20_000)

  test.each<[string, (server: Awaited<ReturnType<typeof serveFile>>) => void, number]>([
    ['is followed by one that goes on from its bytes', () => {}, 206],
    [
      'is followed by one that begins anew when the file has changed',
      ({ file: served }) => Object.assign(served, { etag: '"v2"' }),
      200,
    ],
  ])('%s', async (_, change, status) => {
    const server = await serveFile(whole)
    server.faults.push({ stopAfter: 800_000 })
    const bounds = { syncEveryBytes: 100_000 }
    const first = await start(server.url, bounds, undefined, place)
    await untilKept(first.runId, first.worker)
    first.worker.child.kill('SIGKILL')
    await first.worker.ended
    change(server)
    const second = await start(server.url, bounds, first.runId, place)
    await second.worker.ended
    expect(await getRun(place.db, first.runId)).toMatchObject({
      status: 'succeeded',
      rows_read: 20_000,
      sha256,
      attempt: 2,
    })
    expect(server.seen.map((each) => each.status)).toEqual([200, status])
    expect(server.seen[1]?.range).toMatch(/^bytes=[1-9]\d{4,}-$/)
    expect(readdirSync(join(folder, 'downloads'))).toEqual([])
  })
})

/** A small file system can only be made by root, and not in every container. */
const disk = join(folder, 'small-disk')
mkdirSync(disk)
const hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0

describe.runIf(hasDisk)('a disk that is full', () => {
  const place = useTestDatabase()
  const underFire = useIngest(place)

  test('ends the attempt in words, and with room made the next goes on from there', async () => {
    const whole = companyFile(20_000)
    const server = await serveFile(whole)
    const { runId } = await place.db.transaction((tx) =>
      requestRun(tx, queue, { source, input: server.url, force: true }),
    )
    const deps = {
      ...underFire.dependencies(),
      dataDir: disk,
      allowPrivateSources: true,
      finalAttempt: false,
      bounds: { syncEveryBytes: 100_000 },
    }
    await expect(runSnapshot(deps, runId)).rejects.toMatchObject({
      code: 'SOURCE_UNREADABLE',
      retry: 'later',
      message: expect.stringMatching(
        /the disk is full, after \d+ of \d+ bytes; make room for downloads in PANJI_DATA_DIR/,
      ),
    })
    expect(spawnSync('mount', ['-o', 'remount,size=32m', disk]).status).toBe(0)
    const sha256 = createHash('sha256').update(whole).digest('hex')
    expect(await runSnapshot(deps, runId)).toMatchObject({ status: 'succeeded', sha256 })
    expect(server.seen.map((each) => each.status)).toEqual([200, 206])
  })
})

/** The workbook with one of its parts replaced; its parts are stored, so they can be found by their bytes. */
function withPart(book: Buffer, name: string, content: string): Buffer {
  const members: ZipMember[] = []
  for (let at = 0; book.readUInt32LE(at) === 0x04034b50; ) {
    const [size, nameLength] = [book.readUInt32LE(at + 18), book.readUInt16LE(at + 26)]
    const begin = at + 30 + nameLength
    const own = book.toString('utf8', at + 30, begin)
    members.push({ name: own, content: own === name ? content : book.subarray(begin, begin + size), deflated: true })
    at = begin + size
  }
  return zipOf(members)
}
