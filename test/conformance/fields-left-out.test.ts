/**
 * A field that the user of a CRM may not write, or does not see, keeps no lead out. What was delivered without a value says so, with the field and
 * what to do, for as long as it lacks it, and nothing of it once it is there.
 */
import { afterEach, describe, expect, test } from 'vitest'
import type { FieldOverride, OutgoingLead, PushOutcome } from '../../connectors/contract.ts'
import { acknowledged, afterPush, World } from './promises/world.ts'
import { gstLead } from './sample-leads.ts'
import {
  hubspotSubject,
  salesforceAccountSubject,
  salesforceBulkSubject,
  salesforceSubject,
  zohoSubject,
} from './subjects.ts'

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

const readOnly = [{ writable: false }, { writable: true }] as const
const hidden = [{ visible: false }, { visible: true }] as const
const inDescription = /are in the Description/
const noSalesforce = { code: 'FIELD_NOT_WRITABLE', advice: /Permission Sets/ }
const noZoho = { code: 'FIELD_NOT_WRITABLE', advice: /Edit Permission/ }
const cases = [
  ['Salesforce', salesforceSubject, 'City', 'City', readOnly, noSalesforce],
  ['Salesforce, hidden', salesforceSubject, 'City', 'City', hidden, noSalesforce],
  ['Salesforce as a job', salesforceBulkSubject, 'City', 'City', readOnly, noSalesforce],
  ['Salesforce with accounts', salesforceAccountSubject, 'BillingCity', 'Account.BillingCity', readOnly, noSalesforce],
  [
    'Salesforce with accounts, hidden',
    salesforceAccountSubject,
    'BillingCity',
    'Account.BillingCity',
    hidden,
    noSalesforce,
  ],
  ['HubSpot', hubspotSubject, 'city', 'city', readOnly, { code: 'PROPERTY_CHANGED', advice: /Change that back/ }],
  ['Zoho', zohoSubject, 'City', 'City', readOnly, noZoho],
] as const

const leftOutOf = (outcomes: readonly PushOutcome[]) =>
  outcomes.map((outcome) => ('leftOut' in outcome ? (outcome.leftOut ?? null) : null))

describe.each(cases)('%s', (_, subject, field, named, [taken, given], { code, advice }) => {
  test('a lead is delivered without a value and says so, also where nothing else is new, and no more once the field takes it', async () => {
    const crm = await World.create(subject)
    world = crm
    const leads = (city: string, pushed: readonly PushOutcome[] = []): OutgoingLead[] =>
      [gstLead(1, { City: city }), gstLead(2, { City: 'Ponda' }), gstLead(3, { City: null })].map((lead, n) =>
        pushed[n] === undefined ? lead : afterPush(lead, pushed[n]),
      )
    const first = await (await crm.ready()).push(leads('Ponda'))
    expect(leftOutOf(first)).toEqual([null, null, null])
    crm.sandbox.changeField?.(field, taken)

    const told = {
      ...{ code, field: named },
      message: expect.stringMatching(new RegExp(`without .*${subject === hubspotSubject ? 'propert' : field}`, 's')),
    }
    const moved = await crm.open().push([...leads('Vasco da Gama', first), gstLead(4), gstLead(5, { City: null })])
    for (const { status } of moved) expect(acknowledged).toContain(status)
    // What it holds already is no news.
    expect(leftOutOf(moved)).toEqual([told, null, null, told, null])
    const [said] = leftOutOf(moved)
    expect(said?.message).toMatch(advice)
    expect(inDescription.test(said?.message ?? '')).toBe(subject !== hubspotSubject)
    expect(crm.heldIn(gstLead(1), field)).toBe('Ponda')

    const still = await crm.open().push([...leads('Vasco da Gama', moved), afterPush(gstLead(4), moved[3])])
    expect(still.map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged'])
    expect(leftOutOf(still)).toEqual([told, null, null, told])

    crm.sandbox.changeField?.(field, given)
    const again = await crm.open().push([...leads('Vasco da Gama', still), afterPush(gstLead(4), still[3])])
    expect(leftOutOf(again)).toEqual([null, null, null, null])
    expect([gstLead(1), gstLead(4)].map((lead) => crm.heldIn(lead, field))).toEqual([
      'Vasco da Gama',
      gstLead(4).row['City'],
    ])
  })
})

test.each([
  ['Salesforce', salesforceSubject, 'Rating', 'Hot', readOnly],
  ['Salesforce, hidden', salesforceSubject, 'Rating', 'Hot', hidden],
  ['Zoho', zohoSubject, 'Annual_Revenue', '5', readOnly],
  ['Zoho, hidden', zohoSubject, 'Annual_Revenue', '5', hidden],
] as const)(
  '%s: a field that the mapping names is told, too, and that its value is nowhere',
  async (_, subject, field, value, [taken]) => {
    const crm = await World.create(subject)
    world = crm
    await crm.ready()
    const overrides: FieldOverride[] = [{ field, value }]
    crm.sandbox.changeField?.(field, taken)
    const [outcome] = await crm.open().push([{ ...gstLead(1), overrides }])
    expect(outcome).toMatchObject({ status: 'created', leftOut: { code: 'FIELD_NOT_WRITABLE', field } })
    expect(leftOutOf(outcome ? [outcome] : [])[0]?.message).not.toMatch(inDescription)
  },
)

test.each([
  ['Salesforce', salesforceSubject, 'Trade_Name__c'],
  ['Zoho', zohoSubject, 'Trade_Name'],
] as const)(
  '%s: of a field of Panji’s that was hidden the leads say so that had it before',
  async (_, subject, field) => {
    const crm = await World.create(subject)
    world = crm
    const [first] = await (await crm.ready()).push([gstLead(1, { TradeName: 'Mandovi Traders' })])
    crm.sandbox.changeField?.(field, { visible: false })
    const lead = afterPush(gstLead(1, { TradeName: 'Mandovi Supplies' }), first)
    const told = await crm.open().push([lead])
    expect(told).toMatchObject([{ leftOut: { code: 'FIELD_NOT_WRITABLE', field } }])
    crm.sandbox.changeField?.(field, { visible: true })
    const again = await crm.open().push([afterPush(lead, told[0])])
    expect(leftOutOf(again)).toEqual([null])
    expect(crm.heldIn(lead, field)).toBe('Mandovi Supplies')
  },
)
