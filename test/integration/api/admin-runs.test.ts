/** What an operator decides about runs over HTTP, as the role that the API has in the database. */
import { expect, test } from 'vitest'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { operatorToken, useApi } from '../../support/api.ts'
import { companies, snapshotFiles } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const api = useApi(database)
const setup = useIngest(database)
const { ingest, dependencies } = setup
const snapshot = snapshotFiles(setup)

const post = (runId: number, act: string, body?: object) =>
  api.post(`/admin/ingest/runs/${runId}/${act}`, operatorToken, body)
const acts = () =>
  database.db.query<{ actor: string; action: string; subject: string; detail: object }>(
    `SELECT actor, action, subject, detail FROM access.audit WHERE action LIKE '% run' ORDER BY audit_id`,
  )

test('a run that waits is approved or discarded by an operator, once, and the act is written down', async () => {
  await ingest('mca-companies', snapshot(companies(1, 60)), { asOf: '2025-01-01' })
  const first = await ingest('mca-companies', snapshot(companies(1, 12)), { asOf: '2025-01-02' })
  const second = await ingest('mca-companies', snapshot(companies(1, 13)), { asOf: '2025-01-02' })
  expect((await post(first.run_id, 'discard')).json()).toMatchObject({ status: 'discarded' })
  expect((await post(first.run_id, 'approve')).json()).toMatchObject({ error_code: 'CONFLICT' })

  const corrected = await ingest('mca-companies', snapshot(companies(1, 61)), { asOf: '2025-01-02' })
  const refused = await post(second.run_id, 'approve')
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({ error_code: 'RUN_OVERTAKEN', runs: [corrected.run_id] })
  const approved = await post(second.run_id, 'approve', { supersede: true })
  expect(approved.json()).toMatchObject({ run_id: second.run_id, status: 'queued' })
  expect(await runSnapshot(dependencies(), second.run_id)).toMatchObject({ status: 'succeeded', closed: 48 })

  const actor = expect.stringMatching(/^operator:/)
  expect(await acts()).toEqual([
    { actor, action: 'discard run', subject: String(first.run_id), detail: {} },
    { actor, action: 'approve run', subject: String(second.run_id), detail: { supersede: true } },
  ])
})

test('what the operator misspells is refused, and what is no run is not found', async () => {
  expect((await post(1, 'approve', { superseed: true })).statusCode).toBe(400)
  expect((await post(999_999, 'approve')).statusCode).toBe(404)
  expect((await post(999_999, 'discard')).statusCode).toBe(404)
})
