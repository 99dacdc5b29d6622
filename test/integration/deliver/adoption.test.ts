/** Records that the customer had in the CRM before: planned first, taken with consent alone, and theirs for good. */
import { expect, test, vi } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import {
  pauseDestination,
  resumeDestination,
  updateDestination,
} from '../../../src/deliver/destinations/destinations.ts'
import { openDestination, readDestination } from '../../../src/deliver/destinations/open-destination.ts'
import { adoptedAmong, forgetAdoptions, noteAdoptions } from '../../../src/deliver/matching/adopted-records.ts'
import { approvePlan } from '../../../src/deliver/plan/approve-plan.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { recallLeads } from '../../../src/deliver/recall/recall-leads.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { directorLead } from '../../conformance/sample-leads.ts'
import { secretKey as apiKey, newCustomer, recordJobs, useApi } from '../../support/api.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertOrder } from './paid-order.ts'

const world = useDeliveryWorld(apiKey)
const api = useApi(world.database)
const { signal } = new AbortController()

const crms = [
  { crm: 'salesforce', rule: { Email: 'Email' }, identity: 'Panji_Id__c', name: 'LastName' },
  { crm: 'hubspot', rule: { 'contacts.email': 'Email' }, identity: 'panji_id', name: 'lastname' },
  { crm: 'zoho', rule: { Email: 'Email' }, identity: 'Panji_Id', name: 'Last_Name' },
] as const

/** A record that the customer made by hand: it stands for no lead, and its name is the customer's. */
async function foreign(destinationId: string, lead: OutgoingLead, { crm, identity, name }: (typeof crms)[number]) {
  const row = await readDestination(world.database.db, destinationId)
  const { session } = openDestination(world.parts(), row, signal)
  await session.setup()
  const [outcome] = await session.push([lead])
  const id = outcome && 'crmId' in outcome ? outcome.crmId : ''
  world.box(crm).edit(id, { [name]: 'Prabhu, as we know her', [identity]: '' })
  return id
}

test.each(crms)(
  '$crm: a plan names the record, a push without a word is refused, and with consent the lead lies in it',
  async (given) => {
    const customer = await newCustomer(api, world.database)
    const headers = { authorization: `Bearer ${customer.token}` }
    const post = (url: string, payload: object) => api.app.inject({ method: 'POST', url, headers, payload })
    const settings = { ...world.settings(given.crm), match_on: [given.rule] }
    const added = await post('/api/crm/destinations', { type: given.crm, name: 'CRM', settings, deliver: 'manual' })
    const destination_id: string = added.json().destination_id
    const leads = [directorLead(1), directorLead(2)]
    const [first, second] = leads.map(({ externalId }) => externalId)
    const orderId = await insertOrder(world.database.db, customer.accountId, leads)
    const id = await foreign(destination_id, directorLead(1), given)
    const count = world.box(given.crm).records().length

    const path = `/api/crm/orders/${orderId}`
    const plan = (await post(`${path}/plan`, { destination_id })).json()
    expect(plan).toMatchObject({
      counts: { adopt: 1, create: 1 },
      rows: [
        expect.objectContaining({ record: first, action: 'adopt', crm_id: id }),
        { record: second, action: 'create' },
      ],
    })
    expect(world.box(given.crm).records()).toHaveLength(count)

    const silent = await post(`${path}/push`, { destination_id, hash: plan.hash })
    expect([silent.statusCode, silent.json().reason]).toEqual([409, 'adoption_needs_consent'])
    const unplanned = await post(`${path}/push`, { destination_id, adopt: true })
    expect(unplanned.statusCode).toBe(400)
    expect(world.box(given.crm).records()).toHaveLength(count)

    const pushed = await post(`${path}/push`, { destination_id, hash: plan.hash, adopt: true })
    expect(pushed.statusCode, pushed.body).toBe(201)
    await world.until(async () => expect(await world.counts(orderId)).toMatchObject({ acknowledged: 2 }))
    const held = world.box(given.crm).records()
    expect(held).toHaveLength(count + 1)
    expect(held.find((record) => record.id === id)?.properties).toMatchObject({
      [given.identity]: first,
      [given.name]: 'Prabhu, as we know her',
    })

    // Who objects is recalled from what Panji made, and not from what was the customer's.
    const objections = ['00010001', '00010002'].flatMap((din) => readObjection('din', din) ?? [])
    const queue = recordJobs()
    await world.database.db.transaction((tx) => addSuppressions(tx, queue, { objections, actor: 'operator:asha' }))
    // The delivery of before may hold the destination for a moment.
    await vi.waitFor(() => recallLeads(world.parts(), signal), { timeout: 60_000, interval: 200 })
    const left = world
      .box(given.crm)
      .records()
      .map((record) => record.id)
    expect(left).toContain(id)
    expect(left).toHaveLength(count)
    const receipts = await world.database.db.query<{ status: string }>(
      'SELECT status FROM deliver.recall WHERE destination_id = $1 ORDER BY external_id',
      [destination_id],
    )
    expect(receipts.map(({ status }) => status)).toEqual(['kept', 'erased'])
    await world.database.db.execute('DELETE FROM access.suppression')
  },
)

