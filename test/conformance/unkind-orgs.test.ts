/** What administrators and vendors do to records beside Panji, switched on in the sandboxes: what becomes of the leads, and what is said. */
import { afterEach, expect, test } from 'vitest'
import { createHubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'
import { createSalesforceSandbox } from '../../sandboxes/salesforce/sandbox.ts'
import { createZohoSandbox } from '../../sandboxes/zoho/sandbox.ts'
import { afterPush, type ConnectorUnderTest, World } from './promises/world.ts'
import { assignPackage, connect, useOrgs } from './salesforce-org.ts'
import { companyLead, directorLead, gstLead } from './sample-leads.ts'
import { hubspotSubject, salesforceSubject, zohoSubject } from './subjects.ts'

const org = useOrgs()
let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})
const worldOf = async (subject: ConnectorUnderTest, sandbox = subject.createSandbox()) => {
  world = await World.create(subject, sandbox)
  return world
}

const inRuleMenu = /^No leads from Kerala\. What to do: .*Setup > Object Manager > the object > Validation Rules/

test('Salesforce: a validation rule refuses its rows in the administrator’s words, and the others are written', async () => {
  const rule = { object: 'Lead', field: 'State', refuses: 'Kerala', message: 'No leads from Kerala' }
  const { open, sandbox } = await org({ validationRules: [rule] })
  await open().setup()
  const outcomes = await open().push([gstLead(1), gstLead(2, { State: 'Kerala' }), gstLead(3)])
  expect(outcomes).toMatchObject([
    { status: 'created' },
    {
      status: 'rejected',
      code: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      field: 'State',
      message: expect.stringMatching(inRuleMenu),
    },
    { status: 'created' },
  ])
  expect(sandbox.records()).toHaveLength(2)
})

test.each(['lead', 'account'])(
  'Salesforce (%s): of several validation rules that refuse a row, each is named',
  async (object) => {
    const of = { lead: ['Lead', 'State', 'City'], account: ['Account', 'BillingState', 'BillingCity'] }[object] ?? []
    const [name = '', state = '', city = ''] = of
    const noKerala = { object: name, field: state, refuses: 'Kerala', message: 'No leads from Kerala' }
    const noKochi = { object: name, field: city, refuses: 'Kochi', message: 'Kochi has its own list.' }
    const { open } = await org({ validationRules: [noKerala, noKochi] })
    await open({ object }).setup()
    const [outcome] = await open({ object }).push([gstLead(1, { State: 'Kerala', City: 'Kochi' })])
    const message = expect.stringMatching(/^No leads from Kerala; Kochi has its own list\. What to do: /)
    expect(outcome).toMatchObject({ status: 'rejected', code: 'FIELD_CUSTOM_VALIDATION_EXCEPTION', message })
  },
)

test('Salesforce: an answer that comes in several parts is read to its end: no known record passes for missing, and none is left behind', async () => {
  const { open, sandbox } = await org({ queryPageRows: 2 })
  await open().setup()
  const numbers = [1, 2, 3, 4, 5]
  const outcomes = await open().push(numbers.map((n) => gstLead(n)))
  const leads = numbers.map((n, at) => afterPush(gstLead(n, { City: 'Vasco da Gama' }), outcomes[at]))
  const externalIds = leads.map(({ externalId }) => externalId)
  for (const { id } of sandbox.records()) sandbox.edit(id, { Website: 'https://rep.example' })
  expect((await open().lookup(externalIds)).size).toBe(5)
  expect((await open().plan(leads)).map(({ action }) => action)).toEqual(Array(5).fill('update'))
  for (const { id } of sandbox.records().slice(0, 3)) sandbox.edit(id, { Panji_Id__c: '' })
  expect((await open().push(leads)).map(({ status }) => status)).toEqual(Array(5).fill('updated'))
  expect(sandbox.records()).toHaveLength(5)
  for (const { properties } of sandbox.records())
    expect(properties).toMatchObject({ City: 'Vasco da Gama', Website: 'https://rep.example' })
  expect(await open().erase(externalIds)).toBe(5)
  expect(sandbox.records()).toEqual([])
})

