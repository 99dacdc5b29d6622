/** What was acknowledged as one kind of record says nothing of another kind in the same org. */
import { beforeEach, expect, test } from 'vitest'
import {
  pauseDestination,
  resumeDestination,
  updateDestination,
} from '../../../src/deliver/destinations/destinations.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { readPush } from '../../../src/deliver/push/read-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { wakeDue } from '../../../src/deliver/push/wake.ts'
import { companyLead, directorLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const leads = [companyLead(1), directorLead(1)]

beforeEach(() => world.stopWorker())

async function deliver(orderId: string, destinationId: string) {
  const pushId = await world.push(orderId, destinationId)
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
  return (await readPush(world.database.db, pushId)).counts
}

const objects = () => {
  const records = world.box('salesforce').records()
  return Object.fromEntries(
    ['Lead', 'Account', 'Contact'].map((name) => [name, records.filter(({ object }) => object === name).length]),
  )
}

test('a second destination for Accounts in an org that has the leads as Leads creates them, and tells what it did', async () => {
  const orderId = await world.order(leads)
  const asLeads = await world.addDestination('salesforce', {}, 'Leads')
  expect(await deliver(orderId, asLeads)).toMatchObject({ created: 2 })
  const asAccounts = await world.addDestination('salesforce', { object: 'account' }, 'Accounts')
  await testDestination(world.parts(), asAccounts, signal)
  expect(await deliver(orderId, asAccounts)).toMatchObject({ created: 2, unchanged: 0 })
  expect(objects()).toEqual({ Lead: 2, Account: 1, Contact: 2 })

  // A third one for Leads finds what the first one knows.
  const again = await world.addDestination('salesforce', {}, 'Leads of the branch')
  expect(await deliver(orderId, again)).toMatchObject({ created: 0, unchanged: 2 })
  expect(objects()).toEqual({ Lead: 2, Account: 1, Contact: 2 })
})

test('a destination by another field of identity takes nothing for acknowledged that stands under the first one', async () => {
  const orderId = await world.order(leads)
  await deliver(orderId, await world.addDestination('salesforce', {}, 'Leads'))
  const other = await world.addDestination('salesforce', { external_id_field: 'Registry_Key__c' }, 'Keyed')
  // They agree with what the first one made, so that a person is asked; told to ask nobody, it makes its own.
  expect(await deliver(orderId, other)).toMatchObject({ created: 0, unchanged: 0, pending: 2 })
  await updateDestination(world.parts(), other, { askFrom: null })
  expect(await deliver(orderId, other)).toMatchObject({ created: 2, unchanged: 0 })
  expect(
    world
      .box('salesforce')
      .records()
      .filter(({ properties }) => properties['Registry_Key__c']),
  ).toHaveLength(2)
})

test('a destination that is turned from Leads to Accounts starts anew: what it holds is sent there', async () => {
  const orderId = await world.order(leads)
  const destinationId = await world.addDestination('salesforce')
  expect(await deliver(orderId, destinationId)).toMatchObject({ created: 2 })
  const settings = { ...world.settings('salesforce'), object: 'account' }
  await updateDestination(world.parts(), destinationId, { settings })
  expect(await testDestination(world.parts(), destinationId, signal)).toMatchObject({ ok: true })
  await reconcile(world.parts(), destinationId, signal)
  expect(objects()).toEqual({ Lead: 2, Account: 1, Contact: 2 })
})

test('a plan for a destination that was turned and not tested yet tells what a push would do there', async () => {
  const orderId = await world.order(leads)
  const destinationId = await world.addDestination('salesforce')
  await deliver(orderId, destinationId)
  const settings = { ...world.settings('salesforce'), object: 'account' }
  await updateDestination(world.parts(), destinationId, { settings })
  // The fields are there, the destination's own test was not run.
  const other = await world.addDestination('salesforce', { object: 'account' }, 'Other')
  await testDestination(world.parts(), other, signal)
  const plan = await planPush(world.parts(), { orderId, destinationId }, signal)
  expect(plan.counts).toMatchObject({ create: 2, unchanged: 0 })
  expect(objects()).toEqual({ Lead: 2, Account: 0, Contact: 0 })
})

test('a destination that is turned and pushed into before anybody tests it reads the CRM first', async () => {
  const orderId = await world.order(leads)
  const destinationId = await world.addDestination('salesforce')
  expect(await deliver(orderId, destinationId)).toMatchObject({ created: 2 })
  const turn = (over: object) =>
    updateDestination(world.parts(), destinationId, { settings: { ...world.settings('salesforce'), ...over } })
  await turn({ object: 'account' })
  expect(await deliver(orderId, destinationId)).toMatchObject({ created: 2, unchanged: 0 })
  expect(objects()).toEqual({ Lead: 2, Account: 1, Contact: 2 })

  // The same settings given again lead to the same records, which hold everything.
  await turn({ object: 'account' })
  const held = world.box('salesforce').records()
  const reads = world.box('salesforce').calls().length
  expect(await deliver(orderId, destinationId)).toMatchObject({ created: 0, unchanged: 2 })
  expect(world.box('salesforce').calls().length).toBeGreaterThan(reads)
  expect(world.box('salesforce').records()).toEqual(held)
})

test('a push into a destination that was turned while it was paused waits, and creates what is not there', async () => {
  const orderId = await world.order(leads)
  const destinationId = await world.addDestination('salesforce')
  expect(await deliver(orderId, destinationId)).toMatchObject({ created: 2 })
  await pauseDestination(world.parts(), destinationId)
  const settings = { ...world.settings('salesforce'), object: 'account' }
  await updateDestination(world.parts(), destinationId, { settings })
  const pushId = await world.push(orderId, destinationId)
  await reconcile(world.parts(), destinationId, signal)
  expect((await readPush(world.database.db, pushId)).status).toBe('queued')
  expect(await wakeDue(world.database.db, world.queue())).toBe(0)
  await resumeDestination(world.parts(), destinationId)
  await reconcile(world.parts(), destinationId, signal)
  const { status, counts } = await readPush(world.database.db, pushId)
  expect([status, counts]).toMatchObject(['finished', { created: 2, unchanged: 0, pending: 0 }])
  expect(objects()).toEqual({ Lead: 2, Account: 1, Contact: 2 })
})
