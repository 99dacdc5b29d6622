/** What schedules import: the inputs of one source take turns, and what an operator undid is not applied again. */
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { fetchSourceJob } from '../../../jobs/fetch-source.ts'
import { approveRun, discardRun } from '../../../src/ingest/conduct/approval.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { type KeptInput, keepInput } from '../../../src/ingest/run/source-address.ts'
import { companies, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { type FileServer, serveFile } from '../../support/file-server.ts'
import { testSecretKey, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file, folder, queue, dependencies } = useIngest(database)
const source = 'mca-companies'
beforeEach(() => emptyRegisters(database.db))

const fetchSource = fetchSourceJob({ bounds: {}, dataDir: folder, secretKey: testSecretKey })
const slot = (input: KeptInput) =>
  fetchSource.handle(
    { source, ...input },
    {
      db: database.db,
      queue,
      log: pino({ level: 'silent' }),
      signal: new AbortController().signal,
      attempt: 0,
    },
  )
const requested = async (input: KeptInput) => ((await slot(input)) as { readonly runId: number }).runId

const deps = { allowPrivateSources: true }
const scheduled = (input: string, more: Parameters<typeof ingest>[2] = {}) =>
  ingest(source, input, { requestedBy: 'schedule', deps, ...more })
const bytes = (to: number) => Buffer.from(snapshotText(companies(1, to)))
const serve = (server: FileServer, to: number) =>
  Object.assign(server.file, { body: bytes(to), etag: `"of ${to} companies"` })
const undo = async (runId: number, through = false) => {
  const asked = { runId, through, reason: 'the wrong file', requestedBy: 'operator' } as const
  return runSnapshot(dependencies(), (await requestUndo(database.db, queue, asked)).run_id)
}
const countOpen = async () => {
  const [open] = await database.db.query<{ records: number }>(
    'SELECT count(*) AS records FROM registry.company WHERE closed_on IS NULL',
  )
  return open?.records
}

test.each([
  ['another address', 'https://example.in/goa.csv', 'https://example.in/kerala.csv'],
  ['an address with another query', 'https://example.in/list.csv?of=goa', 'https://example.in/list.csv?of=kerala'],
])(
  'a slot waits while %s of its source is imported, and is skipped while its own is, or an import needs approval',
  async (_, one, other) => {
    const [goa, kerala] = [keepInput(one, testSecretKey), keepInput(other, testSecretKey)]
    const first = await requested(goa)
    await expect(slot(kerala)).rejects.toMatchObject({
      code: 'RUN_IN_PROGRESS',
      message: expect.stringContaining(`${first}`),
      retry: { afterMs: expect.any(Number) },
    })
    expect(await slot(goa)).toEqual({ skipped: true, openRunId: first })
    await database.db.execute(`UPDATE ingest.run SET status = 'needs_approval'`)
    expect(await slot(kerala)).toEqual({ skipped: true, openRunId: first })
    await discardRun(database.db, first)
    expect(await requested(kerala)).toBeGreaterThan(first)
  },
)

test('what a schedule applied and an operator undid no schedule applies again while its address serves it; by hand it is imported', async () => {
  const server = await serveFile(bytes(30))
  await scheduled(server.url)
  serve(server, 33)
  const wrong = await scheduled(server.url)
  await undo(wrong.run_id)
  const leftOut = {
    status: 'no_op',
    scopes: null,
    report: { reason: expect.stringMatching(`^Import ${wrong.run_id} `) },
  }
  for (let night = 1; night <= 2; night++) {
    expect(await scheduled(server.url)).toMatchObject(leftOut)
    expect(server.seen.at(-1)).toMatchObject({ status: 304 })
    expect(await countOpen()).toBe(30)
  }
  serve(server, 31)
  expect(await scheduled(server.url)).toMatchObject({ status: 'succeeded', inserted: 1 })
  serve(server, 33)
  expect(await scheduled(server.url)).toMatchObject(leftOut)
  expect(server.seen.at(-1)).toMatchObject({ status: 200 })
  expect(await ingest(source, server.url, { deps })).toMatchObject({ status: 'succeeded', inserted: 2 })
  expect(await scheduled(server.url)).toMatchObject({ status: 'no_op', scopes: ['ROC Goa'] })
})

test('what was undone only together with an earlier import is applied by the next slot', async () => {
  const server = await serveFile(bytes(30))
  await scheduled(server.url)
  serve(server, 33)
  const wrong = await scheduled(server.url)
  serve(server, 35)
  await scheduled(server.url)
  await undo(wrong.run_id, true)
  expect(await countOpen()).toBe(30)
  expect(await scheduled(server.url)).toMatchObject({ status: 'succeeded', inserted: 5 })
})

test('a file that is dropped again after its undo is left out for the same day, and applied for another one', async () => {
  await ingest(source, file('first.csv', bytes(30)), { asOf: '2025-01-01' })
  const path = file('dropped.csv', bytes(33))
  const dropped = (asOf: string) => scheduled(path, { dropFolder: '/srv/drop', asOf })
  await undo((await dropped('2025-03-01')).run_id)
  expect(await dropped('2025-03-01')).toMatchObject({ status: 'no_op' })
  expect(await dropped('2025-02-01')).toMatchObject({ status: 'succeeded', inserted: 3 })
})

test('what a schedule fetched and an operator discarded no schedule asks about again; by hand it is asked about', async () => {
  const server = await serveFile(bytes(60))
  await scheduled(server.url)
  serve(server, 12)
  const truncated = await scheduled(server.url)
  expect(truncated.status).toBe('needs_approval')
  await discardRun(database.db, truncated.run_id)
  const leftOut = {
    status: 'no_op',
    scopes: null,
    report: { reason: expect.stringMatching(`^Import ${truncated.run_id} .*was discarded`) },
  }
  for (const status of [200, 304]) {
    expect(await scheduled(server.url)).toMatchObject(leftOut)
    expect(server.seen.at(-1)).toMatchObject({ status })
  }
  expect(await countOpen()).toBe(60)
  const byHand = await ingest(source, server.url, { deps })
  expect(byHand.status).toBe('needs_approval')
  await discardRun(database.db, byHand.run_id)
  expect(await scheduled(server.url)).toMatchObject({ status: 'no_op' })
  serve(server, 61)
  expect(await scheduled(server.url)).toMatchObject({ status: 'succeeded', inserted: 1 })
})

test.each([
  ['another column map', { columns: { CompanyName: 'name' } }],
  ['another mode', { mode: 'delta' }],
] as const)(
  'what an operator discarded a schedule asks about again with %s, as the bytes mean something else',
  async (_, other) => {
    const server = await serveFile(bytes(60))
    await scheduled(server.url)
    serve(server, 12)
    await discardRun(database.db, (await scheduled(server.url)).run_id)
    expect(await scheduled(server.url)).toMatchObject({ status: 'no_op' })
    const again = await scheduled(server.url, other)
    expect(again.report?.['reason'] ?? '').not.toMatch(/discarded/)
    expect(again).toMatchObject('mode' in other ? { status: 'succeeded', closed: 0 } : { status: 'needs_approval' })
  },
)

test('a discarded file that is approved by hand later counts as imported', async () => {
  const server = await serveFile(bytes(60))
  await scheduled(server.url)
  serve(server, 12)
  await discardRun(database.db, (await scheduled(server.url)).run_id)
  const byHand = await ingest(source, server.url, { deps })
  await approveRun(database.db, queue, byHand.run_id)
  expect(await runSnapshot(dependencies(), byHand.run_id)).toMatchObject({ status: 'succeeded', closed: 48 })
  expect(await scheduled(server.url)).toMatchObject({ status: 'no_op', scopes: ['ROC Goa'] })
})