test('Salesforce: accounts and contacts whose answers come in several parts are updated, and none is made twice', async () => {
  const { open, sandbox } = await org({ queryPageRows: 1 })
  const accounts = () => open({ object: 'account' })
  await accounts().setup()
  const made = await accounts().push([companyLead(1), gstLead(1), directorLead(1)])
  const inTown = { City: 'Vasco da Gama' }
  const leads = [companyLead(1, inTown), gstLead(1, inTown), directorLead(1, inTown)]
  const count = sandbox.records().length
  const again = await accounts().push(leads.map((lead, at) => afterPush(lead, made[at])))
  expect(again.map(({ status }) => status)).toEqual(['updated', 'updated', 'updated'])
  expect(sandbox.records()).toHaveLength(count)
})

test('Salesforce: fields that nobody may see yet are asked for by name, and leads are delivered once the set is assigned', async () => {
  const { open, sandbox, running } = await org({ hidesNewFields: true })
  const told = await open().setup()
  expect(told.created).toContain('Panji_Id__c')
  expect(told.todo.join(' ')).toContain('Panji_Id__c')
  await expect(open().push([gstLead(1)])).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
  expect(sandbox.records()).toEqual([])
  await assignPackage(await connect(running.settings('salesforce')))
  expect((await open().setup()).todo).toEqual([])
  expect(await open().push([gstLead(1)])).toMatchObject([{ status: 'created' }])
})

test.each([
  { crm: 'Salesforce', subject: salesforceSubject, sandbox: createSalesforceSandbox(), code: 'ENTITY_IS_LOCKED' },
  { crm: 'Zoho', subject: zohoSubject, sandbox: createZohoSandbox(), code: 'RECORD_LOCKED' },
])(
  '$crm: a record that lost its identity while it waits for an approval is sent later, others are written, and once it is decided it gets it back',
  async ({ subject, sandbox, code }) => {
    const org = await worldOf(subject, sandbox)
    const made = await (await org.ready()).push([gstLead(1), gstLead(2)])
    const moved = [1, 2].map((n, at) => afterPush(gstLead(n, { City: 'Vasco da Gama' }), made[at]))
    const id = String(moved[0]?.crmId)
    org.edit(id, subject.adoption?.identity ?? '', '')
    sandbox.submit(id)
    const before = structuredClone(sandbox.records().find((each) => each.id === id))
    expect(await org.open().push(moved)).toMatchObject([
      { status: 'deferred', code, afterMs: 900_000, message: expect.stringContaining('did not take it back') },
      { status: 'updated' },
    ])
    expect(sandbox.records().find((each) => each.id === id)).toEqual(before)
    sandbox.decide(id)
    expect(await org.open().push(moved)).toMatchObject([{ status: 'updated', crmId: id }, { status: 'unchanged' }])
    expect(org.heldIn(gstLead(1), 'City')).toBe('Vasco da Gama')
    expect(sandbox.records()).toHaveLength(2)
  },
)

test('Salesforce: client credentials at a login host are refused in the vendor’s words', async () => {
  const { open } = await org({ app: { isLoginHost: true } })
  await expect(open().push([gstLead(1)])).rejects.toMatchObject({
    code: 'CRM_UNAUTHORIZED',
    message: expect.stringContaining('request not supported on this domain'),
  })
})

test('Zoho: a lead that was converted is left to the people who did that, and not made anew', async () => {
  const zoho = await worldOf(zohoSubject)
  const session = await zoho.ready()
  const [first, other] = await session.push([gstLead(1), gstLead(2)])
  const lead = afterPush(gstLead(1, { City: 'Vasco da Gama' }), first)
  expect(await convert(zoho, String(lead.crmId))).toMatchObject({ data: [{ code: 'SUCCESS' }] })
  expect(await convert(zoho, String(lead.crmId))).toMatchObject({ data: [{ code: 'INVALID_DATA' }] })
  const again = await zoho.open().push([lead, afterPush(gstLead(2), other)])
  expect(again).toMatchObject([{ status: 'rejected', isFate: true }, { status: 'unchanged' }])
  expect(zoho.sandbox.records()).toHaveLength(1)
})

