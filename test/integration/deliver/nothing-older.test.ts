/** Each of these lost leads, or newer values, in an earlier version. */
import { expect, test, vi } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { pauseDestination, resumeDestination } from '../../../src/deliver/destinations/destinations.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const upsert = 'PATCH /services/data/v66.0/composite/sobjects/Lead'
const three = (): OutgoingLead[] => [gstLead(1), companyLead(1), directorLead(1)]
const db = () => world.database.db
const destinationOf = async (destinationId: string) =>
  (
    await db().query<{ status: string; reason: string | null }>(
      'SELECT status, status_reason AS reason FROM deliver.destination WHERE destination_id = $1',
      [destinationId],
    )
  )[0]
const held = (crm: string) =>
  world
    .box(crm)
    .records()
    .filter(({ object }) => object !== 'Contact')
const allDelivered = (orderId: string, count: number) => async () =>
  expect(await world.counts(orderId)).toEqual({ acknowledged: count, rejected: 0, open: 0 })

const unconfirmedOf = (destinationId: string) =>
  db().query('SELECT FROM deliver.record WHERE destination_id = $1 AND unconfirmed IS NOT NULL', [destinationId])
/** What the worker left of a record without an answer: written down as unconfirmed, or still as being sent. */
const leftOf = (destinationId: string) =>
  db().query<{ left: string }>(
    `SELECT CASE WHEN unconfirmed IS NOT NULL THEN 'unanswered' WHEN state = 'sending' THEN 'unanswered' ELSE state END AS left
     FROM deliver.record WHERE destination_id = $1 ORDER BY external_id`,
    [destinationId],
  )
/** So much time has gone by that the CRM works off no call any more whose caller has left. */
const endLateWrites = (destinationId: string) =>
  db().execute(
    `UPDATE deliver.record SET acknowledged_at = acknowledged_at - interval '5 minutes' WHERE destination_id = $1`,
    [destinationId],
  )

test('a CRM that is away for long breaks its destination with the reason, is probed, and gets every lead once it is back', async () => {
  const destination = await world.addDestination('salesforce')
  const orderId = await world.order(three())
  const sandbox = world.box('salesforce')
  sandbox.addFault({ kind: 'status', status: 503, times: 12 })
  await world.push(orderId, destination)
  await world.until(async () =>
    expect(await destinationOf(destination)).toEqual({ status: 'broken', reason: expect.stringContaining('503') }),
  )
  expect(held('salesforce')).toEqual([])
  await world.until(allDelivered(orderId, 3))
  expect(held('salesforce')).toHaveLength(3)
  // The answer is recorded first, and closes the breaker then.
  await world.until(async () => expect(await destinationOf(destination)).toEqual({ status: 'active', reason: null }))
})

test('a destination that was paused in the midst of a push continues automatically when it is resumed', async () => {
  const destination = await world.addDestination('salesforce')
  const orderId = await world.order(Array.from({ length: 500 }, (_, n) => gstLead(n)))
  world.box('salesforce').addFault({ kind: 'timeout_after_commit', match: upsert, times: 1 })
  await world.push(orderId, destination)
  await world.until(() => expect(held('salesforce').length).toBeGreaterThanOrEqual(200))
  await pauseDestination(world.parts(), destination)
  await world.stopWorker()
  await world.startWorker()
  const before = held('salesforce').length
  await world.endWaits()
  await resumeDestination(world.parts(), destination)
  await world.until(allDelivered(orderId, 500))
  expect(before).toBeLessThan(500)
  expect(held('salesforce')).toHaveLength(500)
})

test('leads that a long line of workers died over are delivered by the next one', async () => {
  const destination = await world.addDestination('salesforce')
  const orderId = await world.order(three())
  // What a dead worker leaves in the queue, with every attempt used up.
  await world.stopWorker()
  await world.push(orderId, destination)
  await db().execute(
    `UPDATE pgboss.job SET state = 'failed', retry_count = 9, completed_on = now() WHERE name IN ('push-leads', 'deliver-leads')`,
  )
  await world.startWorker()
  await world.until(allDelivered(orderId, 3))
  expect(held('salesforce')).toHaveLength(3)
})

