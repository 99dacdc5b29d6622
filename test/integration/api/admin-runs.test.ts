/** What an operator decides about runs over HTTP, as the role that the API has in the database. */
import { beforeEach, expect, test } from 'vitest'
import { finishCancelling } from '../../../src/ingest/conduct/cancel.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { operatorToken, useApi } from '../../support/api.ts'
import { companies, snapshotFiles } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const api = useApi(database)
const setup = useIngest(database)
const { ingest, dependencies, file } = setup
const snapshot = snapshotFiles(setup)

const directors = (count: number): string =>
  [
    'DIN,Status,Name',
    ...Array.from({ length: count }, (_, n) => `${String(n + 1).padStart(8, '0')},Approved,Asha ${n}`),
    '',
  ].join('\n')

const post = (runId: number, act: string, body?: object) =>
  api.post(`/admin/ingest/runs/${runId}/${act}`, operatorToken, body)
const actsOn = (...runIds: number[]) =>
  database.db.query<{ actor: string; action: string; subject: string; detail: object }>(
    `SELECT actor, action, subject, detail FROM access.audit WHERE action LIKE '% run' AND subject = ANY ($1) ORDER BY audit_id`,
    [runIds.map(String)],
  )

beforeEach(() => emptyRegisters(database.db))

test('an operator approves or discards a waiting run, once, and the run and the audit log have the reason', async () => {
  await ingest('mca-companies', snapshot(companies(1, 60)), { asOf: '2025-01-01' })
  const first = await ingest('mca-companies', snapshot(companies(1, 12)), { asOf: '2025-01-02' })
  const second = await ingest('mca-companies', snapshot(companies(1, 13)), { asOf: '2025-01-02' })
  expect((await post(first.run_id, 'discard', { reason: ' ' })).statusCode).toBe(400)
  expect((await post(first.run_id, 'discard', { reason: 'x'.repeat(501) })).statusCode).toBe(400)
  const by = expect.stringMatching(/^operator:/)
  const discarded = await post(first.run_id, 'discard', { reason: 'the file is cut off' })
  const dropped = { outcome: 'discarded', by, reason: 'the file is cut off', supersede: false }
  expect(discarded.json()).toMatchObject({ status: 'discarded', decision: dropped })
  expect((await post(first.run_id, 'approve')).json()).toMatchObject({ error_code: 'CONFLICT' })

  const corrected = await ingest('mca-companies', snapshot(companies(1, 61)), { asOf: '2025-01-02' })
  const refused = await post(second.run_id, 'approve')
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({ error_code: 'RUN_OVERTAKEN', runs: [corrected.run_id] })
  expect((await post(second.run_id, 'approve', { reason: '\0', supersede: true })).statusCode).toBe(400)
  const reason = 'the registrar struck them off'
  const approved = await post(second.run_id, 'approve', { reason, supersede: true })
  const decision = { outcome: 'approved', by, reason, supersede: true }
  expect(approved.json()).toMatchObject({ run_id: second.run_id, status: 'queued', decision })
  expect(await runSnapshot(dependencies(), second.run_id)).toMatchObject({ status: 'succeeded', closed: 48, decision })

  const [discarding, approving] = [String(first.run_id), String(second.run_id)]
  expect(await actsOn(first.run_id, second.run_id)).toEqual([
    { actor: by, action: 'discard run', subject: discarding, detail: { reason: 'the file is cut off' } },
    { actor: by, action: 'approve run', subject: approving, detail: { reason, supersede: true } },
  ])
})