test('Zoho: a lead that was converted is told as such and not made anew, where deleted ones are and whoever asks for it, too', async () => {
  const zoho = await worldOf(zohoSubject)
  const [converted, deleted] = await (await zoho.ready()).push([gstLead(1), gstLead(2)])
  const inTown = { City: 'Vasco da Gama' }
  const leads = [afterPush(gstLead(1, inTown), converted), afterPush(gstLead(2, inTown), deleted)]
  await convert(zoho, String(leads[0]?.crmId))
  zoho.sandbox.remove?.(String(leads[1]?.crmId))
  const fate = { code: 'CONVERTED', isFate: true, message: expect.stringContaining('was converted') }
  const eager = zoho.open({ over: { on_deleted: 'recreate' } })
  expect(await eager.plan(leads)).toMatchObject([{ action: 'conflict' }, { action: 'create' }])
  expect(await eager.push(leads)).toMatchObject([{ status: 'rejected', ...fate }, { status: 'created' }])
  const asked = leads.slice(0, 1).map((lead) => ({ ...lead, recreate: true }))
  expect(await zoho.open().push(asked)).toMatchObject([{ status: 'rejected', ...fate }])
  expect(zoho.sandbox.records()).toHaveLength(1)
})

test('Zoho: where the list of converted leads is not told, deleted ones are told as deleted, and the destination stays', async () => {
  const zoho = await worldOf(zohoSubject)
  const [outcome] = await (await zoho.ready()).push([gstLead(1)])
  const lead = afterPush(gstLead(1, { City: 'Vasco da Gama' }), outcome)
  zoho.sandbox.remove?.(String(lead.crmId))
  for (const status of [400, 404]) {
    const body = { code: 'INVALID_URL_PATTERN', message: 'no such list', status: 'error', details: {} }
    zoho.sandbox.addFault({ kind: 'status', status, body, match: 'converted=true', times: 1 })
    expect(await zoho.open().push([lead])).toMatchObject([{ status: 'rejected', code: 'DELETED' }])
  }
  expect(zoho.sandbox.records()).toEqual([])
})

test('Zoho: validation rules are passed over as for any program, or heeded where the settings say so, in the administrator’s words', async () => {
  const noKerala = { field: 'State', refuses: 'Kerala', message: 'No leads from Kerala' }
  const rules = [noKerala, { field: 'City', refuses: 'Kochi', message: 'Kochi has its own list' }]
  const zoho = await worldOf(zohoSubject, createZohoSandbox({ validationRules: rules }))
  await zoho.ready()
  const leads = [gstLead(1), gstLead(2, { State: 'Kerala' }), gstLead(3, { State: 'Kerala', City: 'Kochi' })]
  expect(await zoho.open().push(leads.slice(1, 2))).toMatchObject([{ status: 'created' }])
  expect(
    await zoho.open({ over: { rules: 'on' } }).push([gstLead(1), gstLead(4, { State: 'Kerala' }), ...leads.slice(2)]),
  ).toMatchObject([
    { status: 'created' },
    { status: 'rejected', field: 'State', message: noKerala.message },
    { status: 'rejected', field: 'State', message: 'No leads from Kerala; Kochi has its own list' },
  ])
  expect(zoho.sandbox.records()).toHaveLength(2)
})

