/** What is shown of deliveries once their destination leads into another account of its CRM: ids and links of the account that they belong to. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { createHubspotSandbox } from '../../../sandboxes/hubspot/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { addDestination, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { adoptedAmong, noteAdoptions } from '../../../src/deliver/matching/adopted-records.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { listDeliveries, listDeliveriesAfter } from '../../../src/deliver/record/list-deliveries.ts'
import { signedReceipt } from '../../../src/deliver/record/receipts.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { traceOrder } from '../../../src/orders/trace-order.ts'
import { directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const first = '24680135'
/** The same vendor's, of another customer. */
const elsewhere = createHubspotSandbox({ portalId: 4711 })
let server: RunningSandboxes

beforeAll(async () => {
  server = await startSandboxes([elsewhere], { port: 0 })
})
afterAll(() => server.close())
beforeEach(async () => {
  await world.stopWorker()
  elsewhere.reset()
})

const db = () => world.database.db
const run = async (destinationId: string) => {
  await world.endWaits()
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
}
/** Only asks whose account it is. */
async function turn(destinationId: string, settings: object) {
  await updateDestination(world.parts(), destinationId, { settings })
  expect(await testDestination(world.parts(), destinationId, signal)).toMatchObject({ ok: true })
}
const pagesOf = (settings: object) =>
  `${new URL(String(Object.values(settings).find((each) => String(each).startsWith('http')))).origin}/pages/hubspot/records`
const idIn = (box: Sandbox, externalId: string) =>
  box.records().find(({ properties }) => properties['panji_id'] === externalId)?.id

/** Others' records in the new account, under the ids that the account before gave. */
async function strangers(count: number) {
  const accountId = await insertAccount(db())
  const { destination_id: id } = await addDestination(db(), world.connectors, world.secretKey, {
    ...{ accountId, connector: 'hubspot', name: 'Theirs', settings: server.settings('hubspot') },
  })
  const leads = Array.from({ length: count }, (_, n) => gstLead(11 + n))
  await world.push(await insertOrder(db(), accountId, leads), id)
  await run(id)
}

/** Of one lead, by each way in which it is shown. */
async function shown(destinationId: string, orderId: string, externalId: string) {
  const { deliveries } = await listDeliveries(db(), { destinationId, orderId, record: externalId, limit: 9, offset: 0 })
  const exported = await listDeliveriesAfter(db(), { destinationId, orderId, record: externalId, limit: 9 }, null)
  const traced = (await traceOrder(db(), world.accountId(), orderId))
    .find(({ type, number }) => `${type}:${number}` === externalId)
    ?.deliveries.filter(({ destination_id }) => destination_id === destinationId)
  const told = [...deliveries, ...exported, ...(traced ?? [])].map(({ crm_id, crm_url }) => ({ crm_id, crm_url }))
  expect(told).toHaveLength(3)
  expect(new Set(told.map((each) => JSON.stringify(each))).size, JSON.stringify(told)).toBe(1)
  return told[0]
}
const receiptOf = async (destinationId: string, orderId: string, record: string) => {
  const { deliveries } = await listDeliveries(db(), { destinationId, orderId, record, limit: 1, offset: 0 })
  const { receipt } = await signedReceipt(db(), world.secretKey, deliveries[0]?.delivery_id ?? '', world.accountId())
  return { account: receipt.remote_account, crm_id: receipt.crm_id }
}

