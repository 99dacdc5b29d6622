/** Records that people deleted in their CRM: a plan says so, they stay deleted, and a person who asks for one gets it anew. */
import { beforeEach, describe, expect, test } from 'vitest'
import { approvePlan } from '../../../src/deliver/plan/approve-plan.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { readPush } from '../../../src/deliver/push/read-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { listDeliveries } from '../../../src/deliver/record/list-deliveries.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const leads = [gstLead(1), gstLead(2), gstLead(3)]
const inTown = { City: 'Vasco da Gama' }

beforeEach(() => world.stopWorker())

async function deliver(orderId: string, destinationId: string) {
  const pushId = await world.push(orderId, destinationId)
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
  return (await readPush(world.database.db, pushId)).counts
}

const deliveryOf = async (orderId: string, record: string) => {
  const { deliveries } = await listDeliveries(world.database.db, { orderId, limit: 10, offset: 0 })
  return deliveries.find((each) => each.record === record)
}

const standingFor = (crm: string, record: string) =>
  world
    .box(crm)
    .records()
    .filter(({ properties }) => Object.values(properties).includes(record)).length

describe.each(['salesforce', 'hubspot', 'zoho'])('%s', (crm) => {
  const record = gstLead(1).externalId

  test('a deleted record is told by a plan of what was acknowledged, is not made again by newer orders, and comes back when its delivery is retried', async () => {
    const destinationId = await world.addDestination(crm)
    const orderId = await world.order(leads)
    expect(await deliver(orderId, destinationId)).toMatchObject({ created: 3 })
    const first = await deliveryOf(orderId, record)
    world.box(crm).remove?.(String(first?.crm_id))

    const plan = await planPush(world.parts(), { orderId, destinationId }, signal)
    expect(plan.counts).toMatchObject({ conflict: 1, unchanged: 2, create: 0 })
    expect(plan.rows.find((row) => row.record === record)?.reason).toContain(String(first?.crm_id))

    const newer = await world.order([gstLead(1, inTown), gstLead(2, inTown)])
    expect(await deliver(newer, destinationId)).toMatchObject({ rejected: 1, updated: 1, created: 0 })
    const refused = await deliveryOf(newer, record)
    expect(refused).toMatchObject({ outcome: 'rejected', code: 'DELETED' })
    expect(refused?.message).toContain('retry this delivery')
    // What was delivered stays so, and says what the CRM said since.
    const told = { outcome: 'created', crm_id: first?.crm_id, code: 'DELETED', message: refused?.message }
    expect(await deliveryOf(orderId, record)).toMatchObject(told)
    expect(await deliver(await world.order([gstLead(1)]), destinationId)).toMatchObject({ rejected: 1, unchanged: 0 })
    expect(standingFor(crm, record)).toBe(0)

    const { db } = world.database
    const retry = () =>
      db.transaction((tx) => retryDeliveries(tx, world.queue(), { deliveryId: String(refused?.delivery_id) }))
    expect(await retry()).toBeGreaterThan(0)
    await reconcile(world.parts(), destinationId, signal)
    expect(standingFor(crm, record)).toBe(1)
    const back = await deliveryOf(newer, record)
    expect(back?.code).toBeNull()
    expect(back?.crm_id).not.toBe(first?.crm_id)
    const { crm_id, crm_url } = back ?? {}
    expect(await deliveryOf(orderId, record)).toMatchObject({
      outcome: 'created',
      crm_id,
      crm_url,
      code: null,
      message: null,
    })
  })

  test('a delivered record whose CRM record is gone comes back when this one is retried; one that is there is not written', async () => {
    const destinationId = await world.addDestination(crm)
    const orderId = await world.order(leads)
    await deliver(orderId, destinationId)
    const [gone, there] = [await deliveryOf(orderId, record), await deliveryOf(orderId, gstLead(2).externalId)]
    world.box(crm).remove?.(String(gone?.crm_id))
    const { db } = world.database
    for (const each of [gone, there]) {
      const deliveryId = String(each?.delivery_id)
      expect(await db.transaction((tx) => retryDeliveries(tx, world.queue(), { deliveryId }))).toBe(1)
    }
    await reconcile(world.parts(), destinationId, signal)
    expect(await deliveryOf(orderId, record)).toMatchObject({ outcome: 'created' })
    expect(await deliveryOf(orderId, gstLead(2).externalId)).toMatchObject({
      outcome: 'unchanged',
      crm_id: there?.crm_id,
    })
    expect(standingFor(crm, record)).toBe(1)
  })

  test('with on_deleted: recreate a plan says what is made anew, and its push makes it, once', async () => {
    const destinationId = await world.addDestination(crm, { on_deleted: 'recreate' })
    const orderId = await world.order(leads)
    await deliver(orderId, destinationId)
    world.box(crm).remove?.(String((await deliveryOf(orderId, record))?.crm_id))
    const plan = await planPush(world.parts(), { orderId, destinationId }, signal)
    expect(plan.counts).toMatchObject({ create: 1, unchanged: 2 })
    await approvePlan(world.parts(), { orderId, destinationId, hash: plan.hash, adopt: undefined }, signal)
    expect(await deliver(orderId, destinationId)).toMatchObject({ created: 1, unchanged: 2 })
    expect(await deliver(orderId, destinationId)).toMatchObject({ created: 0, unchanged: 3 })
    expect(standingFor(crm, record)).toBe(1)
  })
})
