/**
 * Lists, campaigns and tags that a mapping names, through the whole engine: what was written joins once, whatever dies in between, and a
 * lead that could join nothing is delivered and says why.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import type { SalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import type { FieldMapping } from '../../../src/deliver/destinations/field-mapping.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { previewMapping, saveMapping } from '../../../src/deliver/mapping/change-mapping.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { readAttempts } from '../../../src/deliver/record/attempts/read-attempts.ts'
import { resendUnplanned } from '../../../src/deliver/resend/resend.ts'
import { joining } from '../../conformance/joining.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
const { signal } = new AbortController()
const db = () => world.database.db

beforeEach(() => world.stopWorker())

const save = (destinationId: string, mapping: readonly FieldMapping[]) =>
  saveMapping(world.parts(), world.queue(), { destinationId, mapping, resend: false, by: { name: 'test' } }, signal)
const work = (id: string) => reconcile(world.parts(), id, signal)
const faultsOf = async (destinationId: string, each: FieldMapping) =>
  (await previewMapping(world.parts(), destinationId, [each], signal)).faults

async function ready(crm: string, mapping: readonly FieldMapping[]) {
  const destinationId = await world.addDestination(crm)
  await testDestination(world.parts(), destinationId, signal)
  await save(destinationId, mapping)
  return destinationId
}

describe.each(Object.entries(joining))('%s', (crm, { field, id, name, match, isCall, withhold, refused }) => {
  const box = () => world.box(crm)
  const members = () => [...(box().members?.(id) ?? [])].toSorted()
  const told = () =>
    box()
      .calls()
      .filter((call) => isCall(call)).length
  const idsOf = (leads: readonly OutgoingLead[]) =>
    box()
      .records()
      .filter(({ properties }) => leads.some(({ externalId }) => Object.values(properties).includes(externalId)))
      .map((record) => record.id)
      .toSorted()
  /** What somebody who looks into the attempts of the first lead reads of it. */
  async function attemptedJoins(destinationId: string) {
    const [delivery] = await db().query<{ id: string }>(
      'SELECT delivery_id AS id FROM deliver.delivery WHERE destination_id = $1 AND external_id = $2',
      [destinationId, gstLead(1).externalId],
    )
    const attempts = await readAttempts(db(), delivery?.id ?? '', { isMasked: false })
    return attempts.flatMap(({ fields }) => fields).filter((each) => each.field === field)
  }
  const byState: FieldMapping = {
    field,
    value: { conditions: [{ column: 'State', is: ['Goa'], value: { constant: name } }], otherwise: { omit: true } },
  }
  const leads = [gstLead(1), gstLead(2, { State: 'Kerala' }), gstLead(3)]

  test('leads join by a condition, as their plan counts, and a later push or a resend tells it no second time', async () => {
    const destinationId = await ready(crm, [byState])
    const orderId = await world.order(leads)
    const { joins } = await planPush(world.parts(), { orderId, destinationId }, signal)
    expect(joins).toEqual([{ field, value: name, leads: 2 }])
    expect(members()).toEqual([])
    await world.push(orderId, destinationId)
    expect(await work(destinationId)).toMatchObject({ failure: null })
    expect(members()).toEqual(idsOf([gstLead(1), gstLead(3)]))
    expect(await attemptedJoins(destinationId)).toEqual([{ field, sent: id, before: null, after: id }])
    const calls = told()
    await resendUnplanned(db(), world.queue(), { destinationId })
    await work(destinationId)
    expect(told()).toBe(calls)
    expect(await world.counts(orderId)).toEqual({ acknowledged: 3, rejected: 0, open: 0 })
  })

  test('where the answer was lost the lead is delivered all the same, and its record joins at the next attempt, once', async () => {
    const destinationId = await ready(crm, [byState])
    const orderId = await world.order(leads)
    await world.push(orderId, destinationId)
    box().addFault({ kind: 'reset', match, times: 1 })
    await work(destinationId)
    expect(await world.counts(orderId)).toEqual({ acknowledged: 3, rejected: 0, open: 0 })
    expect(members()).toEqual([])
    const states = () =>
      db().query(`SELECT DISTINCT state FROM deliver.record WHERE destination_id = $1 ORDER BY state`, [destinationId])
    expect(await states()).toEqual([{ state: 'acknowledged' }, { state: 'pending' }])
    await world.endWaits()
    await work(destinationId)
    expect(members()).toEqual(idsOf([gstLead(1), gstLead(3)]))
    expect(await states()).toEqual([{ state: 'acknowledged' }])
  })

  test('an order that says the same meanwhile does not make it forgotten', async () => {
    const destinationId = await ready(crm, [byState])
    box().addFault({ kind: 'reset', match, times: 1 })
    await world.push(await world.order(leads), destinationId)
    await work(destinationId)
    await world.push(await world.order(leads), destinationId)
    await world.endWaits()
    await work(destinationId)
    expect(members()).toEqual(idsOf([gstLead(1), gstLead(3)]))
  })

  test('a worker that dies between the write and the joining leaves it to the next one, which writes nothing twice', async () => {
    const destinationId = await ready(crm, [byState])
    const orderId = await world.order(leads)
    await world.push(orderId, destinationId)
    box().addFault({ kind: 'timeout', match, times: 1 })
    const dying = new AbortController()
    const died = reconcile(world.parts(), destinationId, dying.signal)
    await vi.waitFor(() => expect(box().faults?.()).toEqual([]), { timeout: 60_000 })
    dying.abort(new Error('the process dies'))
    await died
    expect(members()).toEqual([])
    await world.endWaits()
    expect(await work(destinationId)).toMatchObject({ failure: null })
    expect(members()).toEqual(idsOf([gstLead(1), gstLead(3)]))
    expect(idsOf(leads)).toHaveLength(3)
    expect(await world.counts(orderId)).toEqual({ acknowledged: 3, rejected: 0, open: 0 })
  })

  test('a lead that could join nothing is delivered with the reason, and joins once it is sent again', async () => {
    const destinationId = await ready(crm, [byState])
    withhold(box(), true)
    const orderId = await world.order([gstLead(1)])
    await world.push(orderId, destinationId)
    await work(destinationId)
    const { checks, ok } = await testDestination(world.parts(), destinationId, signal)
    expect(ok).toBe(false)
    expect(checks).toContainEqual({
      name: 'joins',
      ok: false,
      detail: expect.stringContaining('Leads are delivered and join nothing'),
    })
    const told = await db().query<{ message: string }>(
      `SELECT state, last_error ->> 'message' AS message FROM deliver.delivery WHERE destination_id = $1`,
      [destinationId],
    )
    expect(told).toEqual([{ state: 'acknowledged', message: expect.stringMatching(refused) }])
    for (const { before, after } of await attemptedJoins(destinationId)) expect(after).toBe(before)
    withhold(box(), false)
    await resendUnplanned(db(), world.queue(), { destinationId })
    await work(destinationId)
    expect(members()).toEqual(idsOf([gstLead(1)]))
  })

  test('what cannot be joined is refused when the mapping is checked', async () => {
    const destinationId = await ready(crm, [])
    const { crm_fields: fields } = await previewMapping(world.parts(), destinationId, undefined, signal)
    expect(fields.find((each) => each.name === field)?.allowed).toContain(name)
    expect(await faultsOf(destinationId, { field, value: { constant: 'Nobody made this' } })).toEqual([
      expect.stringContaining('"Nobody made this"'),
    ])
    expect(await faultsOf(destinationId, { field, value: { constant: `${name}; ${id}` } })).toEqual([])
    expect(await faultsOf(destinationId, { field, value: { constant: name }, ownership: 'always' })).toEqual([
      expect.stringContaining('nobody owns it'),
    ])
  })
})