test('Zoho: picklists that take no others refuse no lead', async () => {
  const zoho = await worldOf(zohoSubject, createZohoSandbox({ restrictsLists: true }))
  await zoho.ready()
  const outcomes = await zoho.open().push([gstLead(1), gstLead(2, { Lead_Source: 'COLD CALL' })])
  expect(outcomes).toMatchObject([{ status: 'created' }, { status: 'created' }])
  expect(zoho.heldIn(gstLead(2), 'Lead_Source')).toBe('Cold Call')
})

test('Zoho: a picklist value that an administrator made unused is not written, and refuses no lead', async () => {
  const zoho = await worldOf(zohoSubject, createZohoSandbox({ restrictsLists: true }))
  await zoho.ready()
  zoho.sandbox.changeField?.('Lead_Source', { values: ['Advertisement'], unusedValues: ['Cold Call'] })
  const [used, unused] = [gstLead(1, { Lead_Source: 'Advertisement' }), gstLead(2, { Lead_Source: 'Cold Call' })]
  expect(await zoho.open().push([used, unused])).toMatchObject([{ status: 'created' }, { status: 'created' }])
  expect([used, unused].map((lead) => zoho.heldIn(lead, 'Lead_Source'))).toEqual(['Advertisement', undefined])
  expect(zoho.heldIn(unused, 'Description')).toContain('Lead_Source: Cold Call')
})

test('Zoho: a picklist value is written by the name that its pages show, and stays Panji’s own when it gets another', async () => {
  const zoho = await worldOf(zohoSubject, createZohoSandbox({ restrictsLists: true }))
  await zoho.ready()
  const list = (shown: string) =>
    zoho.sandbox.changeField?.('Lead_Source', {
      ...{ values: ['SRC_1', 'SRC_2'], shownAs: { SRC_1: shown, SRC_2: 'Webinar' } },
    })
  list('Trade fair')
  const leads = ['Trade Fair', 'src_1'].map((source, n) => gstLead(n + 1, { Lead_Source: source }))
  const described = (await zoho.open().describe()).find(({ name }) => name === 'Lead_Source')
  expect(described).toMatchObject({ allowed: ['Trade fair', 'Webinar'], labels: { SRC_1: 'Trade fair' } })
  const outcomes = await zoho.open().push(leads)
  expect(outcomes).toMatchObject([{ values: { Lead_Source: 'Trade fair' } }, { values: { Lead_Source: 'Trade fair' } }])
  expect(leads.map((lead) => zoho.heldIn(lead, 'Lead_Source'))).toEqual(['SRC_1', 'SRC_1'])
  const again = leads.map((lead, n) => afterPush(lead, outcomes[n]))
  expect(await zoho.open().push(again)).toMatchObject([{ status: 'unchanged' }, { status: 'unchanged' }])

  // What an earlier version remembered is the value behind the name.
  const before = again.map((lead) => ({ ...lead, lastPushed: { ...lead.lastPushed, Lead_Source: 'SRC_1' } }))
  list('Exhibition')
  const moved = before.map((lead) => ({ ...lead, row: { ...lead.row, Lead_Source: 'Webinar' } }))
  expect(await zoho.open().push(moved)).toMatchObject([{ status: 'updated' }, { status: 'updated' }])
  expect(leads.map((lead) => zoho.heldIn(lead, 'Lead_Source'))).toEqual(['SRC_2', 'SRC_2'])
})

test('Zoho: a record of the customer whose name has an apostrophe is found like any other', async () => {
  const zoho = await worldOf(zohoSubject, createZohoSandbox())
  const session = await zoho.ready()
  const names = { Company: "D'Souza Traders", Email: null, Mobile: null }
  const [made] = await session.push([gstLead(1, names)])
  const crmId = made !== undefined && 'crmId' in made ? made.crmId : ''
  zoho.edit(crmId, 'Panji_Id', '')
  const found = await zoho
    .open()
    .adoption?.match([gstLead(2, names), gstLead(3, { ...names, Company: 'D Souza Traders' })])
  expect([...(found ?? [])]).toMatchObject([[gstLead(2).externalId, { is: 'one', crmId }]])
})

