import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FetchBounds } from '../../../config/input-bounds.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { requestRun } from '../../../src/ingest/run/request-run.ts'
import { getRun } from '../../../src/ingest/run/runs.ts'
import { companyFile } from '../../support/company-lines.ts'
import { useTestDatabase } from '../../support/database.ts'
import { filesHaveThisClock } from '../../support/faketime-limits.ts'
import { type FileServer, serveFile } from '../../support/file-server.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, dependencies, queue, folder } = useIngest(database)
const quick: Partial<FetchBounds> = { resumeDelayMs: 1, silenceMsMax: 300 }
const fetched = (server: FileServer, bounds: Partial<FetchBounds> = {}) =>
  ingest('mca-companies', server.url, {
    force: true,
    deps: { allowPrivateSources: true, bounds: { ...quick, ...bounds } },
  })
const whole = companyFile(20_000)
const sha256 = createHash('sha256').update(whole).digest('hex')
const leftovers = () => readdirSync(join(folder, 'downloads'))
const start = ({ range }: { readonly range: string | undefined }): number => Number(/\d+/.exec(range ?? '')?.[0])

test('a connection that is cut again and again is resumed where it was cut', async () => {
  const server = await serveFile(whole)
  server.faults.push({ cutAfter: 300_000 }, { cutAfter: 300_000 }, { cutAfter: 300_000 })
  expect(await fetched(server)).toMatchObject({ status: 'succeeded', rows_read: 20_000, sha256 })
  const [first, ...others] = server.seen
  expect(first).toMatchObject({ range: undefined, status: 200 })
  expect(others).toHaveLength(3)
  for (const each of others) expect(each).toMatchObject({ ifRange: '"v1"', status: 206 })
  const starts = others.map(start)
  expect(starts[0]).toBeGreaterThan(0)
  expect(starts[0]).toBeLessThanOrEqual(300_000)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  expect(leftovers()).toEqual([])
})

test('a file that changed in the meantime begins anew, and no part of the old one is kept', async () => {
  const server = await serveFile(companyFile(7000))
  server.faults.push((_, reply) => {
    reply.writeHead(200, { etag: '"v1"', 'content-length': 500_000 })
    reply.write(server.file.body.subarray(0, 300_000), () => {
      Object.assign(server.file, { body: whole, etag: '"v2"' })
      reply.socket?.destroy()
    })
  })
  expect(await fetched(server)).toMatchObject({ status: 'succeeded', sha256 })
  expect(server.seen[1]).toMatchObject({ ifRange: '"v1"', status: 200 })
})

test.each<[string, (server: FileServer) => void, object]>([
  [
    'without any validator the file begins anew',
    ({ file }) => Object.assign(file, { etag: undefined, lastModified: undefined }),
    { range: undefined, ifRange: undefined },
  ],
  [
    'a weak ETag proves nothing, and forbids the date',
    ({ file }) => Object.assign(file, { etag: 'W/"v1"' }),
    { range: undefined, ifRange: undefined },
  ],
  [
    'without an ETag a date that is past proves it',
    ({ file }) => Object.assign(file, { etag: undefined }),
    { range: expect.stringMatching(/^bytes=\d+-$/), ifRange: 'Wed, 01 Oct 2025 00:00:00 GMT' },
  ],
  [
    'a date of this very second proves nothing',
    ({ file }) => Object.assign(file, { etag: undefined, lastModified: new Date(Date.now() + 5000) }),
    { range: undefined, ifRange: undefined },
  ],
])('%s', async (_, prepare, expected) => {
  const server = await serveFile(whole)
  prepare(server)
  server.faults.push({ cutAfter: 300_000 })
  expect(await fetched(server)).toMatchObject({ status: 'succeeded', sha256 })
  expect(server.seen[1]).toMatchObject(expected)
})