test('HubSpot’s active lists take nobody, and say so', async () => {
  const destinationId = await ready('hubspot', [])
  expect(
    await faultsOf(destinationId, { field: 'lists.companies', value: { constant: 'All companies of Goa' } }),
  ).toEqual([expect.stringContaining('is an active list')])
})

test('a Lead that a rep converted becomes a member as the Contact that came of it', async () => {
  const org = world.box('salesforce') as SalesforceSandbox
  const destinationId = await ready('salesforce', [])
  await world.push(await world.order([gstLead(1)]), destinationId)
  await work(destinationId)
  const contact = org.convert(org.records()[0]?.id ?? '')
  await save(destinationId, [{ field: 'CampaignMember', value: { constant: 'Goa expo' } }])
  await resendUnplanned(db(), world.queue(), { destinationId })
  expect(await work(destinationId)).toMatchObject({ failure: null })
  expect(org.members?.('701000000000001AAA')).toEqual([contact])
})

test.each([
  ['salesforce', 'Tag', 'name a campaign (CampaignMember)'],
  ['hubspot', 'Campaign', 'name a static list'],
  ['zoho', 'Campaign', 'name a tag (Tag)'],
])('%s does not offer %s, and says what to name instead', async (crm, field, words) => {
  const destinationId = await ready(crm, [])
  expect(await faultsOf(destinationId, { field, value: { constant: 'Goa' } })).toEqual([expect.stringContaining(words)])
})
