import { afterAll, beforeAll, expect, test } from 'vitest'
import { endLostRuns } from '../../../src/ingest/conduct/lost-runs.ts'
import { requestRun } from '../../../src/ingest/run/request-run.ts'
import { getRun } from '../../../src/ingest/run/runs.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { useTestDatabase } from '../../support/database.ts'
import { stagingTables } from '../../support/ingest.ts'

const database = useTestDatabase()
let queue: QueueHandle
beforeAll(async () => {
  queue = await startQueue({
    connectionString: database.url,
    role: 'panji_worker',
    supervise: false,
    onError: () => {},
  })
})
afterAll(() => queue.stop())

/** A run that a worker was killed over, and its job in the given state. */
async function runWithJob(state: string): Promise<number> {
  const request = { source: 'mca-companies', input: '/nowhere.csv' }
  const { runId } = await database.db.transaction((tx) => requestRun(tx, queue, request))
  await database.db.execute(`UPDATE ingest.run SET status = 'staging', attempt = 3 WHERE run_id = $1`, [runId])
  await database.db.query(`SELECT ingest.make_work_table('stage', $1, '{c1}', '{text}')`, [runId])
  await database.db.execute(`UPDATE pgboss.job SET state = $2 WHERE (data ->> 'runId')::bigint = $1`, [runId, state])
  return runId
}

test.each(['created', 'retry', 'active'])('a run whose job is "%s" is left to it', async (state) => {
  const runId = await runWithJob(state)
  expect(await endLostRuns(database.db)).toEqual([])
  expect(await getRun(database.db, runId)).toMatchObject({ status: 'staging', attempt: 3 })
  expect(await stagingTables(database.db)).toContain(`stage_${runId}`)
})

test('a run whose job has used its attempts up ends as failed, without its staging tables, and is fenced off', async () => {
  const runId = await runWithJob('failed')
  expect(await endLostRuns(database.db)).toEqual([runId])
  const run = await getRun(database.db, runId)
  expect(run).toMatchObject({ status: 'failed', attempt: 4, error: { code: 'LEASE_LOST' } })
  expect(run.finished_at).toBeInstanceOf(Date)
  expect(await stagingTables(database.db)).not.toContain(`stage_${runId}`)
  expect(await endLostRuns(database.db)).toEqual([])
})
