/** Whose a record is, said by a destination's mapping: by a person's e-mail address or the CRM's own id, for new records, and never over a rep's word. */

import { afterEach, describe, expect, test } from 'vitest'
import type { OutgoingLead } from '../../connectors/contract.ts'
import type { FilledLead } from '../../connectors/filled-lead.ts'
import type { Sandbox } from '../../sandboxes/contract.ts'
import { createHubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'
import { createSalesforceSandbox } from '../../sandboxes/salesforce/sandbox.ts'
import { createZohoSandbox } from '../../sandboxes/zoho/sandbox.ts'
import { afterPush, type ConnectorUnderTest, World } from './promises/world.ts'
import { gstLead } from './sample-leads.ts'
import { hubspotSubject, salesforceAccountSubject, salesforceSubject, zohoSubject } from './subjects.ts'

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

interface OwningCrm {
  readonly subject: ConnectorUnderTest
  readonly field: string
  readonly held: string
  readonly asha: string
  readonly ravi: string
  readonly left: string
  create(): Sandbox
}

const inSalesforce = {
  ...{ held: 'OwnerId', asha: '005000000000011AAA', ravi: '005000000000012AAA', left: '005000000000013AAA' },
  create: createSalesforceSandbox,
}
/** Those that let an app ask for their people by a scope of its own. */
const scoped = [
  {
    subject: hubspotSubject,
    field: 'companies.hubspot_owner_id',
    held: 'hubspot_owner_id',
    ...{ asha: '41629779', ravi: '41629780', left: '41629781' },
    create: createHubspotSandbox,
    scope: 'crm.objects.owners.read',
  },
  {
    subject: zohoSubject,
    field: 'Owner',
    held: 'Owner',
    ...{ asha: '4150868000000225013', ravi: '4150868000000225014', left: '4150868000000225015' },
    create: createZohoSandbox,
    scope: 'ZohoCRM.users.READ',
  },
]
const crms: readonly (OwningCrm & { readonly called: string })[] = [
  { ...inSalesforce, called: 'salesforce, a Lead', subject: salesforceSubject, field: 'OwnerId' },
  { ...inSalesforce, called: 'salesforce, an Account', subject: salesforceAccountSubject, field: 'Account.OwnerId' },
  ...scoped.map((crm) => ({ ...crm, called: crm.subject.connector.name })),
]

/** What the tests do with one of them. */
const misfitsIn = (filled: readonly FilledLead[] = [], field: string) =>
  filled.flatMap(({ misfits }) => misfits.filter((each) => each.field === field))

function acts({ subject, field, held, create }: Pick<OwningCrm, 'subject' | 'field' | 'held' | 'create'>) {
  return {
    async ready(sandbox: Sandbox = create()) {
      world = await World.create(subject, sandbox)
      await world.open().setup()
      return world
    },
    owned: (value: string, lead: OutgoingLead = gstLead(1), ownership?: 'always' | 'if_empty'): OutgoingLead => ({
      ...lead,
      overrides: [{ field, value, ...(ownership === undefined ? {} : { ownership }) }],
    }),
    misfits: async (crm: World, leads: readonly OutgoingLead[]) => misfitsIn(await crm.open().fill?.(leads), field),
    ownerIn: (crm: World, lead: OutgoingLead) => crm.heldIn(lead, held),
  }
}

describe.each(crms)('$called', ({ subject, field, held, asha, ravi, left, create }) => {
  const { ready, owned, misfits, ownerIn } = acts({ subject, field, held, create })

  test('lists the people who may own a record, and knows them by their e-mail addresses', async () => {
    const crm = await ready()
    const described = (await crm.open().describe()).find(({ name }) => name === field)
    expect(described?.allowed).toEqual(expect.arrayContaining([asha, ravi]))
    expect(described?.allowed).not.toContain(left)
    expect(described?.labels).toMatchObject({ 'asha@sandbox.example.com': asha, 'ravi@sandbox.example.com': ravi })
  })

  test('gives new records to whom the mapping names, and says unchanged when pushed again', async () => {
    const crm = await ready()
    const leads = [owned('Ravi@Sandbox.example.com'), owned(asha, gstLead(2)), gstLead(3)]
    const outcomes = await crm.open().push(leads)
    expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created', 'created'])
    expect([ownerIn(crm, gstLead(1)), ownerIn(crm, gstLead(2))]).toEqual([ravi, asha])
    const again = leads.map((lead, n) => afterPush(lead, outcomes[n]))
    expect(await crm.open().plan(again)).toMatchObject([
      { action: 'unchanged' },
      { action: 'unchanged' },
      { action: 'unchanged' },
    ])
    expect((await crm.open().push(again)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged'])
  })

  test.each([undefined, 'if_empty'] as const)(
    'leaves a record to the rep who took it over, whatever else is new (ownership %s)',
    async (ownership) => {
      const crm = await ready()
      const [first] = await crm.open().push([owned(asha, gstLead(1), ownership)])
      const lead = afterPush(owned(ravi, gstLead(1, { City: 'Vasco da Gama' }), ownership), first)
      crm.edit(String(lead.crmId), held, ravi)
      const taken = afterPush(owned(asha, gstLead(1, { City: 'Vasco da Gama' }), ownership), first)
      const [second] = await crm.open().push([taken])
      expect(second).toMatchObject({ status: 'updated' })
      expect(ownerIn(crm, lead)).toBe(ravi)
      expect(await crm.open().push([afterPush(taken, second)])).toMatchObject([{ status: 'unchanged' }])
    },
  )

  test('routes leads by a table of the customer’s, such as of districts, and tells of what the table does not name', async () => {
    const crm = await ready()
    const over = { list_values: { [field]: { 'north goa': 'asha@sandbox.example.com', 'South Goa': ravi } } }
    const leads = ['North Goa', 'South Goa', 'Kollam'].map((place, n) => owned(place, gstLead(n + 1)))
    const session = crm.open({ over })
    expect(misfitsIn(await session.fill?.(leads), field)).toEqual([{ field, column: null, value: 'Kollam' }])
    const outcomes = await session.push(leads)
    expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created', 'created'])
    expect(leads.slice(0, 2).map((lead) => ownerIn(crm, lead))).toEqual([asha, ravi])
    const again = leads.map((lead, n) => afterPush(lead, outcomes[n]))
    expect((await session.push(again)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged'])
    expect((await session.setup()).advice?.filter((each) => each.includes('list_values'))).toEqual([])
    const wrong = { list_values: { [field]: { 'North Goa': 'nobody@sandbox.example.com' } } }
    expect((await crm.open({ over: wrong }).setup()).advice?.join(' ')).toContain(
      `list_values of ${field} names what its list lacks: nobody@sandbox.example.com`,
    )
  })

  test('hands records over where the mapping says always', async () => {
    const crm = await ready()
    const [first] = await crm.open().push([owned(asha)])
    expect(await crm.open().push([afterPush(owned(ravi, gstLead(1), 'always'), first)])).toMatchObject([
      { status: 'updated' },
    ])
    expect(ownerIn(crm, gstLead(1))).toBe(ravi)
  })

  test('reports owners whom the CRM does not have or who have left, and delivers the leads without them', async () => {
    const crm = await ready()
    const leads = [owned(left), owned('nobody@sandbox.example.com', gstLead(2)), owned(asha, gstLead(3))]
    expect(await misfits(crm, leads)).toEqual([
      { field, column: null, value: left },
      { field, column: null, value: 'nobody@sandbox.example.com' },
    ])
    expect((await crm.open().push(leads)).map(({ status }) => status)).toEqual(['created', 'created', 'created'])
    expect(ownerIn(crm, gstLead(3))).toBe(asha)
  })
})

describe.each(scoped)('$subject.connector.name', ({ subject, field, held, asha, create, scope }) => {
  const { ready, owned, misfits, ownerIn } = acts({ subject, field, held, create })

  test('takes ids where the app may not ask for the people, and says what to tick so that addresses go, too', async () => {
    const sandbox = create()
    sandbox.withholdScopes([scope])
    const crm = await ready(sandbox)
    expect((await crm.open().setup()).todo).toEqual([])
    expect((await crm.open().setup()).advice?.join(' ')).toContain(scope)
    expect((await crm.open().describe()).find(({ name }) => name === field)?.allowed).toBeNull()
    const leads = [owned(asha), owned('asha@sandbox.example.com', gstLead(2))]
    expect(await misfits(crm, leads)).toEqual([{ field, column: null, value: 'asha@sandbox.example.com' }])
    expect((await crm.open().push(leads)).map(({ status }) => status)).toEqual(['created', 'created'])
    expect(ownerIn(crm, gstLead(1))).toBe(asha)
  })
})

describe('salesforce', () => {
  const { ready, owned, misfits, ownerIn } = acts({ ...inSalesforce, subject: salesforceSubject, field: 'OwnerId' })
  const [queue, asha] = ['00G000000000001AAA', inSalesforce.asha]

  test('gives Leads to a queue by its name, and to people by their user names and Ids of 15 characters', async () => {
    const crm = await ready()
    const leads = [owned('Goa desk'), owned('asha@goa-sales.example', gstLead(2)), owned(asha.slice(0, 15), gstLead(3))]
    const outcomes = await crm.open().push(leads)
    expect(leads.map((lead) => ownerIn(crm, lead))).toEqual([queue, asha, asha])
    const again = leads.map((lead, n) => afterPush(lead, outcomes[n]))
    expect((await crm.open().push(again)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged'])
  })

  test('reports an address that two users share, and a queue for an Account, and assigns the record to neither', async () => {
    const crm = await ready()
    expect(await misfits(crm, [owned('sales@sandbox.example.com')])).toMatchObject([
      { value: 'sales@sandbox.example.com' },
    ])
    expect(await crm.open().push([owned('sales@sandbox.example.com')])).toMatchObject([{ status: 'created' }])
    expect(ownerIn(crm, gstLead(1))).toBeUndefined()
    await crm.close()
    const account = acts({ ...inSalesforce, subject: salesforceAccountSubject, field: 'Account.OwnerId' })
    const other = await account.ready()
    expect(await account.misfits(other, [account.owned('Goa desk')])).toMatchObject([{ value: 'Goa desk' }])
    expect(await other.open().push([account.owned('Goa desk')])).toMatchObject([{ status: 'created' }])
  })

  test('gives away what it made before the mapping named anybody, and nothing that is somebody else’s', async () => {
    const crm = await ready()
    const [first, second] = await crm.open().push([gstLead(1), gstLead(2)])
    crm.edit(String(afterPush(gstLead(2), second).crmId), 'OwnerId', inSalesforce.ravi)
    const leads = [afterPush(owned(asha), first), afterPush(owned(asha, gstLead(2)), second)]
    expect(await crm.open().plan(leads)).toEqual([
      { action: 'update', changes: [{ field: 'OwnerId', before: null, after: asha }] },
      { action: 'conflict', reason: 'edited in Salesforce: OwnerId' },
    ])
    await crm.open().push(leads)
    expect(leads.map((lead) => ownerIn(crm, lead))).toEqual([asha, inSalesforce.ravi])
  })

  test('keeps its own records where the mapping names its own user, without a write', async () => {
    const crm = await ready()
    const own = '005000000000001AAA'
    const [first] = await crm.open().push([gstLead(1)])
    expect(await crm.open().push([afterPush(owned(own), first)])).toMatchObject([{ status: 'unchanged' }])
  })

  test('asks once for the people whom the leads of a push name, however many leads there are', async () => {
    const crm = await ready()
    const session = crm.open()
    const before = crm.sandbox.calls().length
    await session.push([owned(asha), ...[2, 3, 4, 5].map((n) => owned('ravi@sandbox.example.com', gstLead(n)))])
    await session.push([6, 7].map((n) => owned('ravi@sandbox.example.com', gstLead(n))))
    const asked = crm.sandbox
      .calls()
      .slice(before)
      .filter(({ path }) => /FROM(\+|%20)User/.test(path))
    expect(asked).toHaveLength(1)
  })
})

test('HubSpot: an owner who leaves keeps their records, and leads that name them are delivered and reported', async () => {
  const sandbox = createHubspotSandbox()
  const [crm] = scoped
  if (crm === undefined) throw new Error('no CRM lets an app ask for its people')
  const { ready, owned, misfits, ownerIn } = acts(crm)
  const hubspot = await ready(sandbox)
  const asha = 'asha@sandbox.example.com'
  const [first] = await hubspot.open().push([owned(asha)])
  sandbox.archiveOwner(asha)
  const changed = owned(asha, afterPush(gstLead(1, { City: 'Mapusa' }), first))
  const again = await hubspot.open().push([changed, owned(asha, gstLead(2))])
  expect(again).toMatchObject([{ status: 'updated' }, { status: 'created' }])
  expect([ownerIn(hubspot, gstLead(1)), ownerIn(hubspot, gstLead(2))]).toEqual([crm.asha, undefined])
  expect(await misfits(hubspot, [changed])).toMatchObject([{ field: crm.field }])
})
