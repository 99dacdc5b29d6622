/** One push after the other, each run by hand: what the reconciler does with every answer of a CRM. */
import { beforeEach, describe, expect, test } from 'vitest'
import { salesforce } from '../../../connectors/salesforce/connector.ts'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import type { RunningSandboxes } from '../../../sandboxes/server.ts'
import type { DeliveryParts } from '../../../src/deliver/destinations/open-destination.ts'
import { takeLease } from '../../../src/deliver/lease/lease.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { readPush } from '../../../src/deliver/push/read-push.ts'
import { claimLeads, recordOutcomes } from '../../../src/deliver/record/ledger.ts'
import { companyLead, gstLead } from '../../conformance/sample-leads.ts'
import { salesforceSubject } from '../../conformance/subjects.ts'
import { insertOrder } from './paid-order.ts'
import { three, usePushes, writeCall, zero } from './pushes-by-hand.ts'

const org = usePushes()
const { database, addOrg, request, run, countsOf, push, upserts } = org
let accountId: string
let parts: DeliveryParts
let sandbox: Sandbox
let server: RunningSandboxes
beforeEach(() => {
  ;({ accountId, parts, sandbox, server } = org)
})

const endWaits = async () => {
  await database.db.execute('UPDATE deliver.limiter SET blocked_until = now()')
  await database.db.execute('UPDATE deliver.destination SET retry_at = NULL')
  await database.db.execute('UPDATE deliver.record SET next_attempt_at = NULL')
}
const ledger = (orderId: string) =>
  database.db.query<{ state: string; external_id: string; crm_id: string | null; last_error: unknown }>(
    'SELECT * FROM deliver.delivery WHERE order_id = $1 ORDER BY external_id',
    [orderId],
  )
const attempts = async (destinationId: string) =>
  (
    await database.db.query<{ attempts: number }>('SELECT attempts FROM deliver.record WHERE destination_id = $1', [
      destinationId,
    ])
  ).map((row) => row.attempts)

test('the leads of a paid order lie in the CRM once each, acknowledged row by row', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg()
  expect(await push(orderId, destination)).toEqual({ ...zero, order_id: orderId, destination, created: 3 })
  const rows = await ledger(orderId)
  expect(rows.map(({ state }) => state)).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
  expect(rows.map(({ crm_id }) => crm_id).sort()).toEqual(
    sandbox
      .records()
      .map(({ id }) => id)
      .sort(),
  )
})

test('pushing again writes nothing and calls nobody', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg()
  await push(orderId, destination)
  const callsBefore = sandbox.calls().length
  expect(await push(orderId, destination)).toEqual({ ...zero, order_id: orderId, destination, unchanged: 3 })
  expect(sandbox.calls()).toHaveLength(callsBefore)
})

test('a wake-up that comes again after all is delivered calls nobody, and the counts stay', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg()
  const pushId = await request(orderId, destination)
  await run(destination)
  const first = await countsOf(pushId)
  const callsBefore = sandbox.calls().length
  await run(destination)
  expect(await countsOf(pushId)).toEqual(first)
  expect(sandbox.calls()).toHaveLength(callsBefore)
})

test('an order larger than a batch goes out in batches, and bad leads become readable rejects', async () => {
  const leads = Array.from({ length: 450 }, (_, n) => gstLead(n, n % 100 === 50 ? { Email: 'no-address' } : {}))
  const orderId = await insertOrder(database.db, accountId, leads)
  const counts = await push(orderId, await addOrg())
  expect(counts).toMatchObject({ ...zero, created: 446, rejected: 4 })
  // Leads that the org's field list forbids are not sent.
  // Those behind the first go out at once, and arrive in any order.
  const sizes = upserts().map(({ body }) => (body as { records: unknown[] }).records.length)
  expect(sizes.sort((a, b) => b - a)).toEqual([198, 198, 50])
  const rejected = (await ledger(orderId)).filter(({ state }) => state === 'rejected')
  expect(rejected[0]?.last_error).toEqual({
    code: 'INVALID_EMAIL_ADDRESS',
    field: 'Email',
    message: 'Email: invalid email address: no-address',
  })
})

