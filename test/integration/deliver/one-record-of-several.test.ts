/** Several destinations into one account of a CRM, of one customer or of several: each lead stands there once, as the register was read last. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { addDestination, removeDestination } from '../../../src/deliver/destinations/destinations.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { readPush } from '../../../src/deliver/push/read-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { recallLeads } from '../../../src/deliver/recall/recall-leads.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { resendWithin } from '../../../src/deliver/resend/resend.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { companyLead, gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const db = () => world.database.db

beforeEach(() => world.stopWorker())
afterEach(async () => {
  for (const table of ['deliver.recall', 'access.suppression']) await db().execute(`DELETE FROM ${table}`)
})

const crms = [
  { crm: 'salesforce', identity: 'Panji_Id__c', city: 'City', status: 'Registry_Status__c', person: 'LastName' },
  { crm: 'hubspot', identity: 'panji_id', city: 'city', status: 'panji_status', person: 'address' },
  { crm: 'zoho', identity: 'Panji_Id', city: 'City', status: 'Registry_Status', person: 'Last_Name' },
]

/** A destination, with the account that owns it. */
interface Seat {
  readonly accountId: string
  readonly destinationId: string
}

const seat = async (crm: string, accountId: string, name = 'CRM'): Promise<Seat> => {
  const given = { accountId, connector: crm, name, settings: world.settings(crm), askFrom: null }
  return {
    accountId,
    destinationId: (await addDestination(db(), world.connectors, world.secretKey, given)).destination_id,
  }
}

const seatsOf = async (crm: string, whose: string): Promise<readonly [Seat, Seat]> => {
  const [mine, other] = [world.accountId(), await insertAccount(db())]
  const second = await seat(crm, whose === 'another customer' ? other : mine, 'Second')
  expect(await testDestination(world.parts(), second.destinationId, signal)).toMatchObject({ ok: true })
  return [await seat(crm, mine), second]
}

const leads = (city: string, status = 'Active') => [
  gstLead(1, { City: city, Status: status }),
  companyLead(1, { City: city, DirectorDINs: '' }),
]
const bought = ({ accountId }: Seat, ...given: Parameters<typeof leads>) =>
  insertOrder(db(), accountId, leads(...given))

async function deliver({ destinationId }: Seat, orderId: string) {
  const pushId = await world.push(orderId, destinationId)
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
  return (await readPush(db(), pushId)).counts
}

const records = (crm: string) => structuredClone(world.box(crm).records())

const ledger = (seats: readonly Seat[]) =>
  db().query<{ state: string; code: string | null }>(
    `SELECT state, last_error ->> 'code' AS code FROM deliver.record WHERE destination_id = ANY($1) ORDER BY destination_id, external_id`,
    [seats.map(({ destinationId }) => destinationId)],
  )

describe.each([
  ...crms.map((given) => ({ ...given, whose: 'another customer' })),
  ...crms.slice(1, 2).map((given) => ({ ...given, whose: 'the same customer' })),
])('$crm, with a second destination of $whose', ({ crm, whose, identity, city, status, person }) => {
  test('an older order overwrites nothing that a newer one delivered, as its plan says', async () => {
    const [first, second] = await seatsOf(crm, whose)
    const [older, newer] = [await bought(second, 'Old Goa', 'Suspended'), await bought(first, 'Panaji')]
    expect(await deliver(first, newer)).toMatchObject({ created: 2 })
    const before = records(crm)
    const plan = await planPush(world.parts(), { orderId: older, ...second }, signal)
    expect(plan.counts).toMatchObject({ unchanged: 2 })
    expect(await deliver(second, older)).toMatchObject({ unchanged: 2 })
    await db().transaction((tx) => resendWithin(tx, world.queue(), second))
    await reconcile(world.parts(), second.destinationId, signal)
    expect(records(crm)).toEqual(before)
  })

  test('a newer order brings each field up to date, except what people wrote', async () => {
    const [first, second] = await seatsOf(crm, whose)
    await deliver(first, await bought(first, 'Old Goa', 'Active'))
    const [edited = { id: '' }, other] = records(crm)
    world.box(crm).edit(edited.id, { [person]: 'As we know them' })
    const order = await bought(second, 'Panaji', 'Suspended')
    const plan = await planPush(world.parts(), { orderId: order, ...second }, signal)
    expect(plan.counts).toMatchObject({ update: 2 })
    expect(await deliver(second, order)).toMatchObject({ updated: 2 })
    const after = records(crm)
    expect(after.map(({ id }) => id)).toEqual([edited.id, other?.id])
    expect(after.map(({ properties }) => properties[city])).toEqual(['Panaji', 'Panaji'])
    expect(after[0]?.properties[person]).toBe('As we know them')
    expect(after.find(({ properties }) => String(properties[identity]).startsWith('gst:'))?.properties).toMatchObject({
      [status]: 'Suspended',
    })
    // The first one is sent again, as the register was read last.
    await db().transaction((tx) => resendWithin(tx, world.queue(), first))
    await reconcile(world.parts(), first.destinationId, signal)
    expect(records(crm)).toEqual(after)
    expect((await ledger([first, second])).map(({ state }) => state)).toEqual(Array(4).fill('acknowledged'))
  })

  test('a recall by either keeps the record that the customer of the CRM had before', async () => {
    const [first, second] = await seatsOf(crm, whose)
    const object = { salesforce: 'Lead', hubspot: 'companies', zoho: 'Leads' }[crm]
    await deliver(second, await bought(second, 'Old Goa'))
    const [own] = records(crm)
    expect(own?.object).toBe(object)
    const [noted] = await db().query<{ crmId: string; externalId: string }>(
      `SELECT crm_id AS "crmId", external_id AS "externalId" FROM deliver.record WHERE destination_id = $1 AND crm_id = $2`,
      [second.destinationId, own?.id],
    )
    await deliver(first, await bought(first, 'Panaji'))
    // The first one adopted it.
    await db().execute('INSERT INTO deliver.adoption (destination_id, crm_id, external_id) VALUES ($1, $2, $3)', [
      first.destinationId,
      noted?.crmId,
      noted?.externalId,
    ])
    const objections = leads('').flatMap(({ row }) => readObjection('email', String(row['Email'])) ?? [])
    await db().transaction((tx) => addSuppressions(tx, world.queue(), { objections, actor: 'operator:asha' }))
    await recallLeads(world.parts(), signal)
    expect(records(crm).map(({ id }) => id)).toEqual([own?.id])
  })
})

