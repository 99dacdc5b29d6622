/** Records of the customer's that are certain to be a lead's, and that do not take its identity: none is made beside them, and theirs they stay. */
import { beforeEach, expect, test } from 'vitest'
import type { SalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import type { ZohoSandbox } from '../../../sandboxes/zoho/sandbox.ts'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { openDestination, readDestination } from '../../../src/deliver/destinations/open-destination.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { approvePlan } from '../../../src/deliver/plan/approve-plan.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { recallLeads } from '../../../src/deliver/recall/recall-leads.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { directorLead } from '../../conformance/sample-leads.ts'
import { recordJobs } from '../../support/api.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const db = () => world.database.db
const lead = directorLead(1)

beforeEach(async () => {
  await world.stopWorker()
  for (const table of ['deliver.recall', 'access.suppression']) await db().execute(`DELETE FROM ${table}`)
})

const crms = [
  { crm: 'salesforce', rule: { Email: 'Email' }, identity: 'Panji_Id__c', name: 'LastName', claims: 'PATCH ' },
  {
    crm: 'hubspot',
    rule: { 'contacts.email': 'Email' },
    identity: 'panji_id',
    name: 'lastname',
    claims: '/batch/update',
  },
  { crm: 'zoho', rule: { Email: 'Email' }, identity: 'Panji_Id', name: 'Last_Name', claims: 'PUT /crm/v8/Leads' },
] as const
type Crm = (typeof crms)[number]

async function destination({ crm, rule }: Crm, adoptFrom: number | null = 80) {
  const settings = { ...world.settings(crm), match_on: [rule] }
  const given = { accountId: world.accountId(), connector: crm, name: 'CRM', settings, adoptFrom, askFrom: null }
  return (await addDestination(db(), world.connectors, world.secretKey, given)).destination_id
}

/** What the customer made by hand, of the lead and of somebody else. @returns the id of the lead's. */
async function foreign(destinationId: string, { crm, identity, name }: Crm): Promise<string> {
  expect(await testDestination(world.parts(), destinationId, signal)).toMatchObject({ ok: true })
  const { session } = openDestination(world.parts(), await readDestination(db(), destinationId), signal)
  const ids = (await session.push([lead, directorLead(2)])).map((each) => ('crmId' in each ? each.crmId : ''))
  for (const id of ids) world.box(crm).edit(id, { [name]: 'As we know her', [identity]: '' })
  return ids[0] ?? ''
}

const work = (id: string) => reconcile(world.parts(), id, signal)
async function deliver(destinationId: string): Promise<string> {
  const orderId = await world.order([lead])
  await world.push(orderId, destinationId)
  expect(await work(destinationId)).toMatchObject({ failure: null })
  return orderId
}
const records = ({ crm }: Crm) => structuredClone(world.box(crm).records())
const told = async (destinationId: string) =>
  (
    await db().query<{ state: string; message: string | null }>(
      `SELECT state, last_error ->> 'message' AS message FROM deliver.record WHERE destination_id = $1`,
      [destinationId],
    )
  )[0]
const taken = ({ identity, name }: Crm) => ({ [identity]: lead.externalId, [name]: 'As we know her' })
async function recall(): Promise<void> {
  const objections = [readObjection('din', lead.externalId.slice('director:'.length)) ?? []].flat()
  await db().transaction((tx) => addSuppressions(tx, recordJobs(), { objections, actor: 'operator:asha' }))
  await recallLeads(world.parts(), signal)
}

const refusals: Readonly<Record<Crm['crm'], (id: string) => () => void>> = {
  salesforce(id) {
    const org = world.box('salesforce') as SalesforceSandbox
    org.submit(id)
    return () => org.decide(id)
  },
  hubspot() {
    const body = { status: 'error', category: 'VALIDATION_ERROR', message: 'this record is being edited' }
    world.box('hubspot').addFault({ kind: 'status', status: 400, body, match: '/batch/update' })
    return () => world.box('hubspot').endFaults?.()
  },
  zoho(id) {
    const org = world.box('zoho') as ZohoSandbox
    org.submit(id)
    return () => org.decide(id)
  },
}

test.each(crms)(
  '$crm: a record that takes no identity for now, or for good, is waited for with the reason: none is made beside it, and once it does the lead lies in it',
  async (given) => {
    const destinationId = await destination(given)
    const id = await foreign(destinationId, given)
    const before = records(given)
    const end = refusals[given.crm](id)
    const orderId = await deliver(destinationId)
    expect(records(given)).toEqual(before)
    const waiting = await told(destinationId)
    expect(waiting?.state).toBe(given.crm === 'hubspot' ? 'rejected' : 'pending')
    expect(waiting?.message).toContain(id)
    await world.endWaits()
    await work(destinationId)
    expect(records(given)).toEqual(before)

    end()
    await db().transaction((tx) => retryDeliveries(tx, world.queue(), { destinationId }))
    await world.endWaits()
    expect(await work(destinationId)).toMatchObject({ failure: null })
    expect(await world.counts(orderId)).toMatchObject({ acknowledged: 1 })
    expect(records(given)).toHaveLength(before.length)
    expect(records(given).find((each) => each.id === id)?.properties).toMatchObject(taken(given))
    await recall()
    expect(records(given).map((each) => each.id)).toEqual(before.map((each) => each.id))
  },
)

test.each(crms)(
  '$crm: a record that was taken with an answer that does not say so stays the customer’s, also where somebody objects',
  async (given) => {
    const destinationId = await destination(given)
    const id = await foreign(destinationId, given)
    const before = records(given)
    world.box(given.crm).addFault({ kind: 'omit_rows', match: given.claims, times: 1 })
    await deliver(destinationId)
    await world.endWaits()
    await work(destinationId)
    expect((await told(destinationId))?.state).toBe('acknowledged')
    expect(records(given)).toHaveLength(before.length)
    expect(records(given).find((each) => each.id === id)?.properties).toMatchObject(taken(given))
    await recall()
    expect(records(given).map((each) => each.id)).toEqual(before.map((each) => each.id))
  },
)

test.each(crms)(
  '$crm: a plan whose record was taken with an answer that does not say so leaves it the customer’s',
  async (given) => {
    const destinationId = await destination(given, null)
    const id = await foreign(destinationId, given)
    const before = records(given)
    const orderId = await world.order([lead])
    const plan = await planPush(world.parts(), { orderId, destinationId }, signal)
    expect(plan.counts).toMatchObject({ adopt: 1 })
    world.box(given.crm).addFault({ kind: 'omit_rows', match: given.claims, times: 1 })
    await expect(
      approvePlan(world.parts(), { orderId, destinationId, hash: plan.hash, adopt: true }, signal),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    await world.push(orderId, destinationId)
    expect(await work(destinationId)).toMatchObject({ failure: null })
    expect(records(given).find((each) => each.id === id)?.properties).toMatchObject(taken(given))
    await recall()
    expect(records(given).map((each) => each.id)).toEqual(before.map((each) => each.id))
  },
)

test.each(crms.filter(({ crm }) => crm !== 'hubspot'))(
  '$crm: who declines a record that did not take its identity by the plan before gets a record beside it, and theirs stays as it was',
  async (given) => {
    const destinationId = await destination(given)
    const id = await foreign(destinationId, given)
    const before = records(given)
    const end = refusals[given.crm](id)
    const orderId = await world.order([lead])
    const approve = async (adopt: boolean) => {
      const { hash } = await planPush(world.parts(), { orderId, destinationId }, signal)
      await approvePlan(world.parts(), { orderId, destinationId, hash, adopt }, signal)
    }
    await expect(approve(true)).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('locked') })
    end()
    await approve(false)
    await world.push(orderId, destinationId)
    expect(await work(destinationId)).toMatchObject({ failure: null })
    expect(await world.counts(orderId)).toMatchObject({ acknowledged: 1 })
    expect(records(given).filter((each) => before.some((held) => held.id === each.id))).toEqual(before)
    expect(records(given)).toHaveLength(before.length + 1)
  },
)