test('Zoho: a picklist of several values is given the one that the mapping names, and keeps those of a rep', async () => {
  const zoho = await worldOf(zohoSubject, createZohoSandbox({ restrictsLists: true }))
  await zoho.ready()
  zoho.sandbox.changeField?.('Lead_Status', { type: 'multiselectpicklist', values: ['Register', 'Trade fair'] })
  const leads = [1, 2].map((n) => ({ ...gstLead(n), overrides: [{ field: 'Lead_Status', value: 'register' }] }))
  const outcomes = await zoho.open().push(leads)
  expect(outcomes).toMatchObject([{ status: 'created' }, { status: 'created' }])
  expect(leads.map((lead) => zoho.heldIn(lead, 'Lead_Status'))).toEqual(['Register', 'Register'])
  const again = leads.map((lead, n) => afterPush(lead, outcomes[n]))
  expect(await zoho.open().push(again)).toMatchObject([{ status: 'unchanged' }, { status: 'unchanged' }])
  zoho.edit(String(again[0]?.crmId), 'Lead_Status', 'Register;Trade fair')
  const cleared = again.map((lead) => ({ ...lead, overrides: [{ field: 'Lead_Status', value: '' }] }))
  await zoho.open().push(cleared)
  expect(leads.map((lead) => zoho.heldIn(lead, 'Lead_Status'))).toEqual(['Register;Trade fair', undefined])
})

test('Zoho: leads of other people that the org shares for reading are refused with what to do, others are written, and set-up says so before', async () => {
  const sandbox = createZohoSandbox()
  const zoho = await worldOf(zohoSubject, sandbox)
  const session = await zoho.ready()
  expect((await zoho.open().setup()).advice?.join(' ')).not.toContain('Data Sharing')
  const outcomes = await session.push([gstLead(1), gstLead(2)])
  const moved = [1, 2].map((n, at) => afterPush(gstLead(n, { City: 'Vasco da Gama' }), outcomes[at]))
  zoho.edit(String(moved[0]?.crmId), 'Owner', '4150868000000225014')
  sandbox.share('Read')
  expect((await zoho.open().setup()).advice?.join(' ')).toContain('Data Sharing Settings')
  expect(await zoho.open().push(moved)).toMatchObject([
    { status: 'rejected', code: 'NO_PERMISSION', message: expect.stringContaining('Data Sharing Settings > Leads') },
    { status: 'updated' },
  ])
})

test('Zoho: leads that a rep owns and this user does not see are left alone, and never made a second time', async () => {
  const sandbox = createZohoSandbox()
  const zoho = await worldOf(zohoSubject, sandbox)
  const [first] = await (await zoho.ready()).push([gstLead(1)])
  const lead = afterPush(gstLead(1, { City: 'Vasco da Gama' }), first)
  zoho.edit(String(lead.crmId), 'Owner', '4150868000000225014')
  sandbox.share('None')
  expect(await zoho.open().push([lead])).toMatchObject([{ status: 'rejected' }])
  expect(await zoho.open().push([gstLead(1)])).toMatchObject([{ status: 'rejected', code: 'DUPLICATE_DATA' }])
  expect(zoho.sandbox.records()).toHaveLength(1)
})

test('HubSpot: a company that the account makes of an e-mail’s domain stands beside Panji’s, and pushing again makes none', async () => {
  const box = createHubspotSandbox()
  box.makeCompanies()
  const account = await worldOf(hubspotSubject, box)
  const session = await account.ready()
  const leads = [directorLead(1), companyLead(1, { DirectorDINs: '00010001' })]
  const outcomes = await session.push(leads)
  expect(outcomes).toMatchObject([{ status: 'created' }, { status: 'created' }])
  const companies = () => account.sandbox.records().filter(({ object }) => object === 'companies')
  expect(companies().map(({ properties }) => properties['name'])).toEqual(
    expect.arrayContaining(['prabhu.example.com', companyLead(1).row['Company']]),
  )
  expect(companies()).toHaveLength(2)
  await account.open().push(leads.map((lead, n) => afterPush(lead, outcomes[n])))
  expect(companies()).toHaveLength(2)
  expect((await account.open().setup()).advice?.join(' ')).toContain('Create and associate companies with contacts')
})

