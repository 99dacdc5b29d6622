/** Dead letters whose work was done since they failed: run again, they would do it once more, so they are left, with the reason. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { redriveWanted } from '../../../src/health/redrive-wanted.ts'
import { listDeadLetters } from '../../../src/queue/dead-letters.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { deadLetterQueue } from '../../../src/queue/queues.ts'
import { operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
const db = () => database.db
let queue: QueueHandle
beforeAll(async () => {
  queue = await startQueue({ connectionString: database.url, supervise: false, onError: () => {} })
})
afterAll(() => queue.stop())
afterEach(() => db().execute('DELETE FROM pgboss.job'))

const failed = async (name: string, payload: object, hoursAgo = 2): Promise<string> => {
  const [row] = await db().query<{ id: string }>(
    `INSERT INTO pgboss.job (name, data, source_name, source_id, source_output, source_retry_count, source_created_on, created_on)
     VALUES ($1, $2, $3, gen_random_uuid(), '{"code": "INTERNAL", "message": "gone"}', 1, now(), now() - make_interval(hours => $4))
     RETURNING id`,
    [deadLetterQueue, JSON.stringify(payload), name, hoursAgo],
  )
  return row?.id ?? expect.unreachable()
}
const wentWell = (name: string, payload: object, hoursAgo = 1) =>
  db().execute(
    `INSERT INTO pgboss.job (name, data, state, completed_on, output)
     VALUES ($1, $2, 'completed', now() - make_interval(hours => $3), '{}')`,
    [name, JSON.stringify(payload), hoursAgo],
  )
const backup = (hoursAgo: number) =>
  db().transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(
      `INSERT INTO access.audit (actor, action, subject, detail, at)
       VALUES ('operator', 'finish backup', 'instance', '{"file": "panji-x.tar.gz"}', now() - make_interval(hours => $1))`,
      [hoursAgo],
    )
  })
/** @returns the queues of those that run again, and the reasons of those that are left. */
const redrive = async () => {
  const { redriven, left } = await redriveWanted(db(), queue, 'all')
  const again = await db().query<{ name: string }>(
    `SELECT name FROM pgboss.job WHERE state = 'created' AND name <> $1 ORDER BY name`,
    [deadLetterQueue],
  )
  expect(again).toHaveLength(redriven)
  expect((await listDeadLetters(db())).map(({ job_id }) => job_id)).toEqual(left.map(({ job_id }) => job_id))
  return { again: again.map(({ name }) => name), left: left.map(({ queue: name, reason }) => [name, reason]) }
}

test('a backup that failed is written again, unless one went well since, by whomever', async () => {
  await backup(3)
  await failed('write-backup', {})
  // Where no folder is named the job ends well, and writes nothing.
  await wentWell('write-backup', {})
  expect(await redrive()).toEqual({ again: ['write-backup'], left: [] })
  await db().execute('DELETE FROM pgboss.job')
  await failed('write-backup', {})
  await backup(1)
  expect(await redrive()).toEqual({
    again: [],
    left: [['write-backup', expect.stringMatching(/^panji-x\.tar\.gz was written since, at .+\.$/)]],
  })
  // Whoever names it knows what they want.
  const [left] = await listDeadLetters(db())
  expect(await redriveWanted(db(), queue, { jobIds: [left?.job_id ?? ''] })).toEqual({ redriven: 1, left: [] })
})

test('a fetch, a renewal and whatever else went well since of the same is left; others of its queue, and what ended before it failed, run again', async () => {
  const nic = { source: 'nic', input: 'https://example.in/nic.csv', sealed: 'b25l' }
  await failed('fetch-source', nic)
  await failed('fetch-source', { ...nic, input: 'https://example.in/other.csv' })
  await wentWell('fetch-source', { ...nic, sealed: 'dHdv' })
  await failed('keep-subscriptions', {})
  await wentWell('keep-subscriptions', {})
  await failed('close-ledger-day', {})
  await wentWell('close-ledger-day', {}, 3)
  await failed('build-leads', { orderId: 'a' })
  await wentWell('build-leads', { orderId: 'b' })
  expect(await redrive()).toEqual({
    again: ['build-leads', 'close-ledger-day', 'fetch-source'],
    left: [
      ['fetch-source', expect.stringMatching(/^The same job succeeded since, at .+\.$/)],
      ['keep-subscriptions', expect.stringMatching(/^The same job succeeded since, at .+\.$/)],
    ],
  })
})

test('a day is lowered no more once a later import of its source was applied', async () => {
  const lower = { source: 'gst', to: '2026-05-01', reason: 'a wrong day', by: 'operator' }
  const run = (source: string, status: string, asOf: string) =>
    db().execute(
      `INSERT INTO ingest.run (source, input, mode, as_of, status, finished_at, rows_read, inserted, updated, unchanged, skipped, rejected)
       VALUES ($1, 'f.csv', 'delta', $2, $3, now(), 0, 0, 0, 0, 0, 0)`,
      [source, asOf, status],
    )
  await run('gst', 'failed', '2026-06-01')
  await run('mca-companies', 'succeeded', '2026-06-01')
  await failed('lower-scope', lower)
  expect(await redrive()).toEqual({ again: ['lower-scope'], left: [] })
  await db().execute('DELETE FROM pgboss.job')
  await failed('lower-scope', lower)
  await run('gst', 'succeeded', '2026-06-01')
  expect(await redrive()).toEqual({
    again: [],
    left: [['lower-scope', expect.stringContaining('import of gst was applied since')]],
  })
})

test('over HTTP what is left of all is told and the rest runs again, one that is named runs, and discarding leaves nothing', async () => {
  const [first, second] = [await failed('keep-subscriptions', {}), await failed('sweep-expired', {})] as const
  await wentWell('keep-subscriptions', {})
  api.queue.sent.length = 0
  const reply = await api.post('/admin/jobs/dead/redrive', operatorToken, { all: true })
  expect([reply.statusCode, reply.json()]).toEqual([
    202,
    {
      job_ids: [second],
      left: [{ job_id: first, queue: 'keep-subscriptions', reason: expect.stringContaining('since') }],
    },
  ])
  expect(api.queue.sent.map(({ payload }) => payload)).toEqual([{ act: 'redrive', jobIds: [second] }])
  const named = await api.post('/admin/jobs/dead/redrive', operatorToken, { job_ids: [first] })
  expect(named.json()).toEqual({ job_ids: [first], left: [] })
  const dropped = await api.post('/admin/jobs/dead/discard', operatorToken, { all: true })
  expect(dropped.json()).toEqual({ job_ids: [first, second] })
})
