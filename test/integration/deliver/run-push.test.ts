/** One push after the other, each run by hand: what the reconciler does with every answer of a CRM. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { salesforce } from '../../../connectors/salesforce/connector.ts'
import { createSalesforceSandbox } from '../../../connectors/salesforce/sandbox/sandbox.ts'
import type { Sandbox } from '../../../connectors/sandbox-contract.ts'
import { type RunningSandboxes, startSandboxes } from '../../../connectors/sandbox-server.ts'
import { addDestination, pauseDestination, resumeDestination } from '../../../src/deliver/destinations.ts'
import { enrolPush, itemsAtOnce } from '../../../src/deliver/enrol.ts'
import { takeLease } from '../../../src/deliver/lease.ts'
import { claimLeads, recordOutcomes } from '../../../src/deliver/ledger/ledger.ts'
import type { DeliveryParts } from '../../../src/deliver/open-destination.ts'
import { planPush } from '../../../src/deliver/plan-push.ts'
import { type PushCounts, readPush } from '../../../src/deliver/read-push.ts'
import { reconcile } from '../../../src/deliver/reconcile.ts'
import { requestPush } from '../../../src/deliver/request-push.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const secretKey = new Secret('a key of sixteen characters or more')
const writeCall = ' /services/data/v66.0/composite/sobjects'
let queue: QueueHandle
let sandbox: Sandbox
let server: RunningSandboxes
let accountId: string
let parts: DeliveryParts

beforeAll(async () => {
  queue = await startQueue({
    connectionString: database.url,
    role: 'panji_worker',
    supervise: false,
    onError: () => {},
  })
})
afterAll(async () => {
  await queue.stop()
})
beforeEach(async () => {
  // Every sandbox is the same org to the limiter.
  await database.db.execute('DELETE FROM deliver.limiter')
  parts = { db: database.as('panji_worker'), connectors: [salesforce], secretKey }
  sandbox = createSalesforceSandbox()
  server = await startSandboxes([sandbox], { port: 0 })
  accountId = await insertAccount(database.db)
})
afterEach(async () => {
  await server.close()
})

const addOrg = async (over: object = {}, owner = accountId) => {
  const settings = { ...server.settings('salesforce'), ...over }
  const given = { accountId: owner, connector: 'salesforce', name: 'Our org', settings }
  return (await addDestination(database.db, parts.connectors, secretKey, given)).destination_id
}
const request = async (orderId: string, destinationId: string) =>
  (await database.db.transaction((tx) => requestPush(tx, queue, { orderId, destinationId }))).pushId
const run = (destinationId: string) => reconcile(parts, destinationId, new AbortController().signal)
const countsOf = async (pushId: string): Promise<PushCounts> => (await readPush(database.db, pushId)).counts
const push = async (orderId: string, destinationId: string) => {
  const pushId = await request(orderId, destinationId)
  await run(destinationId)
  return countsOf(pushId)
}
const endWaits = async () => {
  await database.db.execute('UPDATE deliver.limiter SET blocked_until = now()')
  await database.db.execute('UPDATE deliver.destination SET retry_at = NULL')
  await database.db.execute('UPDATE deliver.record SET next_attempt_at = NULL')
}
const upserts = () => sandbox.calls().filter(({ method, path }) => `${method} ${path}`.includes(writeCall))
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
const zero = { created: 0, updated: 0, unchanged: 0, rejected: 0, pending: 0, unknown: 0 }
const three = (): OutgoingLead[] => [gstLead(1), companyLead(1), directorLead(1)]

test('what comes while a holder is about to let go is delivered by that one, and waits for no alarm', async () => {
  const destinationId = await addOrg()
  await request(await insertOrder(database.db, accountId, [gstLead(1)]), destinationId)
  const second = await insertOrder(database.db, accountId, [gstLead(2)])
  let late: { readonly pushId: string; readonly report: Awaited<ReturnType<typeof run>> } | undefined
  const { db } = parts
  const interrupted: DeliveryParts = {
    ...parts,
    db: {
      ...db,
      async execute(sql, values) {
        if (!late && String(sql).includes('SET leased_to = NULL')) {
          late = { pushId: await request(second, destinationId), report: await run(destinationId) }
        }
        return db.execute(sql, values)
      },
    },
  }
  const report = await reconcile(interrupted, destinationId, new AbortController().signal)
  expect(late?.report, 'it is held').toMatchObject({ held: true, touched: 0 })
  expect(report).toEqual({ held: false, touched: 2, failure: null })
  expect(await countsOf(late?.pushId ?? '')).toMatchObject({ created: 1, pending: 0 })
})

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

test('an alarm that rings again after all is delivered calls nobody, and the counts stay', async () => {
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
    `UPDATE orders.lead SET flat = flat || '{"Email": "mended@example.com"}' WHERE order_id = $1 AND position = 1`,
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

test('refused credentials break the destination, so that no push hammers the sign-in', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg({ client_secret: 'wrong' })
  const pushId = await request(orderId, destination)
  expect(await run(destination)).toMatchObject({ failure: { code: 'CRM_UNAUTHORIZED' } })
  expect(await readPush(database.db, pushId)).toMatchObject({ held: true, failure: { code: 'CRM_UNAUTHORIZED' } })
  const [row] = await database.db.query<{ wait: number }>(
    `SELECT extract(epoch FROM retry_at - now())::float8 AS wait FROM deliver.destination WHERE destination_id = $1`,
    [destination],
  )
  expect(row?.wait).toBeGreaterThan(40)
})

test('a paused destination is sent nothing; what is asked for meanwhile waits for it', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg()
  await pauseDestination(parts, destination)
  const pushId = await request(orderId, destination)
  expect(await run(destination)).toMatchObject({ held: true })
  expect(await readPush(database.db, pushId)).toMatchObject({ held: true, failure: { code: 'CONFLICT' } })
  expect(sandbox.calls()).toEqual([])
  await resumeDestination(parts, destination)
  await run(destination)
  expect(await countsOf(pushId)).toMatchObject({ ...zero, created: 3 })
})

test('two workers never write into one destination at once', async () => {
  const destination = await addOrg()
  await request(await insertOrder(database.db, accountId, [gstLead(1)]), destination)
  await request(await insertOrder(database.db, accountId, [gstLead(1)]), destination)
  const reports = await Promise.all([run(destination), run(destination), run(destination)])
  expect(reports.filter(({ held }) => !held)).toHaveLength(1)
  expect(sandbox.records()).toHaveLength(1)
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

test('another account’s order, a foreign destination and an unpaid order are refused', async () => {
  const stranger = await insertAccount(database.db)
  const theirs = await insertOrder(database.db, stranger, three())
  const unpaid = await insertOrder(database.db, accountId, three(), 'pending')
  const destination = await addOrg()
  await expect(request(theirs, destination)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(request('no-order', destination)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(request(unpaid, destination)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('a suspended account’s pushes stop before the next call to the CRM, and no new one is taken', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg()
  const pushId = await request(orderId, destination)
  await database.db.execute('UPDATE access.account SET suspended_at = now() WHERE account_id = $1', [accountId])
  expect(await run(destination)).toMatchObject({ failure: { code: 'ACCOUNT_SUSPENDED' } })
  await expect(request(orderId, destination)).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' })
  expect(sandbox.calls()).toEqual([])
  await database.db.execute('UPDATE access.account SET suspended_at = NULL WHERE account_id = $1', [accountId])
  await run(destination)
  expect(await countsOf(pushId)).toMatchObject({ ...zero, created: 3 })
})

test('one customer’s limits slow down nobody who merely names the same remote account', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg({ client_secret: 'wrong' })
  const stranger = await insertAccount(database.db)
  const theirs = await insertOrder(database.db, stranger, three())
  const theirDestination = await addOrg({}, stranger)
  await request(orderId, destination)
  await run(destination)
  await database.db.execute(`UPDATE deliver.limiter SET blocked_until = now() + interval '1 hour'`)
  expect(await push(theirs, theirDestination)).toMatchObject({ ...zero, unchanged: 0, created: 3 })
})

test('two destinations that the CRM says lead into one account share its limits', async () => {
  const [one, two] = [await addOrg(), await addOrg({}, await insertAccount(database.db))]
  await push(await insertOrder(database.db, accountId, three()), one)
  await run(two)
  const keys = await database.db.query(
    `SELECT FROM deliver.limiter WHERE remote_account = 'salesforce:00D000000000001'`,
  )
  expect(keys.length).toBeLessThanOrEqual(1)
})

test('leads that are still being built are waited for', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg()
  await database.db.execute(`CREATE TABLE built AS SELECT * FROM orders.lead WHERE order_id = '${orderId}'`)
  await database.db.execute('DELETE FROM orders.lead WHERE order_id = $1 AND position = 2', [orderId])
  const pushId = await request(orderId, destination)
  await run(destination)
  // A race of our own is named as one, not as the CRM's fault.
  expect(await readPush(database.db, pushId)).toMatchObject({
    status: 'queued',
    counts: { ...zero, pending: 3 },
    failure: { code: 'LEADS_NOT_READY' },
  })
  expect(sandbox.records()).toEqual([])
  await database.db.execute('INSERT INTO orders.lead SELECT * FROM built WHERE position = 2')
  await run(destination)
  expect(await countsOf(pushId)).toMatchObject({ ...zero, created: 3 })
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
    expect(sandbox.calls().every(({ method, path }) => method === 'GET' || path.endsWith('/oauth2/token'))).toBe(true)
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

describe('an order that is enrolled in parts', () => {
  const enrolledOf = async (destinationId: string) =>
    (await database.db.query('SELECT FROM deliver.record WHERE destination_id = $1', [destinationId])).length
  const deliveredTold = () =>
    database.db.query<{ data: { created: number } }>(
      `SELECT data FROM deliver.event WHERE account_id = $1 AND type = 'order.delivered'`,
      [accountId],
    )
  beforeEach(async () => {
    await database.db.execute(
      `INSERT INTO deliver.webhook (webhook_id, account_id, url, events, secret_encrypted)
       VALUES (gen_random_uuid(), $1, 'https://hears.example', '{order.delivered}', '')`,
      [accountId],
    )
  })

  test('is delivered once its last part is, and who comes next goes on behind the part that is there', async () => {
    const destinationId = await addOrg()
    const orderId = await insertOrder(
      database.db,
      accountId,
      [0, 1, 2, 3, 4].map((n) => gstLead(n)),
    )
    const dueIn = (time: string) =>
      database.db.execute(`UPDATE deliver.push SET due_at = now() + $2::interval WHERE order_id = $1`, [orderId, time])
    const [{ pushId } = { pushId: '' }] = await database.db.query<{ pushId: string }>(
      `INSERT INTO deliver.push (destination_id, order_id, status) VALUES ($1, $2, 'queued') RETURNING push_id AS "pushId"`,
      [destinationId, orderId],
    )
    await database.db.transaction((tx) => enrolPush(tx, { pushId, orderId, destinationId }, 2))
    // So that nobody goes on with it for now.
    await dueIn('1 hour')
    await run(destinationId)
    expect(await readPush(database.db, pushId)).toMatchObject({ status: 'running', counts: { created: 2, pending: 3 } })
    expect(await deliveredTold()).toEqual([])

    await dueIn('0')
    await run(destinationId)
    expect(await readPush(database.db, pushId)).toMatchObject({
      status: 'finished',
      counts: { created: 5, pending: 0 },
    })
    expect(await deliveredTold()).toMatchObject([{ data: { created: 5 } }])
    expect(upserts().flatMap(({ body }) => (body as { records: unknown[] }).records)).toHaveLength(5)
  })

  test('leaves before all of it is enrolled; where the parts of two orders mix, the newer reading of each lead wins', async () => {
    const destinationId = await addOrg({ bulk_from: 'off' })
    const count = itemsAtOnce + 200
    // Set-up holds the account, as enrolling does, so it comes before.
    await push(await insertOrder(database.db, accountId, [gstLead(count)]), destinationId)
    const leads = (city: string) => Array.from({ length: count }, (_, n) => gstLead(n, { City: city }))
    const older = await insertOrder(database.db, accountId, leads('Margao'))
    const newer = await insertOrder(database.db, accountId, leads('Panaji'))
    const [, olderPush] = [await request(newer, destinationId), await request(older, destinationId)]
    // The rest of the newer order cannot be enrolled while this is held.
    const delivered = await database.db.transaction(async (tx) => {
      await tx.query('SELECT FROM deliver.push WHERE order_id = $1 FOR UPDATE', [newer])
      const running = run(destinationId)
      await vi.waitFor(() => expect(sandbox.records()).toHaveLength(1 + 200), { timeout: 30_000, interval: 20 })
      expect(await enrolledOf(destinationId)).toBe(1 + itemsAtOnce)
      return { running }
    })
    await delivered.running
    expect(await enrolledOf(destinationId)).toBe(1 + count)
    expect(sandbox.records()).toHaveLength(1 + count)
    expect(sandbox.records().filter(({ properties }) => properties['City'] === 'Panaji')).toHaveLength(count)
    expect(await countsOf(olderPush)).toMatchObject({ unchanged: count, pending: 0 })
    expect(await deliveredTold()).toHaveLength(1 + 2)
  })
})