test.each(['salesforce', 'hubspot'])(
  'in %s an older order that is pushed late never lowers what a newer one delivered',
  async (crm) => {
    const destination = await world.addDestination(crm)
    const older = await world.order([gstLead(1, { City: 'Margao' })])
    const newer = await world.order([gstLead(1, { City: 'Vasco da Gama' })])
    await world.push(newer, destination)
    await world.until(allDelivered(newer, 1))
    await world.push(older, destination)
    await world.until(allDelivered(older, 1))
    expect(JSON.stringify(held(crm))).toContain('Vasco da Gama')
    expect(JSON.stringify(held(crm))).not.toContain('Margao')
  },
)

test('a revoked credential is renewed on the same destination, whose leads go on by themselves', async () => {
  const { updateDestination } = await import('../../../src/deliver/destinations/destinations.ts')
  const destination = await world.addDestination('salesforce', { client_secret: 'revoked' })
  const orderId = await world.order(three())
  await world.push(orderId, destination)
  await world.until(async () => expect((await destinationOf(destination))?.status).toBe('broken'))
  await updateDestination(world.parts(), destination, { settings: world.settings('salesforce') })
  await world.until(allDelivered(orderId, 3))
  // The answer is recorded first, and closes the breaker then.
  await world.until(async () => expect(await destinationOf(destination)).toEqual({ status: 'active', reason: null }))
})

test.each(['salesforce', 'hubspot'])(
  'a destination that is removed and added again finds its ledger in %s, so a rep’s edit stays an edit',
  async (crm) => {
    const { removeDestination } = await import('../../../src/deliver/destinations/destinations.ts')
    const first = await world.addDestination(crm)
    const older = await world.order([gstLead(1, { City: 'Margao' }), gstLead(2)])
    await world.push(older, first)
    await world.until(allDelivered(older, 2))
    await removeDestination(world.parts(), first)
    // Credentials are new; the account is the same.
    const second = await world.addDestination(crm, crm === 'hubspot' ? { portal_id: 1 } : {})
    const newer = await world.order([gstLead(1, { City: 'Vasco da Gama' }), gstLead(2)])
    const writes = () =>
      world
        .box(crm)
        .calls()
        .filter(({ path }) => /batch\/upsert|composite/.test(path)).length
    const before = writes()
    await world.push(newer, second)
    await world.until(allDelivered(newer, 2))
    expect(JSON.stringify(held(crm)), 'what Panji wrote itself is no edit of a rep').toContain('Vasco da Gama')
    expect(writes() - before, 'only the changed lead is written').toBe(1)
  },
)

