/** A destination that delivers approved plans only from now on, while leads of automatic and of requested pushes wait for it. */
import { beforeEach, expect, test } from 'vitest'
import type { Connector, OutgoingLead } from '../../../connectors/contract.ts'
import { salesforce } from '../../../connectors/salesforce/connector.ts'
import {
  pauseDestination,
  resumeDestination,
  updateDestination,
} from '../../../src/deliver/destinations/destinations.ts'
import { approvePlan } from '../../../src/deliver/plan/approve-plan.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { deliverBuiltOrder } from '../../../src/deliver/push/automatic.ts'
import { readPush } from '../../../src/deliver/push/read-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { requestPush } from '../../../src/deliver/push/request-push.ts'
import { refreshRejected } from '../../../src/deliver/record/rejected/refresh-rejected.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()

beforeEach(() => world.stopWorker())

const run = async (destinationId: string) =>
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
/** City by external id. */
const inCrm = () =>
  Object.fromEntries(
    world
      .box('salesforce')
      .records()
      .map(({ properties }) => [String(properties['Panji_Id__c']), properties['City']]),
  )
const deliveriesOf = (orderId: string) =>
  world.database.db.query<{ state: string; code: string | null }>(
    `SELECT state, last_error ->> 'code' AS code FROM deliver.delivery WHERE order_id = $1 ORDER BY external_id`,
    [orderId],
  )
const id = (n: number) => gstLead(n).externalId

test('what an automatic push enqueued waits for a plan, whether the CRM holds the record or not, and what a person pushed is sent', async () => {
  const { db } = world.database
  const destinationId = await world.addDestination('salesforce')
  await world.push(await world.order([gstLead(1)]), destinationId)
  await run(destinationId)
  await pauseDestination(world.parts(), destinationId)
  const automatic = await world.order([gstLead(1, { City: 'Ponda' }), gstLead(2)])
  expect(await deliverBuiltOrder(db, world.queue(), automatic)).toEqual([destinationId])
  await world.push(await world.order([gstLead(3)]), destinationId)
  await world.push(await world.order([gstLead(4)]), destinationId)
  // A lead that both requested is sent for the person.
  const both = await world.order([gstLead(4)])
  await deliverBuiltOrder(db, world.queue(), both)

  await updateDestination(world.parts(), destinationId, { deliver: 'approved' })
  await resumeDestination(world.parts(), destinationId)
  await run(destinationId)
  expect(inCrm()).toEqual({ [id(1)]: 'North Goa', [id(3)]: 'North Goa', [id(4)]: 'North Goa' })
  const held = { state: 'pending', code: 'NEEDS_APPROVAL' }
  expect(await deliveriesOf(automatic)).toEqual([held, held])
  expect(await deliveriesOf(both)).toMatchObject([{ state: 'acknowledged' }])

  const request = { orderId: automatic, destinationId }
  const plan = await planPush(world.parts(), request, signal)
  expect(plan.counts).toMatchObject({ create: 1, update: 1, unchanged: 0 })
  await approvePlan(world.parts(), { ...request, hash: plan.hash, adopt: undefined }, signal)
  await db.transaction((tx) => requestPush(tx, world.queue(), { ...request, approved: true }))
  await run(destinationId)
  expect(inCrm()).toMatchObject({ [id(1)]: 'Ponda', [id(2)]: 'North Goa' })
  const sent = { state: 'acknowledged', code: null }
  expect(await deliveriesOf(automatic)).toEqual([sent, sent])
})

test.each(['answered', 'not answered'] as const)(
  'what an automatic push enqueued while an earlier lead of its record was in flight waits for a plan, whether that is %s',
  async (answer) => {
    const { db } = world.database
    const destinationId = await world.addDestination('salesforce')
    await world.push(await world.order([gstLead(2)]), destinationId)
    await run(destinationId)
    await world.push(await world.order([gstLead(1)]), destinationId)
    const automatic = await world.order([gstLead(1, { City: 'Ponda' })])
    const change = async () => {
      await deliverBuiltOrder(db, world.queue(), automatic)
      await updateDestination(world.parts(), destinationId, { deliver: 'approved' })
    }
    if (answer === 'answered') {
      // Between the claim of the first lead and its write.
      const meanwhile: Connector = {
        ...salesforce,
        open(settings, options) {
          const session = salesforce.open(settings, options)
          const { push } = session
          return Object.assign(session, {
            push: async (leads: readonly OutgoingLead[]) => {
              await change()
              return push.call(session, leads)
            },
          })
        },
      }
      await reconcile({ ...world.parts(), connectors: [meanwhile] }, destinationId, signal)
    } else {
      world.box('salesforce').addFault({ kind: 'timeout_after_commit', match: 'composite/sobjects' })
      const lost = reconcile(world.parts(), destinationId, signal)
      await expect.poll(() => Object.keys(inCrm()), { timeout: 60_000 }).toHaveLength(2)
      world.box('salesforce').endFaults?.()
      world.box('salesforce').addFault({ kind: 'status', status: 503, times: 100 })
      await lost
      world.box('salesforce').endFaults?.()
      await change()
    }
    await world.endWaits()
    await run(destinationId)
    expect(inCrm()).toEqual({ [id(1)]: 'North Goa', [id(2)]: 'North Goa' })
    expect(await deliveriesOf(automatic)).toEqual([{ state: 'pending', code: 'NEEDS_APPROVAL' }])
    const request = { orderId: automatic, destinationId }
    expect(await planPush(world.parts(), request, signal)).toMatchObject({ counts: { update: 1 } })
    await db.transaction((tx) => requestPush(tx, world.queue(), { ...request, approved: true }))
    await run(destinationId)
    expect(inCrm()).toMatchObject({ [id(1)]: 'Ponda' })
  },
)