test('a delivery shows an id and a link of the account that its destination leads into or none, and its receipt the account that took it', async () => {
  await strangers(4)
  const box = world.box('hubspot')
  const destinationId = await world.addDestination('hubspot')
  const [taken, retried] = [gstLead(1), gstLead(2)]
  const leads = [taken, retried]
  const before = await world.order(leads)
  await world.push(before, destinationId)
  await run(destinationId)
  const old = new Map(leads.map(({ externalId }) => [externalId, idIn(box, externalId)]))
  const receipt = await receiptOf(destinationId, before, taken.externalId)
  expect(receipt).toEqual({ account: first, crm_id: old.get(taken.externalId) })
  const page = (settings: object, id: string | undefined) => ({ crm_id: id, crm_url: `${pagesOf(settings)}/${id}` })
  const here = (externalId: string) => page(world.settings('hubspot'), old.get(externalId))
  const there = (externalId: string) => page(server.settings('hubspot'), idIn(elsewhere, externalId))
  expect(await shown(destinationId, before, taken.externalId)).toEqual(here(taken.externalId))

  await turn(destinationId, server.settings('hubspot'))
  for (const { externalId } of leads)
    expect(await shown(destinationId, before, externalId), externalId).toEqual({ crm_id: null, crm_url: null })
  expect(await receiptOf(destinationId, before, taken.externalId)).toEqual(receipt)

  // One comes by another order, one by its own.
  const after = await world.order([gstLead(1, { City: 'Ponda' })])
  await world.push(after, destinationId)
  await db().transaction(async (tx) => {
    const { deliveries } = await listDeliveries(db(), {
      ...{ destinationId, orderId: before, record: retried.externalId, limit: 1, offset: 0 },
    })
    await retryDeliveries(tx, world.queue(), { deliveryId: deliveries[0]?.delivery_id })
  })
  await run(destinationId)
  for (const { externalId } of leads) {
    const id = idIn(elsewhere, externalId)
    expect(id).toBeDefined()
    expect(id).not.toBe(old.get(externalId))
    for (const order of externalId === taken.externalId ? [before, after] : [before])
      expect(await shown(destinationId, order, externalId)).toEqual(there(externalId))
  }
  expect(await receiptOf(destinationId, before, taken.externalId)).toEqual(receipt)
  for (const [order, lead] of [
    [after, taken],
    [before, retried],
  ] as const)
    expect(await receiptOf(destinationId, order, lead.externalId)).toEqual({
      account: '4711',
      crm_id: idIn(elsewhere, lead.externalId),
    })

  // And back.
  await turn(destinationId, world.settings('hubspot'))
  for (const { externalId } of leads) expect(await shown(destinationId, before, externalId)).toEqual(here(externalId))
  expect(await receiptOf(destinationId, before, taken.externalId)).toEqual(receipt)
  expect(await receiptOf(destinationId, after, taken.externalId)).toEqual({
    account: '4711',
    crm_id: idIn(elsewhere, taken.externalId),
  })
})

test('a record that was taken in the account before is none of the new one, where that id is somebody else’s', async () => {
  const lead = directorLead(1)
  const terms = { adoptFrom: 80, askFrom: 50 }
  const { destination_id: destinationId } = await addDestination(db(), world.connectors, world.secretKey, {
    ...{ accountId: world.accountId(), connector: 'hubspot', name: 'CRM', settings: world.settings('hubspot') },
    ...terms,
  })
  await turn(destinationId, world.settings('hubspot'))
  const box = world.box('hubspot')
  await world.push(await world.order([lead]), destinationId)
  await run(destinationId)
  const id = idIn(box, lead.externalId) ?? ''
  // It had been theirs.
  await noteAdoptions(db(), destinationId, [{ externalId: lead.externalId, crmId: id }])

  // The new account has another contact under this id, without an identity of Panji's.
  const { destination_id: theirs } = await addDestination(db(), world.connectors, world.secretKey, {
    ...{
      accountId: await insertAccount(db()),
      connector: 'hubspot',
      name: 'Theirs',
      settings: server.settings('hubspot'),
    },
  })
  await turn(theirs, server.settings('hubspot'))
  const [account] = await db().query<{ id: string }>(
    'SELECT account_id AS id FROM deliver.destination WHERE destination_id = $1',
    [theirs],
  )
  await world.push(await insertOrder(db(), account?.id ?? '', [directorLead(2)]), theirs)
  await run(theirs)
  expect(idIn(elsewhere, directorLead(2).externalId)).toBe(id)
  elsewhere.edit(id, { panji_id: '' })
  const foreign = structuredClone(elsewhere.records().find((record) => record.id === id))

  await turn(destinationId, server.settings('hubspot'))
  await run(destinationId)
  expect(elsewhere.records().find((record) => record.id === id)).toEqual(foreign)
  expect(idIn(elsewhere, lead.externalId)).not.toBe(id)
  expect(await adoptedAmong(db(), destinationId, [id])).toEqual(new Set())
  await turn(destinationId, world.settings('hubspot'))
  expect(await adoptedAmong(db(), destinationId, [id])).toEqual(new Set([id]))
})
