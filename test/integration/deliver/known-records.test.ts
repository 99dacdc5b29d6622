/** Records that were delivered and lost their identity in the CRM: they are updated, and never created a second time. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectorsOf } from '../../../connectors/index.ts'
import { addDestination } from '../../../src/deliver/destinations.ts'
import { planPush } from '../../../src/deliver/plan-push.ts'
import { readPush } from '../../../src/deliver/read-push.ts'
import { reconcile } from '../../../src/deliver/reconcile.ts'
import { testDestination } from '../../../src/deliver/test-destination.ts'
import { createFolderSandbox, deliveryDir } from '../../conformance/folder-sandbox.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const connectors = connectorsOf(deliveryDir)
const parts = () => ({ ...world.parts(), connectors })
const leads = [gstLead(1), companyLead(1), directorLead(1)]
const inTown = { City: 'Vasco da Gama' }
const moved = [gstLead(1, inTown), companyLead(1, inTown), directorLead(1, inTown)]

beforeEach(() => world.stopWorker())
afterEach(() => world.database.db.execute(`UPDATE deliver.destination SET status = 'removed'`))

async function deliver(orderId: string, destinationId: string) {
  const pushId = await world.push(orderId, destinationId)
  expect(await reconcile(parts(), destinationId, signal)).toMatchObject({ failure: null })
  return (await readPush(world.database.db, pushId)).counts
}

describe.each([
  { crm: 'salesforce', identity: 'Panji_Id__c', over: {} },
  { crm: 'salesforce', identity: 'Panji_Id__c', over: { object: 'account' } },
  { crm: 'hubspot', identity: 'panji_id', over: {} },
  { crm: 'zoho', identity: 'Panji_Id', over: {} },
])('$crm $over', ({ crm, identity, over }) => {
  test('whose field of the identity was deleted and made anew: the next order updates what the first one created', async () => {
    const destinationId = await world.addDestination(crm, over)
    expect(await deliver(await world.order(leads), destinationId)).toMatchObject({ created: 3 })
    const held = world.box(crm).records()
    world.box(crm).dropField?.(identity)
    expect(await testDestination(parts(), destinationId, signal)).toMatchObject({ ok: true })

    const again = await world.order(moved)
    const plan = await planPush(parts(), { orderId: again, destinationId }, signal)
    expect(plan.counts).toMatchObject({ create: 0, update: 3 })
    expect(await deliver(again, destinationId)).toMatchObject({ created: 0, updated: 3, rejected: 0 })
    expect(
      world
        .box(crm)
        .records()
        .map(({ id }) => id),
    ).toEqual(held.map(({ id }) => id))
    const identities = world
      .box(crm)
      .records()
      .map(({ properties }) => properties[identity])
    expect(identities).toEqual(held.map(({ properties }) => properties[identity]))
  })
})

test('a plan that would create known records stops, and says how many', async () => {
  const box = createFolderSandbox()
  const given = { accountId: world.accountId(), connector: 'example-csv', name: 'Folder', settings: box.settings('') }
  const destinationId = (await addDestination(world.database.db, connectors, world.secretKey, given)).destination_id
  expect(await deliver(await world.order(leads), destinationId)).toMatchObject({ created: 3 })
  box.reset()
  const again = await world.order([...moved, gstLead(2)])
  await expect(planPush(parts(), { orderId: again, destinationId }, signal)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('create 3 of 4 records a second time'),
    extra: { reason: 'would_create_again', count: 3 },
  })
})