/** As a rep does it in Zoho's pages. */
async function convert({ server, settings }: World, id: string): Promise<unknown> {
  const base = server.baseUrl('zoho')
  const { client_id, client_secret, refresh_token } = settings as Readonly<Record<string, string>>
  const form = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token } as never)
  const signIn = await fetch(`${base}/oauth/v2/token`, { method: 'POST', body: form })
  const { access_token: token } = (await signIn.json()) as { access_token: string }
  const reply = await fetch(`${base}/crm/v8/Leads/${id}/actions/convert`, {
    method: 'POST',
    headers: { authorization: `Zoho-oauthtoken ${token}` },
    body: JSON.stringify({ data: [{}] }),
  })
  return reply.json()
}

test('Salesforce: a field that was taken away from this user is asked for by the permission set, and not to be made a second time', async () => {
  const { open, sandbox } = await org()
  await open().setup()
  const [first] = await open().push([gstLead(1)])
  const inSet = 'Setup > Users > Permission Sets > Panji Delivery'
  const hide = (visible: boolean, ...names: readonly string[]) => {
    for (const name of names) sandbox.changeField?.(name, { visible })
  }
  hide(false, 'GSTIN__c', 'City')
  const told = await open().setup()
  expect(told.todo).toEqual([])
  const advice = told.advice?.join(' ') ?? ''
  for (const name of ['Lead.City', 'Lead.GSTIN__c']) expect(advice).toMatch(new RegExp(`edit access to .*${name}`))
  expect(advice).not.toContain('sf project deploy')
  expect(await open().push([gstLead(2)])).toMatchObject([{ status: 'created' }])

  hide(false, 'Panji_Id__c')
  const { todo } = await open().setup()
  expect(todo).toEqual([expect.stringContaining(inSet)])
  await expect(open().push([gstLead(3)])).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
  hide(true, 'Panji_Id__c', 'GSTIN__c', 'City')
  expect((await open().setup()).todo).toEqual([])
  const again = [afterPush(gstLead(1, { City: 'Mapusa' }), first), gstLead(3)]
  expect(await open().push(again)).toMatchObject([{ status: 'updated' }, { status: 'created' }])
  expect(sandbox.records()).toHaveLength(3)
})

test('Salesforce: calls of the day that are used up are waited for with what an administrator can do, and go on once there are more', async () => {
  const { open, sandbox } = await org()
  await open().setup()
  sandbox.limitCalls(1)
  await expect(open().push([gstLead(1)])).rejects.toMatchObject({
    ...{ code: 'CRM_UNAVAILABLE', retry: { isQuota: true } },
    message: expect.stringMatching(
      /TotalRequests Limit exceeded\. .*Setup > .* continues automatically.*resume the destination/,
    ),
  })
  sandbox.limitCalls(100_000)
  expect(await open().push([gstLead(1)])).toMatchObject([{ status: 'created' }])
})

test('HubSpot: a property that comes out of the archive has its values again, and leads meanwhile are told where it lies', async () => {
  const sandbox = createHubspotSandbox()
  const hubspot = await worldOf(hubspotSubject, sandbox)
  const session = await hubspot.ready()
  const [first] = await session.push([gstLead(1)])
  const held = hubspot.stored(gstLead(1))
  sandbox.dropField?.('panji_gstin')
  const [meanwhile] = await hubspot.open().push([gstLead(2)])
  expect(meanwhile).toMatchObject({
    status: 'created',
    leftOut: { field: 'panji_gstin', message: expect.stringContaining('Settings > Properties > Archived properties') },
  })
  sandbox.restoreField('panji_gstin')
  expect(hubspot.stored(gstLead(1))).toEqual(held)
  const again = [afterPush(gstLead(1), first), afterPush(gstLead(2), meanwhile)]
  expect(await hubspot.open().push(again)).toMatchObject([{ status: 'unchanged' }, { status: 'updated' }])
  expect(hubspot.stored(gstLead(2))).toMatchObject([{ properties: { panji_gstin: gstLead(2).row['GSTIN'] } }])
})

