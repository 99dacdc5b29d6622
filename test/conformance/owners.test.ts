/** Whose a record is, said by a destination's mapping: by a person's e-mail address or the CRM's own id, for new records, and never over a rep's word. */
import { afterEach, describe, expect, test } from 'vitest'
import type { OutgoingLead } from '../../connectors/contract.ts'
import { createHubspotSandbox } from '../../connectors/hubspot/sandbox/sandbox.ts'
import { createZohoSandbox } from '../../connectors/zoho/sandbox/sandbox.ts'
import { afterPush, World } from './promises/world.ts'
import { gstLead } from './sample-leads.ts'
import { hubspotSubject, zohoSubject } from './subjects.ts'

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

const crms = [
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

describe.each(crms)('$subject.connector.name', ({ subject, field, held, asha, ravi, left, create, scope }) => {
  const ready = async (sandbox = create()) => {
    world = await World.create(subject, sandbox)
    await world.open().setup()
    return world
  }
  const owned = (value: string, lead: OutgoingLead = gstLead(1), ownership?: 'always' | 'if_empty'): OutgoingLead => ({
    ...lead,
    overrides: [{ field, value, ...(ownership === undefined ? {} : { ownership }) }],
  })
  const misfits = async (crm: World, leads: readonly OutgoingLead[]) =>
    (await crm.open().misfits?.(leads))?.filter((each) => each.field === field)
  const ownerIn = (crm: World, lead: OutgoingLead) => crm.heldIn(lead, held)

  test('lists the people who may own a record, and knows them by their e-mail addresses', async () => {
    const crm = await ready()
    const described = (await crm.open().describe()).find(({ name }) => name === field)
    expect(described?.allowed).toEqual([asha, ravi])
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

  test('hands records over where the mapping says always', async () => {
    const crm = await ready()
    const [first] = await crm.open().push([owned(asha)])
    expect(await crm.open().push([afterPush(owned(ravi, gstLead(1), 'always'), first)])).toMatchObject([
      { status: 'updated' },
    ])
    expect(ownerIn(crm, gstLead(1))).toBe(ravi)
  })

  test('tells of people whom the CRM does not have or who left, and delivers the leads without them', async () => {
    const crm = await ready()
    const leads = [owned(left), owned('nobody@sandbox.example.com', gstLead(2)), owned(asha, gstLead(3))]
    expect(await misfits(crm, leads)).toEqual([
      { field, column: null, value: left },
      { field, column: null, value: 'nobody@sandbox.example.com' },
    ])
    expect((await crm.open().push(leads)).map(({ status }) => status)).toEqual(['created', 'created', 'created'])
    expect(ownerIn(crm, gstLead(3))).toBe(asha)
  })

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