test('a new push tries rejects again and leaves the accepted ones alone', async () => {
  const orderId = await insertOrder(database.db, accountId, [gstLead(1), gstLead(2, { Email: 'no-address' })])
  const destination = await addOrg()
  expect(await push(orderId, destination)).toMatchObject({ created: 1, rejected: 1 })
  await database.db.execute(
    `UPDATE orders.lead SET flat = flat || '{"Email": "fixed@example.com"}' WHERE order_id = $1 AND position = 1`,
    [orderId],
  )
  expect(await push(orderId, destination)).toMatchObject({ ...zero, created: 1, unchanged: 1 })
  expect(sandbox.records()).toHaveLength(2)
})

test('when the connection dies after the CRM has written, the push settles it by asking and counts it as created', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg()
  sandbox.addFault({ kind: 'reset_after_commit', match: writeCall, times: 1 })
  expect(await push(orderId, destination)).toMatchObject({ ...zero, created: 3 })
  expect(sandbox.records()).toHaveLength(3)
  expect(upserts()).toHaveLength(1)
})

test('a lead that the reply omits is asked for, not assumed', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  sandbox.addFault({ kind: 'omit_rows', match: writeCall, times: 1 })
  expect(await push(orderId, await addOrg())).toMatchObject({ ...zero, created: 3 })
  expect(upserts()).toHaveLength(1)
})

test('a worker that dies between the CRM’s commit and ours leaves no second record', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg()
  const pushId = await request(orderId, destination)
  // What a killed worker leaves: rows in `sending`, the CRM written, nothing recorded, the lease held.
  const session = salesforce.open(salesforce.readSettings(server.settings('salesforce')), {
    gate: openGate,
    signal: new AbortController().signal,
  })
  await session.setup()
  const dead = await takeLease(database.db, destination)
  if (!dead) throw new Error('the destination is new')
  const leads = await claimLeads(database.db, dead, 200)
  const outcomes = await session.push(leads)

  expect(await run(destination), 'while it may live, nobody else writes').toMatchObject({ held: true, touched: 0 })
  await database.db.execute('UPDATE deliver.destination SET leased_until = now()')
  await run(destination)
  expect(await countsOf(pushId)).toMatchObject({ ...zero, created: 3 })
  expect(sandbox.records()).toHaveLength(3)
  expect(upserts()).toHaveLength(1)
  // The dead worker wakes up late: its fence is broken, so it changes nothing.
  const before = await ledger(orderId)
  await expect(recordOutcomes(database.db, dead, leads, outcomes)).rejects.toMatchObject({ code: 'LEASE_LOST' })
  expect(await claimLeads(database.db, dead, 200)).toEqual([])
  expect(await ledger(orderId)).toEqual(before)
})

test('when the CRM limits calls, the push waits for it and no lead loses a try', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg()
  const pushId = await request(orderId, destination)
  sandbox.addFault({ kind: 'rate_limit', match: writeCall, times: 1 })
  expect(await run(destination)).toMatchObject({ failure: { code: 'CRM_UNAVAILABLE' } })
  expect(await readPush(database.db, pushId)).toMatchObject({ status: 'running', counts: { ...zero, pending: 3 } })
  const callsBefore = sandbox.calls().length
  expect(await run(destination)).toMatchObject({ failure: { code: 'CRM_UNAVAILABLE' } })
  expect(sandbox.calls(), 'the limit holds for every worker').toHaveLength(callsBefore)
  expect(await attempts(destination)).toEqual([0, 0, 0])
  await endWaits()
  await run(destination)
  expect(await readPush(database.db, pushId)).toMatchObject({
    status: 'finished',
    counts: { ...zero, created: 3 },
    failure: null,
  })
})