test.each<[string, Record<string, string>]>([
  ['another part', { etag: '"v1"', 'content-range': 'bytes 5-9/10' }],
  ['a part of another version', { etag: '"v2"', 'content-range': 'from' }],
  ['a part without saying which', { etag: '"v1"' }],
])('a server that sends %s does not spoil the file', async (_, headers) => {
  const server = await serveFile(whole)
  server.faults.push({ cutAfter: 300_000 }, (request, reply) => {
    const range = `bytes ${start({ range: request.headers.range })}-${whole.length - 1}/${whole.length}`
    reply.writeHead(206, { ...headers, ...(headers['content-range'] === 'from' ? { 'content-range': range } : {}) })
    reply.end(Buffer.alloc(1000, 'x'))
  })
  expect(await fetched(server)).toMatchObject({ status: 'succeeded', sha256 })
  expect(server.seen[2]).toMatchObject({ range: undefined })
})

test('a body of unknown length that is cut is not taken for a whole one', async () => {
  const server = await serveFile(whole)
  server.faults.push((_, reply) => {
    reply.writeHead(200, { etag: '"v1"' })
    reply.write(whole.subarray(0, 300_000), () => reply.socket?.destroy())
  })
  expect(await fetched(server)).toMatchObject({ status: 'succeeded', sha256 })
  expect(server.seen[1]).toMatchObject({ ifRange: '"v1"', status: 206 })
})

// What an attempt left is swept by its age.
test.skipIf(!filesHaveThisClock)(
  'resuming has an end, and the next attempt of the run goes on from where it was',
  async () => {
    const server = await serveFile(whole)
    server.faults.push({ cutAfter: 300_000 }, { cutAfter: 300_000 }, { cutAfter: 300_000 })
    const { runId } = await database.db.transaction((tx) =>
      requestRun(tx, queue, { source: 'mca-companies', input: server.url, force: true }),
    )
    const deps = {
      ...dependencies(),
      allowPrivateSources: true,
      finalAttempt: false,
      bounds: { ...quick, resumesMax: 2 },
    }
    await expect(runSnapshot(deps, runId)).rejects.toMatchObject({
      retry: 'later',
      message: expect.stringMatching(/cut, after \d+ of \d+ bytes; resumed 2 times/),
    })
    expect(await getRun(database.db, runId)).toMatchObject({ status: 'queued', error: { code: 'SOURCE_UNREADABLE' } })
    expect(await runSnapshot(deps, runId)).toMatchObject({ status: 'succeeded', sha256 })
    expect(server.seen.map(({ status }) => status)).toEqual([200, 206, 206, 206])
    expect(start(server.seen[3] ?? { range: undefined })).toBeGreaterThan(500_000)
    expect(leftovers()).toEqual([])
  },
)

test('a failure for good leaves no part of a file behind', async () => {
  const server = await serveFile(whole)
  server.faults.push({ cutAfter: 300_000 }, (_, reply) => reply.writeHead(410).end())
  await expect(fetched(server)).rejects.toMatchObject({ retry: 'never', message: expect.stringContaining('410') })
  expect(leftovers()).toEqual([])
})

test('a file above the bound is refused by its length before it is sent, or where it has none, at the bound', async () => {
  const server = await serveFile(whole)
  const message = expect.stringMatching(/bytes; at most 1000 \(PANJI_INPUT_BYTES_MAX\) are taken/)
  await expect(fetched(server, { fileBytesMax: 1000 })).rejects.toMatchObject({ retry: 'never', message })
  server.faults.push((_, reply) => void reply.writeHead(200).end(whole))
  await expect(fetched(server, { fileBytesMax: 1000 })).rejects.toMatchObject({ retry: 'never', message })
  expect(leftovers()).toEqual([])
})

test('an answer in an encoding that was not asked for is refused', async () => {
  const server = await serveFile(whole)
  server.faults.push((_, reply) => void reply.writeHead(200, { 'content-encoding': 'br' }).end('x'))
  await expect(fetched(server)).rejects.toMatchObject({ message: expect.stringContaining('the server sent it as br') })
})
