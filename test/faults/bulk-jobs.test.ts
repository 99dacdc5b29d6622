/**
 * Leads that go into Salesforce as a bulk job, while their holder dies between any two steps of it. A holder that hangs in a call
 * is taken for dead: the next one finds what a killed process leaves. When the hanging call ends at last, the first holder is
 * the late one, and changes nothing.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OutgoingLead } from '../../connectors/contract.ts'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import type { Sandbox, SandboxFault } from '../../sandboxes/contract.ts'
import { createSalesforceSandbox, type SalesforceSandboxOptions } from '../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { addSuppressions } from '../../src/access/suppressions.ts'
import { addDestination, pauseDestination, resumeDestination } from '../../src/deliver/destinations/destinations.ts'
import { saveMapping } from '../../src/deliver/mapping/change-mapping.ts'
import { planPush } from '../../src/deliver/plan/plan-push.ts'
import { readPush } from '../../src/deliver/push/read-push.ts'
import { reconcile } from '../../src/deliver/push/reconcile.ts'
import { requestPush } from '../../src/deliver/push/request-push.ts'
import { recallLeads } from '../../src/deliver/recall/recall-leads.ts'
import { readObjection } from '../../src/domain/objection.ts'
import { Secret } from '../../src/domain/secret.ts'
import { type QueueHandle, startQueue } from '../../src/queue/queue.ts'
import { directorLead, gstLead } from '../conformance/sample-leads.ts'
import { insertAccount, insertOrder } from '../integration/deliver/paid-order.ts'
import { recordJobs } from '../support/api.ts'
import { asOperator, overHttp } from '../support/as-operator.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const secretKey = new Secret('secret-key-of-the-bulk-faults')
const leadCount = 24
const badCount = 2
const isBad = (n: number) => n % 12 === 5
/** An address that only the org itself refuses. */
const leads = (city: string): OutgoingLead[] =>
  Array.from({ length: leadCount }, (_, n) =>
    gstLead(n, { City: city, ...(isBad(n) ? { Email: `a"${n}@naik.example` } : {}) }),
  )
const counts = { created: 0, updated: 0, unchanged: 0, rejected: badCount, pending: 0, unknown: 0 }

let queue: QueueHandle
let sandbox: Sandbox
let server: RunningSandboxes
let accountId: string
let destinationId: string

beforeAll(async () => {
  const connectionString = database.url
  queue = await startQueue({ connectionString, role: 'panji_worker', supervise: false, onError: () => {} })
})
afterAll(async () => {
  await queue.stop()
})
const parts = () => ({ db: database.as('panji_worker'), connectors: [salesforce], secretKey })
const useOrg = async (options: SalesforceSandboxOptions = {}, over: object = { bulk_from: 1 }) => {
  await database.db.execute('DELETE FROM deliver.limiter')
  sandbox = createSalesforceSandbox(options)
  server = await startSandboxes([sandbox], { port: 0 })
  accountId = await insertAccount(database.db)
  const settings = { ...server.settings('salesforce'), ...over }
  const given = { accountId, connector: 'salesforce', name: 'Our org', settings }
  destinationId = (await addDestination(database.db, parts().connectors, secretKey, given)).destination_id
}
beforeEach(async () => {
  await useOrg()
})
afterEach(async () => {
  sandbox.reset()
  await server.close()
})

const asked = async (given: readonly OutgoingLead[]) => {
  const orderId = await insertOrder(database.db, accountId, given)
  const request = { orderId, destinationId }
  const { pushId } = await database.db.transaction((tx) => requestPush(tx, queue, request))
  return { orderId, pushId }
}
const run = () => reconcile(parts(), destinationId, new AbortController().signal)
const endWaits = async () => {
  await database.db.execute('UPDATE deliver.limiter SET blocked_until = NULL')
  await database.db.execute('UPDATE deliver.destination SET retry_at = NULL')
  await database.db.execute('UPDATE deliver.record SET next_attempt_at = NULL')
}
/** Holder after holder, until each lead has its answer. */
const runToTheEnd = async (pushId: string) => {
  for (let n = 0; n < 12; n += 1) {
    await endWaits()
    await run()
    const { counts: now } = await readPush(database.db, pushId)
    if (now.pending + now.unknown === 0) return
  }
}
const uploads = () => sandbox.calls().filter(({ method }) => method === 'PUT').length
const expectAllThere = async (pushId: string, orderId: string, city: string) => {
  const { counts: told } = await readPush(database.db, pushId)
  expect(told.created + told.updated + told.unchanged).toBe(leadCount - badCount)
  expect(told).toMatchObject({ rejected: badCount, pending: 0, unknown: 0 })
  const held = sandbox.records().filter(({ object }) => object === 'Lead')
  expect(held).toHaveLength(leadCount - badCount)
  const byKey = new Map(held.map(({ id, properties }) => [properties['Panji_Id__c'], { id, City: properties['City'] }]))
  const rows = await database.db.query<{
    external_id: string
    crm_id: string | null
    last_error: unknown
    state: string
  }>('SELECT external_id, crm_id, last_error, state FROM deliver.delivery WHERE order_id = $1', [orderId])
  for (const { external_id, crm_id, last_error, state } of rows) {
    if (state === 'rejected') expect(last_error).toMatchObject({ code: 'INVALID_EMAIL_ADDRESS', field: 'Email' })
    else expect(byKey.get(external_id)).toEqual({ id: crm_id, City: city })
  }
  expect(await database.db.query('SELECT * FROM deliver.job_under_way')).toEqual([])
}

