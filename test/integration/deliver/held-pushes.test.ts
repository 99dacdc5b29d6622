/**
 * What holds a push back, and whom it does not: another holder, a pause, credentials that are refused, a suspended account, limits,
 * leads that are not built yet. What nobody may ask for is refused at once.
 */
import { beforeEach, expect, test } from 'vitest'
import type { Connector, OutgoingLead } from '../../../connectors/contract.ts'
import { salesforce } from '../../../connectors/salesforce/connector.ts'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { pauseDestination, resumeDestination } from '../../../src/deliver/destinations/destinations.ts'
import type { DeliveryParts } from '../../../src/deliver/destinations/open-destination.ts'
import { readPush } from '../../../src/deliver/push/read-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { listDeliveries } from '../../../src/deliver/record/list-deliveries.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { insertAccount, insertOrder } from './paid-order.ts'
import { three, usePushes, zero } from './pushes-by-hand.ts'

const org = usePushes()
const { database, addOrg, request, run, countsOf, push, upserts } = org
const { signal } = new AbortController()
let accountId: string

/** Salesforce, but for what happens between a claim and its push. */
const connectorThat = (meanwhile: (leads: readonly OutgoingLead[]) => Promise<void>): Connector => ({
  ...salesforce,
  open(settings, options) {
    const session = salesforce.open(settings, options)
    const { push: real } = session
    return Object.assign(session, {
      push: async (leads: readonly OutgoingLead[]) => {
        await meanwhile(leads)
        return real.call(session, leads)
      },
    })
  },
})
let parts: DeliveryParts
let sandbox: Sandbox
beforeEach(() => {
  ;({ accountId, parts, sandbox } = org)
})

test('what comes while a holder is about to let go is delivered by that one, and waits for no wake-up', async () => {
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

test('a paused destination is sent nothing; requested deliveries wait for it', async () => {
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
  const others: Awaited<ReturnType<typeof run>>[] = []
  const whileItWrites = connectorThat(async () => {
    others.push(...(await Promise.all([run(destination), run(destination)])))
  })
  const report = await reconcile({ ...parts, connectors: [whileItWrites] }, destination, signal)
  expect(others.length, 'another came while it wrote').toBeGreaterThan(0)
  for (const other of others) expect(other).toMatchObject({ held: true, touched: 0 })
  expect(report).toMatchObject({ held: false, failure: null })
  expect(sandbox.records()).toHaveLength(1)
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

test('what was claimed for an account that is suspended then is not sent, and goes once the account is open again', async () => {
  const orderId = await insertOrder(database.db, accountId, three())
  const destination = await addOrg()
  expect(await push(await insertOrder(database.db, accountId, [gstLead(9)]), destination)).toMatchObject({ created: 1 })
  const pushId = await request(orderId, destination)
  const become = (state: string) =>
    database.db.execute(`UPDATE access.account SET suspended_at = ${state} WHERE account_id = $1`, [accountId])
  const suspendWhenClaimed = connectorThat(async (leads) => {
    const [claimed] = await database.db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM deliver.record WHERE destination_id = $1 AND state = 'sending'`,
      [destination],
    )
    expect(claimed).toEqual({ count: leads.length })
    await become('now()')
  })
  const before = sandbox.records()
  const calls = upserts().length
  const report = await reconcile({ ...parts, connectors: [suspendWhenClaimed] }, destination, signal)
  expect(report).toMatchObject({ failure: { code: 'ACCOUNT_SUSPENDED' } })
  expect(sandbox.records()).toEqual(before)
  expect(upserts()).toHaveLength(calls)
  expect(await countsOf(pushId)).toMatchObject({ ...zero, pending: 3 })
  await become('NULL')
  await run(destination)
  expect(await countsOf(pushId)).toMatchObject({ ...zero, created: 3 })
})

test('what waits says why, and when it is tried again; what was delivered says nothing of it', async () => {
  const destination = await addOrg()
  const done = await insertOrder(database.db, accountId, [gstLead(9)])
  await push(done, destination)
  const orderId = await insertOrder(database.db, accountId, three())
  await request(orderId, destination)
  const told = async (id = orderId) =>
    (await listDeliveries(database.db, { orderId: id, limit: 10, offset: 0 })).deliveries.map((each) => [
      each.outcome,
      each.code,
      each.next_attempt_at,
    ])
  sandbox.addFault({ kind: 'status', status: 503, times: 1, match: '/composite' })
  await run(destination)
  const [row] = await database.db.query<{ at: Date }>(
    'SELECT retry_at AS at FROM deliver.destination WHERE destination_id = $1',
    [destination],
  )
  expect(await told()).toEqual(Array.from({ length: 3 }, () => ['pending', 'CRM_UNAVAILABLE', row?.at]))
  expect(await told(done)).toEqual([['created', null, null]])
  await pauseDestination(parts, destination)
  expect(await told()).toEqual(Array.from({ length: 3 }, () => ['pending', 'CONFLICT', null]))
  await resumeDestination(parts, destination)
  expect(await told()).toEqual(Array.from({ length: 3 }, () => ['pending', null, null]))
  await database.db.execute('UPDATE access.account SET suspended_at = now() WHERE account_id = $1', [accountId])
  expect(await told()).toEqual(Array.from({ length: 3 }, () => ['pending', 'ACCOUNT_SUSPENDED', null]))
  await database.db.execute('UPDATE access.account SET suspended_at = NULL WHERE account_id = $1', [accountId])
  await run(destination)
  expect(await told()).toEqual(Array.from({ length: 3 }, () => ['created', null, null]))
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