test('a lead whose creation was answered by a gateway’s 502 counts as created', async () => {
  const destination = await world.addDestination('hubspot')
  const orderId = await world.order(three())
  world.box('hubspot').addFault({ kind: 'reset_after_commit', match: 'batch/upsert', times: 1 })
  await world.push(orderId, destination)
  await world.until(allDelivered(orderId, 3))
  const rows = await db().query<{ outcome: string }>('SELECT outcome FROM deliver.delivery WHERE order_id = $1', [
    orderId,
  ])
  expect(rows.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created'])
})

test.each([
  ['salesforce', upsert],
  ['hubspot', 'companies/batch/upsert'],
  ['zoho', 'POST /crm/v8/Leads'],
] as const)(
  'a newer order takes the place of what %s wrote without an answer, which is no edit of its people',
  async (crm, match) => {
    const destination = await world.addDestination(crm)
    const of = (city: string) => [1, 2].map((n) => companyLead(n, { City: city }))
    const first = await world.order([gstLead(7)])
    await world.push(first, destination)
    await world.until(allDelivered(first, 1))
    const older = await world.order(of('Panaji'))
    world.box(crm).addFault({ kind: 'timeout_after_commit', match, times: 1 })
    await world.push(older, destination)
    await vi.waitFor(() => expect(held(crm)).toHaveLength(3), { timeout: 60_000, interval: 20 })
    await world.stopWorker()
    const left = (await leftOf(destination)).map((row) => row.left)
    expect(left).toEqual(['unanswered', 'unanswered', 'acknowledged'])
    const newest = await world.order(of('Margao'))
    await world.push(newest, destination)
    await world.startWorker()
    await world.until(allDelivered(newest, 2))
    const cities = held(crm).flatMap((record) => /Panaji|Margao/.exec(JSON.stringify(record.properties)) ?? [])
    expect(cities).toEqual(['Margao', 'Margao'])
    await endLateWrites(destination)
    await world.until(async () => expect(await unconfirmedOf(destination), 'a later look confirms it').toEqual([]))
  },
)

test('the deliveries of a suspended account stop, and go on when it is opened again', async () => {
  const destination = await world.addDestination('salesforce')
  const orderId = await world.order(three())
  await world.stopWorker()
  await world.push(orderId, destination)
  const suspend = (at: string) =>
    db().execute(`UPDATE access.account SET suspended_at = ${at} WHERE account_id = $1`, [world.accountId()])
  await suspend('now()')
  await world.startWorker()
  await world.until(async () =>
    expect(
      await db().query(
        `SELECT FROM pgboss.job WHERE name IN ('push-leads', 'deliver-leads') AND state IN ('created', 'active')`,
      ),
    ).toEqual([]),
  )
  expect(world.box('salesforce').calls()).toEqual([])
  await suspend('NULL')
  await world.until(allDelivered(orderId, 3))
})

test('a call that hangs does not hold the stop of the worker', async () => {
  const destination = await world.addDestination('salesforce')
  const orderId = await world.order(three())
  world.box('salesforce').addFault({ kind: 'timeout', match: upsert, times: 1 })
  await world.push(orderId, destination)
  await world.until(() =>
    expect(
      world
        .box('salesforce')
        .calls()
        .some(({ method }) => method === 'PATCH'),
    ).toBe(true),
  )
  const asked = performance.now()
  await world.stopWorker()
  expect(performance.now() - asked).toBeLessThan(15_000)
  await world.startWorker()
  await world.until(allDelivered(orderId, 3))
  expect(held('salesforce')).toHaveLength(3)
})

test.each([
  ['hubspot', 'companies/batch/upsert', 'city'],
  ['salesforce', upsert, 'City'],
  ['zoho', 'POST /crm/v8/Leads|PUT /crm/v8/Leads', 'City'],
])('an older write that %s works off late, after a newer one, does not stay', async (crm, write, field) => {
  const destination = await world.addDestination(crm, { timeout_ms: 1_000 })
  const cities = () => held(crm).map(({ properties }) => properties[field])
  const placed = (city: string) => world.order([gstLead(1, { City: city })])
  await world.push(await placed('Panaji'), destination)
  await world.until(() => expect(cities()).toEqual(['Panaji']))
  world.box(crm).addFault({ kind: 'delay', ms: 4_000, match: write, times: 1 })
  await world.push(await placed('Margao'), destination)
  await vi.waitFor(() => expect(world.box(crm).faults?.()).toEqual([]), { timeout: 60_000, interval: 20 })
  const newest = await placed('Mapusa')
  await world.push(newest, destination)
  await world.until(allDelivered(newest, 1))
  expect(cities()).toEqual(['Mapusa'])
  // Nobody waits for it any more, and yet it comes.
  await vi.waitFor(() => expect(cities()).toEqual(['Margao']), { timeout: 60_000, interval: 20 })
  await world.until(() => expect(cities()).toEqual(['Mapusa']))
  expect(await unconfirmedOf(destination)).toHaveLength(1)
  await endLateWrites(destination)
  await world.until(async () => expect(await unconfirmedOf(destination)).toEqual([]))
  expect(cities()).toEqual(['Mapusa'])
})
