import { Agent } from 'undici'
import { expect, test } from 'vitest'
import { type FetchBounds, fetchBounds } from '../../../config/input-bounds.ts'
import { follow } from '../../../src/ingest/input/transport/follow.ts'
import { listRuns } from '../../../src/ingest/run/runs.ts'
import { companyFile } from '../../support/company-lines.ts'
import { useTestDatabase } from '../../support/database.ts'
import { type FileServer, serveFile } from '../../support/file-server.ts'
import { registerContents, stagingTables, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest } = useIngest(database)
const impatient: Partial<FetchBounds> = { silenceMsMax: 200, resumeDelayMs: 1, resumesMax: 2 }
const fetched = (server: FileServer, bounds: Partial<FetchBounds> = impatient) =>
  ingest('mca-companies', server.url, { deps: { allowPrivateSources: true, bounds } })

test.each<[string, FileServer['faults'], Partial<FetchBounds>, RegExp]>([
  [
    'takes the request and never answers',
    ['silent'],
    impatient,
    /the server took the request and was silent for 0\.2 s \(PANJI_FETCH_SILENCE_SECONDS\)/,
  ],
  [
    'stops in the middle, each time it is asked for the rest',
    [{ stopAfter: 500_000 }, { stopAfter: 5 }, { stopAfter: 5 }],
    impatient,
    /the server stopped in the middle, after \d{6} of \d{7} bytes, and was silent for 0\.2 s .*; resumed 2 times/,
  ],
  [
    'answers for longer than a download may take',
    [{ stopAfter: 500_000 }],
    { ...impatient, silenceMsMax: 60_000, fetchMsMax: 400 },
    /it took longer than 0\.4 s \(PANJI_FETCH_SECONDS_MAX\), after \d{6} of \d{7} bytes/,
  ],
])('a server that %s ends the run with that reason, in bounded time', async (_, faults, bounds, message) => {
  const server = await serveFile(companyFile(20_000))
  server.faults.push(...faults)
  const before = await registerContents(database.db)
  const started = performance.now()
  await expect(fetched(server, bounds)).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE', retry: 'later' })
  expect(performance.now() - started).toBeLessThan(20_000)
  const [run] = await listRuns(database.db, { limit: 1 })
  expect(run).toMatchObject({ status: 'failed', error: { message: expect.stringMatching(message) } })
  expect(await registerContents(database.db)).toEqual(before)
  expect(await stagingTables(database.db)).toEqual([])
})

test('a name that leads into a private network is refused when it is connected to', async () => {
  const server = await serveFile(companyFile(2))
  const named = server.url.replace('127.0.0.1', 'localhost')
  await expect(ingest('mca-companies', named, { requestedBy: 'schedule' })).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
    message: expect.stringMatching(/(127\.0\.0\.1|::1) is a private address; PANJI_ALLOW_PRIVATE_SOURCES=true/),
  })
  expect(server.seen).toEqual([])
})

test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])(
  'an operator at a terminal may name %s, over HTTP or by a schedule nobody may, and it leads to no other private host',
  async (host) => {
    const server = await serveFile(companyFile(2))
    const named = server.url.replace('127.0.0.1', host)
    expect(await ingest('mca-companies', named, { force: true })).toMatchObject({ status: 'succeeded', rows_read: 2 })
    const asked = server.seen.length
    for (const other of [{ requestedBy: 'operator:asha', overHttp: true }, { requestedBy: 'schedule' }] as const) {
      await expect(ingest('mca-companies', named, { force: true, ...other })).rejects.toThrow(/is a private address/)
    }
    expect(server.seen.length).toBe(asked)
    server.faults.push((_request, reply) => void reply.writeHead(302, { location: 'http://127.0.0.2/other' }).end())
    await expect(ingest('mca-companies', named, { force: true })).rejects.toThrow(/127\.0\.0\.2 is a private address/)
  },
)

test.each([
  ['a private address', (port: string) => `http://127.0.0.1:${port}/secret`, /127\.0\.0\.1 is a private address/],
  ['a private address in another spelling', (port: string) => `http://2130706433:${port}/secret`, /private address/],
  ['another protocol', () => 'file:///etc/passwd', /file: is not followed/],
  ['nowhere', () => 'http://', /redirects to what is no address/],
])('a redirect from a public server to %s is not followed', async (_, target, message) => {
  const server = await serveFile(companyFile(2))
  const { port } = new URL(server.url)
  server.faults.push((_request, reply) => void reply.writeHead(302, { location: target(port) }).end())
  // Only the resolver is ours: it lets a public name lead to the server of this test.
  const agent = new Agent({
    connect: { lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
  })
  const options = {
    agent,
    bounds: fetchBounds,
    allowPrivate: false,
    signal: AbortSignal.timeout(5000),
    headersFor: () => ({}),
  }
  await expect(follow(`http://registers.example:${port}/file.csv`, options)).rejects.toThrow(message)
  expect(server.seen.map(({ url }) => url)).toEqual(['/file.csv'])
  await agent.destroy()
})