const gaps: readonly (readonly [string, SandboxFault])[] = [
  ['while it reads', { kind: 'timeout', match: 'POST /services/data/v66.0/composite' }],
  ['before the job is opened', { kind: 'timeout', match: 'POST /services/data/v66.0/jobs/ingest' }],
  ['when the job is opened', { kind: 'timeout_after_commit', match: 'POST /services/data/v66.0/jobs/ingest' }],
  ['before the upload', { kind: 'timeout', match: 'PUT ' }],
  ['after the upload', { kind: 'timeout_after_commit', match: 'PUT ' }],
  ['before the job is closed', { kind: 'timeout', match: 'PATCH ' }],
  ['when the job is closed', { kind: 'timeout_after_commit', match: 'PATCH ' }],
  ['while the job waits', { kind: 'timeout', match: 'GET /services/data/v66.0/jobs/ingest' }],
  ['when the job is at its end', { kind: 'timeout', match: '/successfulResults' }],
  ['between the successes and the failures', { kind: 'timeout', match: '/failedResults' }],
  ['before the last file of results', { kind: 'timeout', match: '/unprocessedrecords' }],
]

describe('a holder that dies', () => {
  test.each(gaps)('%s leaves the job to the next one: one record per lead, each answered', async (_when, fault) => {
    const { orderId, pushId } = await asked(leads('Panaji'))
    sandbox.addFault({ ...fault, times: 1 })
    const first = run()
    await expect.poll(() => sandbox.calls().some(({ status }) => status === 0), { timeout: 60_000 }).toBe(true)
    await database.db.execute('UPDATE deliver.destination SET leased_to = NULL, leased_until = NULL')
    await runToTheEnd(pushId)
    await expectAllThere(pushId, orderId, 'Panaji')
    const writesBefore = uploads()
    sandbox.endFaults?.()
    await first
    await run()
    await expectAllThere(pushId, orderId, 'Panaji')
    expect(uploads()).toBe(writesBefore)
  })
})

test('a job that was closed is not uploaded again, whoever reads its results', async () => {
  const { orderId, pushId } = await asked(leads('Panaji'))
  sandbox.addFault({ kind: 'status', status: 502, match: '/successfulResults', times: 3 })
  await runToTheEnd(pushId)
  await expectAllThere(pushId, orderId, 'Panaji')
  expect((await readPush(database.db, pushId)).counts).toMatchObject({ ...counts, created: leadCount - badCount })
  expect(uploads()).toBe(1)
})

test.each([
  [404, 'NOT_FOUND'],
  [400, 'INVALIDJOBSTATE'],
])(
  'a job whose results the org does not tell any more (%i %s) holds up no lead: what it wrote is found there, and none is made twice',
  async (status, errorCode) => {
    const { orderId, pushId } = await asked(leads('Panaji'))
    const body = [{ errorCode, message: 'The results are gone' }]
    sandbox.addFault({ kind: 'status', status, body, match: 'Results|/unprocessedrecords', times: 40 })
    await runToTheEnd(pushId)
    await expectAllThere(pushId, orderId, 'Panaji')
  },
)

test('a job that fails half way loses no lead: what it left is sent again, and what it wrote is not', async () => {
  sandbox.reset()
  await server.close()
  await useOrg({ bulkFailsAfter: 7, bulkPageRows: 3 })
  const { orderId, pushId } = await asked(leads('Panaji'))
  await runToTheEnd(pushId)
  await expectAllThere(pushId, orderId, 'Panaji')
  expect((await readPush(database.db, pushId)).counts).toMatchObject({ created: leadCount - badCount })
})

test('a job that takes long holds no worker, is no failure, and is gone on with when its time has come', async () => {
  const { orderId, pushId } = await asked(leads('Panaji'))
  sandbox.addFault({ kind: 'status', status: 503, match: 'GET /services/data/v66.0/jobs/ingest', times: 1 })
  await run()
  await endWaits()
  await database.db.execute(`UPDATE deliver.job_under_way SET kept = kept || '{"since": 0}'`)
  expect(await run()).toEqual({ held: false, touched: 0, failure: null })
  const [destination] = await database.db.query<{ status: string; waits: boolean }>(
    `SELECT status, retry_at > clock_timestamp() AS waits FROM deliver.destination WHERE destination_id = $1`,
    [destinationId],
  )
  expect(destination).toEqual({ status: 'active', waits: true })
  await runToTheEnd(pushId)
  await expectAllThere(pushId, orderId, 'Panaji')
  expect(uploads()).toBe(1)
})