test('an operator undoes an applied run and may give a reason', async () => {
  await ingest('mca-directors', file('directors.csv', 'DIN,Status,Name\n00000001,Approved,Asha Kamat\n'), {
    asOf: '2025-01-01',
  })
  const wrong = await ingest('mca-directors', file('more.csv', 'DIN,Status,Name\n00000002,Approved,Ravi Naik\n'), {
    asOf: '2025-01-02',
    mode: 'delta',
  })
  expect((await post(wrong.run_id, 'undo', { reason: ' ' })).statusCode).toBe(400)
  expect((await post(wrong.run_id, 'undo', { reason: 'wrong', runs: [] })).statusCode).toBe(400)
  const reply = await post(wrong.run_id, 'undo', { reason: 'typed by mistake' })
  expect(reply.statusCode).toBe(202)
  const run = reply.json()
  const undo = { run_id: wrong.run_id, through: false, reason: 'typed by mistake' }
  expect(run).toMatchObject({ status: 'queued', undo, requested_by: expect.stringMatching(/^operator:/) })
  await runSnapshot(dependencies(), run.run_id)
  expect((await api.get(`/admin/ingest/runs/${wrong.run_id}`, operatorToken)).json()).toMatchObject({
    undone_by: run.run_id,
  })
  expect(await database.db.query('SELECT din FROM registry.director')).toEqual([{ din: '00000001' }])
  const detail = { through: false, reason: 'typed by mistake', undo_run_id: run.run_id }
  expect(await actsOn(wrong.run_id)).toMatchObject([{ action: 'undo run', detail }])
})

test('a run can be undone without a reason, and then says that none was given', async () => {
  const run = await ingest('mca-directors', file('one.csv', 'DIN,Status,Name\n00000003,Approved,Mira Rao\n'), {
    asOf: '2025-01-03',
    mode: 'delta',
  })
  const reply = await post(run.run_id, 'undo')
  expect(reply.statusCode).toBe(202)
  const undo = { run_id: run.run_id, through: false, reason: 'no reason was given' }
  expect(reply.json()).toMatchObject({ status: 'queued', undo })
  await runSnapshot(dependencies(), reply.json().run_id)
})

test('a run that waits shows what it would write, and is cancelled by an operator; one at work is cancelled by a worker', async () => {
  await ingest('mca-directors', file('all.csv', directors(60)), { asOf: '2025-02-01' })
  const waiting = await ingest('mca-directors', file('short.csv', directors(12)), { asOf: '2025-02-02' })
  const shown = await api.get(`/admin/ingest/runs/${waiting.run_id}/preview`, operatorToken)
  expect(shown.json()).toMatchObject({ run_id: waiting.run_id, closed: 48, reasons: [expect.stringContaining('48')] })
  expect((await post(waiting.run_id, 'cancel')).json()).toMatchObject({ status: 'cancelled' })
  expect((await post(waiting.run_id, 'cancel')).statusCode).toBe(409)
  expect((await api.get(`/admin/ingest/runs/${waiting.run_id}/preview`, operatorToken)).statusCode).toBe(404)

  let answered: string | undefined
  const reached = async (point: string) => {
    if (point !== 'merge-written') return
    const [open] = await database.db.query<{ run_id: number }>('SELECT max(run_id) AS run_id FROM ingest.run')
    const runId = open?.run_id ?? 0
    answered = (await post(runId, 'cancel')).json().status
    expect(api.queue.sent.at(-1)).toEqual({
      queue: 'cancel-run',
      payload: { runId, by: expect.stringMatching(/^operator:/) },
    })
    await finishCancelling(database.as('panji_worker'), runId, 'operator:test')
  }
  const stopped = await ingest('mca-directors', file('61.csv', directors(61)), {
    asOf: '2025-02-02',
    deps: { reached },
  })
  expect(answered).toBe('merging')
  expect(stopped).toMatchObject({ status: 'cancelled' })
  const cancelled = [waiting, stopped].map(({ run_id }) => ({ action: 'cancel run', subject: String(run_id) }))
  expect(await actsOn(waiting.run_id, stopped.run_id)).toMatchObject(cancelled)
})

test('what the operator misspells is refused, and what is no run is not found', async () => {
  expect((await post(1, 'approve', { superseed: true })).statusCode).toBe(400)
  expect((await post(999_999, 'approve')).statusCode).toBe(404)
  expect((await post(999_999, 'discard')).statusCode).toBe(404)
})