test('the rest of an order whose automatic push has begun is not enqueued either', async () => {
  const { db } = world.database
  const destinationId = await world.addDestination('salesforce')
  const orderId = await world.order([gstLead(1), gstLead(2)])
  await deliverBuiltOrder(db, world.queue(), orderId)
  // As the push of a large order stands after its first part.
  await db.execute(`UPDATE deliver.push SET status = 'queued', enqueued_through = 0 WHERE order_id = $1`, [orderId])
  await db.execute('DELETE FROM deliver.delivery WHERE order_id = $1 AND external_id = $2', [orderId, id(2)])
  await db.execute('DELETE FROM deliver.record WHERE destination_id = $1 AND external_id = $2', [destinationId, id(2)])
  await updateDestination(world.parts(), destinationId, { deliver: 'approved' })
  await run(destinationId)
  expect(inCrm()).toEqual({})
  expect(await deliveriesOf(orderId)).toEqual([{ state: 'pending', code: 'NEEDS_APPROVAL' }])
})

test('a rejected lead whose record changed in the registers waits for a plan, which shows the new row', async () => {
  const { db } = world.database
  const destinationId = await world.addDestination('salesforce')
  const orderId = await world.order([gstLead(1, { Email: 'no address' })])
  await world.push(orderId, destinationId)
  await run(destinationId)
  expect(await deliveriesOf(orderId)).toMatchObject([{ state: 'rejected' }])
  await updateDestination(world.parts(), destinationId, { deliver: 'approved' })
  const now = gstLead(1, { City: 'Ponda' }).row
  await refreshRejected(db, world.queue(), async (_, itemIds) =>
    itemIds.map((itemId) => ({ itemId, row: now, runId: null })),
  )
  await run(destinationId)
  expect(inCrm()).toEqual({})
  expect(await deliveriesOf(orderId)).toMatchObject([{ state: 'rejected' }])

  const request = { orderId, destinationId }
  const plan = await planPush(world.parts(), request, signal)
  expect(plan.counts).toMatchObject({ create: 1, reject: 0 })
  await approvePlan(world.parts(), { ...request, hash: plan.hash, adopt: undefined }, signal)
  await db.transaction((tx) => requestPush(tx, world.queue(), { ...request, approved: true }))
  await run(destinationId)
  expect(inCrm()).toEqual({ [id(1)]: 'Ponda' })
})

test('what waited for a plan is delivered, once, when its destination delivers automatically again, and on request only where it is manual', async () => {
  const destinationId = await world.addDestination('salesforce')
  await pauseDestination(world.parts(), destinationId)
  const orderId = await world.order([gstLead(1), gstLead(2)])
  await deliverBuiltOrder(world.database.db, world.queue(), orderId)
  const change = (deliver: string) => updateDestination(world.parts(), destinationId, { deliver })
  await change('approved')
  await resumeDestination(world.parts(), destinationId)
  await change('manual')
  await run(destinationId)
  expect(inCrm()).toEqual({})
  await change('automatic')
  await run(destinationId)
  expect(inCrm()).toEqual({ [id(1)]: 'North Goa', [id(2)]: 'North Goa' })
  const sent = { state: 'acknowledged', code: null }
  expect(await deliveriesOf(orderId)).toEqual([sent, sent])
})

test('a lead that was withdrawn while it waited for a plan does not keep the push of its order open', async () => {
  const { db } = world.database
  const destinationId = await world.addDestination('salesforce')
  await pauseDestination(world.parts(), destinationId)
  const orderId = await world.order([gstLead(1), gstLead(2)])
  await deliverBuiltOrder(db, world.queue(), orderId)
  await updateDestination(world.parts(), destinationId, { deliver: 'approved' })
  await resumeDestination(world.parts(), destinationId)
  await db.execute('UPDATE orders.item SET withdrawn_at = now() WHERE order_id = $1 AND position = 0', [orderId])
  const request = { orderId, destinationId }
  const plan = await planPush(world.parts(), request, signal)
  expect(plan.counts).toMatchObject({ create: 1 })
  await approvePlan(world.parts(), { ...request, hash: plan.hash, adopt: undefined }, signal)
  const { pushId } = await db.transaction((tx) => requestPush(tx, world.queue(), { ...request, approved: true }))
  await run(destinationId)
  expect(await deliveriesOf(orderId)).toEqual([
    { state: 'rejected', code: 'WITHDRAWN' },
    { state: 'acknowledged', code: null },
  ])
  expect(await readPush(db, pushId)).toMatchObject({ status: 'finished', counts: { created: 1, pending: 0 } })
})
