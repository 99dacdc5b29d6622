/**
 * What an administrator changes in a CRM that holds leads already: a field's type, length, name or rights, what it demands, a rule.
 * No lead has a second record, none is lost, each is told what keeps it out and what to do, and once that is done the next push
 * delivers it.
 */
import { afterEach, describe, expect, test } from 'vitest'
import type { OutgoingLead } from '../../connectors/contract.ts'
import type { FieldChange } from '../../sandboxes/contract.ts'
import type { SalesforceSandbox } from '../../sandboxes/salesforce/sandbox.ts'
import { acknowledged, afterPush, type ConnectorUnderTest, World } from './promises/world.ts'
import { companyLead, gstLead } from './sample-leads.ts'
import { hubspotSubject, salesforceAccountSubject, salesforceSubject, zohoSubject } from './subjects.ts'

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

/** A CRM with two leads in it that have news since, and two that are new; what it holds is compared after each step. */
async function delivered(subject: ConnectorUnderTest, over: object = {}) {
  const crm = await World.create(subject)
  world = crm
  const session = await crm.ready({ over: { ...over } })
  const first = [gstLead(1), companyLead(1)]
  const outcomes = await session.push(first)
  const moved = [gstLead(1, { City: 'Vasco da Gama' }), companyLead(1, { City: 'Vasco da Gama' })]
  const leads: OutgoingLead[] = [
    ...moved.map((lead, n) => afterPush(lead, outcomes[n])),
    ...[gstLead(2), companyLead(2)],
  ]
  const change = (field: string, how: FieldChange) => crm.sandbox.changeField?.(field, how)
  const open = () => crm.open({ over: { ...over } })
  /** Every lead is in, once. */
  const allIn = async () => {
    for (const outcome of await open().push(leads)) expect(acknowledged).toContain(outcome.status)
    for (const lead of leads) expect(crm.stored(lead)).toHaveLength(1)
  }
  return { crm, leads, open, change, allIn, before: JSON.stringify(crm.sandbox.records()) }
}

const salesforceNames = {
  ...{
    identity: 'Panji_Id__c',
    wrongType: 'double',
    rightType: 'string',
    gstin: 'GSTIN__c',
    longName: 'Legal_Name__c',
  },
  needed: 'LastName',
}
const crms = [
  ['Salesforce', salesforceSubject, salesforceNames],
  ['Salesforce with accounts', salesforceAccountSubject, salesforceNames],
  [
    'HubSpot',
    hubspotSubject,
    {
      ...{ identity: 'panji_id', wrongType: 'number', rightType: 'string', gstin: 'panji_gstin' },
      ...{ longName: 'panji_legal_name', needed: null },
    },
  ],
  [
    'Zoho',
    zohoSubject,
    {
      ...{ identity: 'Panji_Id', wrongType: 'double', rightType: 'text', gstin: 'GSTIN', longName: 'Legal_Name' },
      needed: 'Company',
    },
  ],
] as const

