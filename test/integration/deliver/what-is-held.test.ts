/** What was acknowledged as one kind of record says nothing of another kind in the same org. */
import { beforeEach, expect, test } from 'vitest'
import { updateDestination } from '../../../src/deliver/destinations.ts'
import { readPush } from '../../../src/deliver/read-push.ts'
import { reconcile } from '../../../src/deliver/reconcile.ts'
import { testDestination } from '../../../src/deliver/test-destination.ts'
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