test.each(crms)(
  '$crm: neither of two customers takes a value of the mapping of the other for its own',
  async ({ crm, city }) => {
    const [first, second] = await seatsOf(crm, 'another customer')
    const field = crm === 'hubspot' ? 'companies.city' : city
    for (const [{ destinationId }, town] of [
      [first, 'Team One'],
      [second, 'Team Two'],
    ] as const)
      await db().execute('UPDATE deliver.destination SET mapping = $2 WHERE destination_id = $1', [
        destinationId,
        JSON.stringify([{ field, value: { constant: town } }]),
      ])
    await deliver(first, await bought(first, 'Old Goa'))
    await deliver(second, await bought(second, 'Panaji'))
    await deliver(first, await bought(first, 'Margao'))
    expect(records(crm).map(({ properties }) => properties[city])).toEqual(['Team One', 'Team One'])
  },
)

test.each(crms)(
  '$crm: what people deleted is not created again by another destination of the customer, and what lost its identity is found',
  async ({ crm, city, identity }) => {
    const [first, second] = await seatsOf(crm, 'the same customer')
    await deliver(first, await bought(first, 'Old Goa'))
    const [lost = { id: '' }, gone = { id: '' }] = records(crm)
    world.box(crm).edit(lost.id, { [identity]: '' })
    world.box(crm).remove?.(gone.id)
    expect(await deliver(second, await bought(second, 'Panaji'))).toMatchObject({ created: 0, rejected: 1 })
    expect(records(crm).map(({ id }) => id)).toEqual([lost.id])
    expect(records(crm)[0]?.properties).toMatchObject({ [city]: 'Panaji', [identity]: expect.stringContaining(':') })
    expect(await ledger([second])).toContainEqual({ state: 'rejected', code: 'DELETED' })
    const [delivery] = await db().query<{ id: string }>(
      `SELECT delivery_id AS id FROM deliver.delivery WHERE destination_id = $1 AND state = 'rejected'`,
      [second.destinationId],
    )
    await db().transaction((tx) => retryDeliveries(tx, world.queue(), { deliveryId: delivery?.id ?? '' }))
    await reconcile(world.parts(), second.destinationId, signal)
    expect(records(crm)).toHaveLength(2)
    await deliver(first, await bought(first, 'Margao'))
    expect(records(crm).map(({ properties }) => properties[city])).toEqual(['Margao', 'Margao'])
  },
)

test.each(crms)(
  '$crm: what a destination was sending when it was removed is no edit of a person to the one that is added after it',
  async ({ crm, city }) => {
    const first = await seat(crm, world.accountId())
    await deliver(first, await bought(first, 'Old Goa'))
    // As the worker leaves it that dies between the CRM's write and its answer, here of a first delivery.
    await db().execute(
      `UPDATE deliver.record SET state = 'sending', outcome = NULL, acknowledged_sha256 = NULL, acknowledged_at = NULL,
         pushed_values = NULL, crm_id = NULL WHERE destination_id = $1`,
      [first.destinationId],
    )
    await removeDestination(world.parts(), first.destinationId)
    const again = await seat(crm, world.accountId(), 'Again')
    expect(await testDestination(world.parts(), again.destinationId, signal)).toMatchObject({ ok: true })
    const order = await bought(again, 'Panaji')
    expect((await planPush(world.parts(), { orderId: order, ...again }, signal)).counts).toMatchObject({ update: 2 })
    await deliver(again, order)
    expect(records(crm).map(({ properties }) => properties[city])).toEqual(['Panaji', 'Panaji'])
  },
)