test('HubSpot: a private app whose token was renewed says where the new one lies, and calls used up say when they come back', async () => {
  const sandbox = createHubspotSandbox()
  const hubspot = await worldOf(hubspotSubject, sandbox)
  const session = await hubspot.ready()
  sandbox.allow({ calls: 1 })
  await expect(session.push([gstLead(1)])).rejects.toMatchObject({
    ...{ code: 'CRM_UNAVAILABLE', retry: { isQuota: true } },
    message: expect.stringMatching(
      /DAILY limit is used up: .*midnight.*continues automatically.*resume the destination/,
    ),
  })
  sandbox.allow({ calls: 250_000 })
  const before = hubspot.open()
  sandbox.rotateToken()
  await expect(before.push([gstLead(1)])).rejects.toMatchObject({
    ...{ code: 'CRM_UNAUTHORIZED', message: expect.stringContaining('copy the access token') },
  })
  expect(await hubspot.open().push([gstLead(1)])).toMatchObject([{ status: 'created' }])
})

test('Zoho: a module that was hidden stops the deliveries with where it is shown, and they go on after', async () => {
  const sandbox = createZohoSandbox()
  const zoho = await worldOf(zohoSubject, sandbox)
  await zoho.ready()
  sandbox.showLeads(false)
  const shown = expect.stringMatching(
    /INVALID_MODULE.*What to do: show the module Leads.*Setup > Customization > Modules and Fields/,
  )
  for (const act of [() => zoho.open().push([gstLead(1)]), () => zoho.open().setup()])
    await expect(act()).rejects.toMatchObject({ code: 'DESTINATION_INVALID', message: shown })
  sandbox.showLeads(true)
  expect(await zoho.open().push([gstLead(1)])).toMatchObject([{ status: 'created' }])
})

test('Zoho: a field that a layout alone makes mandatory is no secret of the layout: each lead names it and the layout’s page', async () => {
  const sandbox = createZohoSandbox()
  const zoho = await worldOf(zohoSubject, sandbox)
  await zoho.ready()
  sandbox.changeField?.('Lead_Status', { requiredByLayout: true })
  expect(await zoho.open().push([gstLead(1)])).toMatchObject([
    {
      status: 'rejected',
      code: 'MANDATORY_NOT_FOUND',
      field: 'Lead_Status',
      message: expect.stringContaining('Leads > Layouts'),
    },
  ])
  sandbox.changeField?.('Lead_Status', { requiredByLayout: false })
  expect(await zoho.open().push([gstLead(1)])).toMatchObject([{ status: 'created' }])
})

test('Zoho: an edition that became smaller takes its leads on, and credits used up say that they come back', async () => {
  const sandbox = createZohoSandbox()
  const zoho = await worldOf(zohoSubject, sandbox)
  const session = await zoho.ready()
  const [first] = await session.push([gstLead(1)])
  for (const name of ['GSTIN', 'PAN', 'Trade_Name']) sandbox.dropField?.(name)
  sandbox.allow({ fields: 10 })
  expect((await zoho.open().setup()).todo).toEqual([])
  const leads = [afterPush(gstLead(1, { City: 'Mapusa' }), first), gstLead(2)]
  expect(await zoho.open().push(leads)).toMatchObject([{ status: 'updated' }, { status: 'created' }])
  sandbox.allow({ credits: 1 })
  await expect(zoho.open().push([gstLead(3)])).rejects.toMatchObject({
    message: expect.stringMatching(/credits of the day are used up: .*continues automatically.*resume the destination/),
  })
})