describe.each(crms)('%s', (_, subject, names) => {
  const faults: FieldChange[] = [{ type: names.wrongType }, { writable: false }]
  // HubSpot's texts have one length.
  if (names.rightType !== 'string' || subject !== hubspotSubject) faults.push({ length: 10 })

  test.each(faults)(
    'an identity field that was changed (%o) stops the delivery before anything is written, and the test says how it is mended',
    async (fault) => {
      const { crm, leads, open, change, allIn, before } = await delivered(subject)
      change(names.identity, fault)
      await expect(open().push(leads)).rejects.toMatchObject({
        code: 'DESTINATION_INVALID',
        message: expect.stringContaining(names.identity === 'Panji_Id' ? 'Panji' : names.identity),
      })
      expect(JSON.stringify(crm.sandbox.records())).toBe(before)
      expect((await open().setup()).todo.join(' ')).toMatch(/(Setup|Settings) > .*Panji|panji_id/)
      change(names.identity, { type: names.rightType, writable: true, length: 80 })
      expect((await open().setup()).todo).toEqual([])
      await allIn()
    },
  )

  test.each(faults)(
    'with an identity field that was changed (%o) a plan is possible, and what was delivered is found by the CRM’s own id, and erased',
    async (fault) => {
      const { crm, leads, open, change } = await delivered(subject)
      const known = leads.slice(0, 2)
      change(names.identity, fault)
      expect((await open().plan(known)).map(({ action }) => action)).not.toContain('create')
      const ledger = new Map(known.map(({ externalId, crmId, lastPushed }) => [externalId, { crmId, lastPushed }]))
      expect([...(await open().lookup([...ledger.keys()], ledger)).keys()]).toEqual([...ledger.keys()])
      expect(await open().erase([...ledger.keys()], () => {}, ledger)).toBe(2)
      expect(crm.sandbox.records()).toEqual([])
    },
  )

  test.each<[string, FieldChange, FieldChange]>([
    ['type', { type: names.wrongType }, { type: names.rightType }],
    ['right to edit', { writable: false }, { writable: true }],
  ])(
    'a field of Panji’s whose %s was changed keeps no lead out; the test says which, and once it is mended it is filled',
    async (_what, fault, mended) => {
      const { crm, leads, open, change, allIn } = await delivered(subject)
      change(names.gstin, fault)
      await allIn()
      const fresh = gstLead(2)
      expect(crm.heldIn(fresh, names.gstin)).toBeUndefined()
      expect((await open().setup()).advice?.join(' ')).toContain(
        subject === hubspotSubject ? 'panji_gstin' : names.gstin,
      )
      change(names.gstin, mended)
      const [outcome] = await open().push([fresh])
      expect(outcome).toMatchObject({ status: 'updated' })
      expect(crm.heldIn(fresh, names.gstin)).toBe(fresh.row['GSTIN'])
      expect(crm.sandbox.records().length).toBeGreaterThanOrEqual(leads.length)
    },
  )

  test('a text field that was made shorter than what it holds takes what fits, and all of it once it is longer again', async () => {
    const { crm, change, open, allIn } = await delivered(subject)
    change(names.longName, { length: 5 })
    await allIn()
    const lead = gstLead(2)
    change(names.longName, { length: 255 })
    const held = await open().lookup([lead.externalId])
    const crmId = held.get(lead.externalId)?.crmId ?? ''
    await open().push([{ ...lead, crmId, lastPushed: held.get(lead.externalId)?.values ?? {} }])
    expect(crm.heldIn(lead, names.longName)).toBe(lead.row['LegalName'])
  })

  test.each<[string, FieldChange]>([
    ['takes the values of a list alone', { values: ['Of the list'] }],
    ['is shorter', { length: 5 }],
    ['is of another type', { type: names.wrongType }],
    ['may not be edited', { writable: false }],
  ])(
    'a field that %s since the delivery began keeps no lead of that delivery out: what the CRM says by now decides',
    async (_what, change) => {
      const crm = await World.create(subject)
      world = crm
      const session = await crm.ready()
      const [first] = await session.push([gstLead(1)])
      crm.sandbox.changeField?.(names.longName, change)
      const leads = [afterPush(gstLead(1, { LegalName: 'Mandovi Traders Limited' }), first), gstLead(2), companyLead(2)]
      for (const outcome of await session.push(leads)) expect(acknowledged).toContain(outcome.status)
      for (const lead of leads) expect(crm.stored(lead)).toHaveLength(1)
      for (const outcome of await crm.open().push([gstLead(3)])) expect(acknowledged).toContain(outcome.status)
    },
  )

  test.runIf(subject !== hubspotSubject)(
    'a field that is called otherwise since the delivery began stops none of its calls',
    async () => {
      const crm = await World.create(subject)
      world = crm
      const session = await crm.ready()
      const [first] = await session.push([gstLead(1)])
      crm.sandbox.changeField?.(names.longName, { name: names.longName.replace('Legal', 'Full') })
      const leads = [afterPush(gstLead(1, { City: 'Vasco da Gama' }), first), companyLead(2)]
      for (const outcome of await session.push(leads)) expect(acknowledged).toContain(outcome.status)
      for (const lead of leads) expect(crm.stored(lead)).toHaveLength(1)
    },
  )

  test('a label that was changed changes nothing', async () => {
    const { change, open, allIn } = await delivered(subject)
    change(names.identity, { label: 'Key of the register' })
    await allIn()
    expect((await open().setup()).todo).toEqual([])
  })

  test.runIf(names.needed !== null)(
    'a field without which nothing is delivered, and that the user may not write any more, is named by the test, too',
    async () => {
      const { leads, open, change, allIn } = await delivered(subject)
      const needed = names.needed ?? ''
      change(needed, { writable: false })
      await expect(open().push(leads)).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
      expect((await open().setup()).todo.join(' ')).toContain(needed)
      change(needed, { writable: true })
      await allIn()
    },
  )
})

test('HubSpot reports for each lead which changed properties it was delivered without', async () => {
  const { leads, open, change } = await delivered(hubspotSubject)
  change('panji_gstin', { type: 'number' })
  expect(await open().push(leads)).toMatchObject([
    { status: 'updated', leftOut: { code: 'PROPERTY_CHANGED', field: 'panji_gstin' } },
    { status: 'updated' },
    { status: 'created', leftOut: { code: 'PROPERTY_CHANGED', field: 'panji_gstin' } },
    { status: 'created' },
  ])
})

test('Salesforce: a field of the settings that the user may not write any more is named by the test', async () => {
  const over = { custom_fields: { TradeName: 'Trade_Name__c' } }
  const { leads, open, change } = await delivered(salesforceSubject, over)
  change('Trade_Name__c', { writable: false })
  await expect(open().push(leads)).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
  expect((await open().setup()).todo.join(' ')).toContain('edit access to Lead.Trade_Name__c')
})