test.each(crms)('$crm: a plan that is refused for want of consent creates no deleted record again', async (given) => {
  const destinationId = await world.addDestination(given.crm, { match_on: [given.rule], on_deleted: 'recreate' })
  await world.stopWorker()
  const [deleted, alike] = [directorLead(7), directorLead(8)]
  await world.push(await world.order([deleted]), destinationId)
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
  const [ours] = world.box(given.crm).records().slice(-1)
  world.box(given.crm).remove?.(ours?.id ?? '')
  await foreign(destinationId, alike, given)
  const orderId = await world.order([deleted, alike])
  const plan = await planPush(world.parts(), { orderId, destinationId }, signal)
  expect(plan.counts).toMatchObject({ create: 1, adopt: 1 })
  const approval = { orderId, destinationId, hash: plan.hash, adopt: undefined }
  await expect(approvePlan(world.parts(), approval, signal)).rejects.toMatchObject({
    ...{ code: 'CONFLICT', extra: { reason: 'adoption_needs_consent' } },
  })
  const count = world.box(given.crm).records().length
  expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
  expect(world.box(given.crm).records()).toHaveLength(count)
})

test.each(crms)(
  '$crm: who declines gets records of his own, and what was claimed by somebody meanwhile is not taken',
  async (given) => {
    const over = { match_on: [given.rule] }
    const destinationId = await world.addDestination(given.crm, over)
    await world.stopWorker()
    const orderId = await world.order([directorLead(3)])
    const id = await foreign(destinationId, directorLead(3), given)
    const parts = world.parts()
    const { hash } = await planPush(parts, { orderId, destinationId }, signal)
    await approvePlan(parts, { orderId, destinationId, hash, adopt: false }, signal)
    const identity = () =>
      world
        .box(given.crm)
        .records()
        .find((record) => record.id === id)?.properties[given.identity]
    expect(identity() ?? '').toBe('')
    world.box(given.crm).edit(id, { [given.identity]: 'director:99999999' })
    await expect(approvePlan(parts, { orderId, destinationId, hash, adopt: true }, signal)).rejects.toMatchObject({
      code: 'CONFLICT',
      extra: { reason: 'plan_moved' },
    })
    expect(identity()).toBe('director:99999999')
    expect(
      await world.database.db.query('SELECT FROM deliver.adoption WHERE destination_id = $1', [destinationId]),
    ).toEqual([])
  },
)

test.each(crms)(
  '$crm: a plan that is approved for a paused destination, or outside its hours, writes nothing before its leads may go',
  async (given) => {
    const destinationId = await world.addDestination(given.crm, { match_on: [given.rule] })
    await world.stopWorker()
    await updateDestination(world.parts(), destinationId, { adoptFrom: null, askFrom: null })
    const leads = [directorLead(3), directorLead(4)]
    const ids: string[] = []
    for (const lead of leads) ids.push(await foreign(destinationId, lead, given))
    const before = structuredClone(world.box(given.crm).records())
    const approve = async (lead: OutgoingLead) => {
      const request = { orderId: await world.order([lead]), destinationId }
      const { hash } = await planPush(world.parts(), request, signal)
      await approvePlan(world.parts(), { ...request, hash, adopt: true }, signal)
      await world.push(request.orderId, destinationId)
      expect(world.box(given.crm).records()).toEqual(before)
      return request.orderId
    }
    await pauseDestination(world.parts(), destinationId)
    const first = await approve(directorLead(3))
    await resumeDestination(world.parts(), destinationId)
    await world.database.db.execute(
      `UPDATE deliver.destination SET hours = to_char(now() AT TIME ZONE 'Asia/Kolkata' + interval '2 hours', 'HH24:00') || '-'
         || to_char(now() AT TIME ZONE 'Asia/Kolkata' + interval '3 hours', 'HH24:00') WHERE destination_id = $1`,
      [destinationId],
    )
    const second = await approve(directorLead(4))
    await updateDestination(world.parts(), destinationId, { hours: null })
    expect(await reconcile(world.parts(), destinationId, signal)).toMatchObject({ failure: null })
    for (const orderId of [first, second]) expect(await world.counts(orderId)).toMatchObject({ acknowledged: 1 })
    const held = world.box(given.crm).records()
    expect(held).toHaveLength(before.length)
    for (const [n, id] of ids.entries())
      expect(held.find((record) => record.id === id)?.properties).toMatchObject({
        [given.identity]: leads[n]?.externalId,
        [given.name]: 'Prabhu, as we know her',
      })
  },
)

test('a record that was noted as the customer’s and then not taken is forgotten, and no other, in each destination for itself', async () => {
  const [one, other] = [await world.addDestination('hubspot'), await world.addDestination('hubspot', {}, 'Other')]
  const claims = [1, 2].map((n) => ({ externalId: directorLead(n).externalId, crmId: `crm-${n}` }))
  const noted = (destinationId: string) => adoptedAmong(world.database.db, destinationId, ['crm-1', 'crm-2', 'crm-3'])
  for (const destinationId of [one, other]) await noteAdoptions(world.database.db, destinationId, claims)
  await forgetAdoptions(world.database.db, one, claims.slice(0, 1))
  expect([[...(await noted(one))], [...(await noted(other))].toSorted()]).toEqual([['crm-2'], ['crm-1', 'crm-2']])
})