test('a lead that the CRM puts off stays pending, is recorded with its reason, and is sent by a later run', async () => {
  const orderId = await insertOrder(database.db, accountId, [gstLead(1)])
  const destination = await addOrg()
  const pushId = await request(orderId, destination)
  const locked = { statusCode: 'UNABLE_TO_LOCK_ROW', message: 'unable to obtain exclusive access', fields: [] }
  const body = [{ success: false, errors: [locked] }]
  sandbox.addFault({ kind: 'status', status: 200, body, match: writeCall, times: 1 })
  expect(await run(destination)).toMatchObject({ touched: 1, failure: null })
  expect(await ledger(orderId)).toMatchObject([{ state: 'pending', last_error: { code: 'UNABLE_TO_LOCK_ROW' } }])
  expect(await run(destination), 'its time has not come').toMatchObject({ touched: 0 })
  await endWaits()
  await run(destination)
  expect(await countsOf(pushId)).toMatchObject({ ...zero, created: 1 })
})

test('however often the CRM puts a lead off, it is never given up', async () => {
  const orderId = await insertOrder(database.db, accountId, [gstLead(1), gstLead(2)])
  const destination = await addOrg()
  const pushId = await request(orderId, destination)
  const locked = { statusCode: 'UNABLE_TO_LOCK_ROW', message: 'unable to obtain exclusive access', fields: [] }
  const refused = { success: false, errors: [locked] }
  sandbox.addFault({ kind: 'status', status: 200, body: [refused, refused], match: writeCall, times: 7 })
  sandbox.addFault({ kind: 'status', status: 200, body: [refused], match: writeCall, times: 8 })
  for (let n = 0; n < 15; n += 1) {
    await endWaits()
    await run(destination)
  }
  await endWaits()
  await run(destination)
  expect(await countsOf(pushId)).toMatchObject({ ...zero, created: 2 })
})

test('a rep’s edit survives the next push of the same record', async () => {
  const destination = await addOrg()
  await push(await insertOrder(database.db, accountId, [companyLead(1)]), destination)
  const edit = { Phone: '+910000000001', attributes: { type: 'Lead' }, Panji_Id__c: companyLead(1).externalId }
  await asRep(edit)
  const again = companyLead(1, { Phone: '+919999999999', City: 'Vasco da Gama' })
  const counts = await push(await insertOrder(database.db, accountId, [again]), destination)
  expect(counts).toMatchObject({ ...zero, updated: 1 })
  expect(sandbox.records()[0]?.properties).toMatchObject({ Phone: '+910000000001', City: 'Vasco da Gama' })
})

describe('a plan', () => {
  test('says what the push then does, and writes nothing', async () => {
    const leads = [gstLead(1), gstLead(2), gstLead(3, { Email: 'no-address' })]
    const orderId = await insertOrder(database.db, accountId, leads)
    const destinationId = await addOrg()
    const plan = await planPush(parts, { orderId, destinationId }, new AbortController().signal)
    expect(plan.counts).toEqual({ create: 2, update: 0, adopt: 0, unchanged: 0, conflict: 0, reject: 1 })
    expect(plan.rows[2]).toMatchObject({
      record: gstLead(3).externalId,
      action: 'reject',
      reason: expect.stringContaining('INVALID_EMAIL'),
    })
    expect(sandbox.records()).toEqual([])
    const others = sandbox.calls().filter((call) => !call.path.endsWith('/oauth2/token'))
    expect(others.filter((call) => call.method !== 'GET' && !salesforceSubject.isRead(call))).toEqual([])
    expect(await ledger(orderId)).toEqual([])
    expect(await push(orderId, destinationId)).toMatchObject({ ...zero, created: 2, rejected: 1 })
    const after = await planPush(parts, { orderId, destinationId }, new AbortController().signal)
    expect(after.counts).toMatchObject({ unchanged: 2, reject: 1 })
  })
})

const openGate = { take: async () => {}, observe: () => {} }

/** An edit in the CRM itself, by the same wire. */
async function asRep(record: object): Promise<void> {
  const base = server.baseUrl('salesforce')
  const { client_id: clientId, client_secret: clientSecret } = server.settings('salesforce')
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: String(clientId),
    client_secret: String(clientSecret),
  })
  const token = (await (await fetch(`${base}/services/oauth2/token`, { method: 'POST', body: form })).json()) as {
    access_token: string
  }
  const reply = await fetch(`${base}/services/data/v66.0/composite/sobjects/Lead/Panji_Id__c`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ allOrNone: false, records: [record] }),
  })
  expect(await reply.json()).toMatchObject([{ success: true, created: false }])
}