test('Salesforce: a field of the settings that takes another type by now refuses its leads by its name, as the plan says, and none of them is sent', async () => {
  const { crm, leads, open, change } = await delivered(salesforceSubject, {
    custom_fields: { TradeName: 'Trade_Name__c' },
  })
  const named = leads.map((lead) => ({ ...lead, row: { ...lead.row, TradeName: 'Mandovi' } }))
  change('Trade_Name__c', { type: 'double' })
  const refusal = { code: 'INVALID_TYPE_ON_FIELD_IN_RECORD', field: 'Trade_Name__c' }
  expect(await open().plan(named.slice(0, 1))).toMatchObject([{ action: 'reject', ...refusal }])
  const writes = crm.writes().length
  const [refused] = await open().push(named.slice(0, 1))
  expect(refused).toMatchObject({ status: 'rejected', ...refusal, message: expect.stringContaining('"Mandovi"') })
  expect(crm.writes()).toHaveLength(writes)
})

test.each([
  ['Salesforce', salesforceSubject, 'AnnualRevenue', 'Fields & Relationships > AnnualRevenue > Edit: untick Required'],
  ['Zoho', zohoSubject, 'Annual_Revenue', 'untick Required'],
] as const)(
  '%s: rows without a field that is required by now say which, and what to do, and go in once it is not',
  async (_, subject, field, advice) => {
    const { leads, open, change, allIn } = await delivered(subject)
    change(field, { required: true })
    const outcomes = (await open().push(leads)).slice(2)
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', field, message: expect.stringContaining(advice) })
    change(field, { required: false })
    await allIn()
  },
)

test('Salesforce: rows that a new duplicate rule blocks say so, and what to do, and go in once it does not', async () => {
  const { crm, leads, open, allIn } = await delivered(salesforceSubject)
  const org = crm.sandbox as SalesforceSandbox
  org.ruleDuplicates([{ object: 'Lead', fields: ['State'], allowSave: false }])
  for (const outcome of await open().push(leads))
    expect(outcome).toMatchObject({
      ...{ status: 'rejected', code: 'DUPLICATES_DETECTED' },
      message: expect.stringMatching(/^Use one of these records\? What to do: .*Duplicate Rules/),
    })
  org.ruleDuplicates([])
  await allIn()
})

test('Salesforce: the identity’s API name was changed: set-up makes the field anew, and each record gets its identity back', async () => {
  const { open, leads, change, allIn } = await delivered(salesforceSubject)
  change('Panji_Id__c', { name: 'Registry_Key__c' })
  await expect(open().push(leads)).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
  expect((await open().setup()).created).toContain('Panji_Id__c')
  await allIn()
})

test('Zoho: API names that were changed are to be given back, and no second field of the label is tried for', async () => {
  const { crm, open, leads, change, allIn } = await delivered(zohoSubject)
  change('Panji_Id', { name: 'Registry_Key' })
  change('GSTIN', { name: 'GST_No' })
  await expect(open().push(leads)).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
  const { todo, advice } = await open().setup()
  expect(todo).toEqual([
    expect.stringMatching(/"Panji Id" \(now Registry_Key\) the API name Panji_Id again: .*API Names/),
  ])
  expect(advice).toContainEqual(expect.stringContaining('"GSTIN" (now GST_No) the API name GSTIN'))
  expect(crm.sandbox.calls().filter(({ method, path }) => method === 'POST' && path.includes('/fields'))).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ status: 400 })]),
  )
  change('Registry_Key', { name: 'Panji_Id' })
  await allIn()
})

test.each([
  ['Salesforce', salesforceSubject, 'City', { writable: false }, { writable: true }],
  ['Salesforce', salesforceSubject, 'City', { visible: false }, { visible: true }],
  ['Salesforce with accounts', salesforceAccountSubject, 'BillingCity', { visible: false }, { visible: true }],
  ['HubSpot', hubspotSubject, 'city', { writable: false }, { writable: true }],
  ['Zoho', zohoSubject, 'City', { writable: false }, { writable: true }],
] as const)(
  '%s: a field that was taken from the user (%#) and is given back takes news again where it holds what Panji wrote, and an edit stays',
  async (_crm, subject, field, taken, given) => {
    const crm = await World.create(subject)
    world = crm
    const of = (city: string) => [gstLead(1, { City: city }), gstLead(2, { City: city })]
    let pushed = await (await crm.ready()).push(of('Ponda'))
    const next = async (city: string) => {
      pushed = await crm.open().push(of(city).map((lead, n) => afterPush(lead, pushed[n])))
      for (const { status } of pushed) expect(acknowledged).toContain(status)
    }
    const held = () => of('').map((lead) => crm.heldIn(lead, field))
    crm.sandbox.changeField?.(field, taken)
    await next('Vasco da Gama')
    await next('Mapusa')
    expect(held()).toEqual(['Ponda', 'Ponda'])
    for (const { id } of crm.stored(gstLead(2))) crm.edit(id, field, 'Typed by a rep')
    crm.sandbox.changeField?.(field, given)
    await next('Panaji')
    expect(held()).toEqual(['Panaji', 'Typed by a rep'])
    await next('Margao')
    expect(held()).toEqual(['Margao', 'Typed by a rep'])
  },
)