test('a newer order that comes while a job is under way arrives after it', async () => {
  const older = await asked(leads('Panaji'))
  sandbox.addFault({ kind: 'status', status: 503, match: 'GET /services/data/v66.0/jobs/ingest', times: 1 })
  await run()
  const [job] = await database.db.query<{ kept: unknown }>('SELECT kept FROM deliver.job_under_way')
  expect(job?.kept).toMatchObject({ job: expect.stringMatching(/^750/) })
  const newer = await asked(leads('Margao'))
  await runToTheEnd(newer.pushId)
  await expectAllThere(newer.pushId, newer.orderId, 'Margao')
  expect((await readPush(database.db, older.pushId)).counts).toMatchObject({ pending: 0, unknown: 0 })
})

test('a mapping that is saved while a job is under way applies to its rows after it, delivered and rejected ones alike', async () => {
  const { pushId } = await asked(leads('Panaji'))
  sandbox.addFault({ kind: 'status', status: 503, match: 'GET /services/data/v66.0/jobs/ingest', times: 1 })
  await run()
  const mapping = [{ field: 'Email', value: { constant: 'office@naik.example' }, ownership: 'always' }] as const
  const saved = { destinationId, mapping, resend: false, by: { name: 'test' } }
  await saveMapping({ ...parts(), db: database.db }, queue, saved, new AbortController().signal)
  await runToTheEnd(pushId)
  expect((await readPush(database.db, pushId)).counts).toMatchObject({ rejected: 0, pending: 0, unknown: 0 })
  const held = sandbox.records().filter(({ object }) => object === 'Lead')
  expect(held.map(({ properties }) => properties['Email'])).toEqual(
    Array.from({ length: leadCount }, () => 'office@naik.example'),
  )
})

test('a destination that is paused while a job is under way hears of it when it is resumed', async () => {
  const { orderId, pushId } = await asked(leads('Panaji'))
  sandbox.addFault({ kind: 'status', status: 503, match: 'GET /services/data/v66.0/jobs/ingest', times: 1 })
  await run()
  await pauseDestination(parts(), destinationId)
  await endWaits()
  const callsBefore = sandbox.calls().length
  await run()
  expect(sandbox.calls()).toHaveLength(callsBefore)
  await resumeDestination(parts(), destinationId)
  await runToTheEnd(pushId)
  await expectAllThere(pushId, orderId, 'Panaji')
  expect(uploads()).toBe(1)
})

test('somebody who objects while a job is under way is erased once the job has written the record', async () => {
  const person = directorLead(1)
  await asked([...leads('Panaji'), person])
  sandbox.addFault({ kind: 'status', status: 503, match: 'GET /services/data/v66.0/jobs/ingest', times: 1 })
  await run()
  const objections = [readObjection('din', String(person.row['DIN'])) ?? []].flat()
  await asOperator(() =>
    database.as('panji_api').transaction((tx) => addSuppressions(tx, recordJobs(), { objections, actor: overHttp })),
  )
  const recall = () => recallLeads(parts(), new AbortController().signal)
  await expect(recall()).rejects.toMatchObject({ code: 'CONFLICT', retry: { afterMs: 60_000 } })
  const held = () => sandbox.records().map(({ properties }) => properties['Panji_Id__c'])
  expect(held()).toContain(person.externalId)
  for (let n = 0; n < 3; n += 1) {
    await endWaits()
    await run()
  }
  await recall()
  expect(held()).toHaveLength(leadCount - badCount)
  expect(held()).not.toContain(person.externalId)
  await database.db.execute('DELETE FROM access.suppression')
})

test('an org that takes no jobs gets its leads in batches', async () => {
  const { orderId, pushId } = await asked(leads('Panaji'))
  const body = [{ errorCode: 'FEATURENOTENABLED', message: 'Bulk API is not enabled for this org' }]
  sandbox.addFault({ kind: 'status', status: 400, body, match: 'POST /services/data/v66.0/jobs/ingest', times: 99 })
  await runToTheEnd(pushId)
  await expectAllThere(pushId, orderId, 'Panaji')
  expect(uploads()).toBe(0)
})

test('a plan names the way that its leads would go, and what a job would cost', async () => {
  const { orderId } = await asked(leads('Panaji'))
  const { signal } = new AbortController()
  expect(await planPush(parts(), { orderId, destinationId }, signal)).toMatchObject({ route: 'job', calls: 13 })
  await server.close()
  await useOrg({}, {})
  const few = await asked(leads('Panaji'))
  const request = { orderId: few.orderId, destinationId }
  expect(await planPush(parts(), request, signal)).toMatchObject({ route: 'batches', calls: 2 })
})
