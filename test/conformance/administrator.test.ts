/** What a CRM does not permit is said by set-up or by the sign-in, with the menu, the box and the name that an administrator needs. */
import jsforce from '@jsforce/jsforce-node'
import { afterEach, describe, expect, test } from 'vitest'
import type { Connector, CrmSession } from '../../connectors/contract.ts'
import { hubspot } from '../../connectors/hubspot/connector.ts'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import { zoho } from '../../connectors/zoho/connector.ts'
import type { Sandbox } from '../../sandboxes/contract.ts'
import { createHubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'
import { createSalesforceSandbox, type SalesforceSandboxOptions } from '../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { createZohoSandbox } from '../../sandboxes/zoho/sandbox.ts'
import { openGate } from './promises/world.ts'

let server: RunningSandboxes | undefined
afterEach(async () => {
  await server?.close()
})

async function open(connector: Connector, sandbox: Sandbox, over: object = {}): Promise<CrmSession> {
  server = await startSandboxes([sandbox], { port: 0 })
  const settings = connector.readSettings({ ...server.settings(connector.name), ...over })
  return connector.open(settings, { gate: openGate, signal: new AbortController().signal })
}

const sentence = (...parts: readonly string[]) =>
  expect.stringMatching(new RegExp(parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')))

describe('Salesforce', () => {
  const org = (options: SalesforceSandboxOptions = {}, over: object = {}) =>
    open(salesforce, createSalesforceSandbox(options), over)

  test('an object that the user may not write: the permission set, the object and the boxes', async () => {
    const session = await org({ withheld: { Lead: { createable: false, deletable: false } } })
    const { todo, advice } = await session.setup()
    expect(todo).toEqual([
      sentence(
        'Permission Sets > Panji Delivery',
        'Object Settings > Leads > Edit',
        'tick Read, Create under Object Permissions',
        'Manage Assignments',
      ),
    ])
    expect(advice).toContainEqual(sentence('Object Settings > Leads > Edit', 'tick Delete'))
  })

  test('an object that the user does not see at all is such a right, too, and hides no other object', async () => {
    const sandbox = createSalesforceSandbox()
    const session = await open(salesforce, sandbox, { object: 'account' })
    const body = [{ errorCode: 'NOT_FOUND', message: 'The requested resource does not exist' }]
    sandbox.addFault({ kind: 'status', status: 404, body, match: 'sobjects/Account/describe' })
    const { todo, created } = await session.setup()
    expect(todo).toEqual([sentence('Panji Delivery Accounts', 'Object Settings > Accounts', 'tick Read, Create, Edit')])
    expect(created).toContain('Contact.Panji_Id__c')
  })

  test('fields that the user may only read, or not make: where they are granted or made, letter by letter', async () => {
    const readOnlyFields = ['Lead.Panji_Id__c', 'Lead.GSTIN__c']
    const hidden = await (await org({ readOnlyFields })).setup()
    expect(hidden.todo).toEqual([
      sentence('edit access to Lead.Panji_Id__c', 'Object Settings > Leads', 'tick Read Access and Edit Access'),
    ])
    expect(hidden.advice).toContainEqual(sentence('edit access to Lead.GSTIN__c'))
    await server?.close()
    const refused = await (await org({ mayCreateFields: false })).setup()
    expect(refused.todo).toEqual([
      sentence(
        'Setup > Object Manager > Lead > Fields & Relationships > New > Text, Length 80',
        'Unique',
        'External ID',
        'Customize Application',
        'INSUFFICIENT_ACCESS',
      ),
    ])
    expect(refused.advice).toContainEqual(
      sentence('sf project deploy start', 'Panji_Delivery', 'GSTIN__c (text of length 15)'),
    )
  })

  test('a required field that no lead fills, and lists of fixed values', async () => {
    const restrictedPicklists = { 'Lead.LeadSource': ['Web', 'Phone'], 'Lead.Country': ['India'] }
    const session = await org({ restrictedPicklists })
    await connect(async (client) => {
      const Metadata = { type: 'Text', label: 'Region', length: 40, required: true }
      await client.requestPost('/services/data/v66.0/tooling/sobjects/CustomField', {
        FullName: 'Lead.Region__c',
        Metadata,
      })
    })
    const { todo, unfilled, advice } = await session.setup()
    expect(todo).toEqual([])
    expect(unfilled).toEqual([
      {
        field: 'Lead.Region__c'.slice(5),
        todo: sentence(
          'Lead.Region__c (Region) is required',
          'Fields & Relationships > Region > Edit',
          'untick Required',
          'mapping',
        ),
      },
    ])
    expect(advice).toContainEqual(sentence('Lead.LeadSource takes the 2 values', 'Lead Source > Values > New'))
    expect(advice?.join(' ')).not.toContain('Lead.Country')
  })

  test.each([
    ['invalid_grant', "user hasn't approved this consumer", 'Permitted Users: Admin approved users are pre-authorized'],
    ['invalid_grant', 'no client credentials user enabled', 'Run As'],
    ['invalid_client_id', 'client identifier invalid', 'Consumer Key and Secret'],
    ['invalid_grant', 'ip restricted', 'Relax IP restrictions'],
    ['invalid_grant', 'inactive user', 'tick Active'],
    ['unsupported_grant_type', 'grant type not supported', 'Flow Enablement'],
    [
      'invalid_grant',
      'expired access/refresh token',
      'panji destination connect --renew`, or put a refresh token into the settings that the app was given anew, another one for each destination',
    ],
    ['invalid_grant', 'expired authorization code', 'clock'],
    ['invalid_grant', 'token validity expired', 'clock'],
    ['invalid_grant', 'audience is invalid', 'take `audience` out of the settings'],
    ['OAUTH_APP_BLOCKED', 'this app is blocked by admin', 'Connected Apps OAuth Usage'],
    ['app_not_found', 'External client app is not installed in this org', 'Connected Apps OAuth Usage'],
    ['OAUTH_EC_APP_NOT_FOUND', 'external client app cannot be found', 'Connected Apps OAuth Usage'],
  ])('a sign-in that is refused with %s: %s', async (error, description, advice) => {
    const session = await org({ app: { refuses: { error, description } } })
    await expect(session.identify()).rejects.toMatchObject({
      code: 'CRM_UNAUTHORIZED',
      message: sentence(error, description, 'What to do:', advice),
    })
  })

  test('a sign-in that failed for a reason of its own is tried again, and asks nothing of anybody', async () => {
    const refuses = { error: 'unknown_error', description: 'retry your request' }
    await expect((await org({ app: { refuses } })).identify()).rejects.toMatchObject({
      code: 'CRM_UNAVAILABLE',
      retry: 'later',
      message: sentence('unknown_error: retry your request'),
    })
  })

  test('an app without the scope api, and an org without the API', async () => {
    await expect((await org({ app: { scope: 'id openid' } })).identify()).rejects.toMatchObject({
      code: 'CRM_UNAUTHORIZED',
      message: sentence(
        'given id, openid and not the scope api',
        'Selected OAuth Scopes',
        'Manage user data via APIs (api)',
      ),
    })
    await server?.close()
    const sandbox = createSalesforceSandbox()
    const session = await open(salesforce, sandbox)
    const body = [{ errorCode: 'API_DISABLED_FOR_ORG', message: 'The REST API is not enabled for this Organization.' }]
    sandbox.addFault({ kind: 'status', status: 403, body, match: 'describe' })
    await expect(session.setup()).rejects.toMatchObject({
      code: 'DESTINATION_INVALID',
      message: sentence('API_DISABLED_FOR_ORG', 'System Permissions > Edit: tick API Enabled'),
    })
  })

  async function connect(work: (client: jsforce.Connection) => Promise<unknown>): Promise<void> {
    const settings = server?.settings('salesforce') ?? {}
    const url = String(settings['login_url'])
    const form = { grant_type: 'client_credentials', client_id: String(settings['client_id']) }
    const body = new URLSearchParams({ ...form, client_secret: String(settings['client_secret']) })
    const reply = await fetch(`${url}/services/oauth2/token`, { method: 'POST', body })
    const { access_token: accessToken } = (await reply.json()) as { access_token: string }
    await work(new jsforce.Connection({ version: '66.0', loginUrl: url, instanceUrl: url, accessToken }))
  }
})

describe('HubSpot', () => {
  const account = async (scopes: readonly string[], over: object = {}) => {
    const sandbox = createHubspotSandbox()
    sandbox.withholdScopes(scopes)
    return { sandbox, session: await open(hubspot, sandbox, over) }
  }

  test('set-up reports missing scopes for writing records before a lead is refused, and writes nothing', async () => {
    const { sandbox, session } = await account(['crm.objects.companies.write', 'crm.objects.contacts.read'])
    const { todo } = await session.setup()
    expect(todo).toEqual([
      sentence(
        'crm.objects.companies.write',
        'Settings > Integrations > Private Apps',
        'Scopes: tick them, Commit changes',
      ),
      sentence('crm.objects.contacts.read', 'Private Apps'),
    ])
    expect(sandbox.records()).toEqual([])
  })

  test('scopes to change the properties: what to create by hand under which menu, or which scope to tick', async () => {
    const { session } = await account(['crm.schemas.contacts.write'])
    expect((await session.setup()).todo).toEqual([
      sentence(
        'property group panji of contacts',
        'Settings > Properties > Contact properties > Groups',
        'crm.schemas.contacts.write',
      ),
    ])
    await server?.close()
    const unreadable = await account(['crm.schemas.companies.read'])
    await expect(unreadable.session.setup()).rejects.toMatchObject({
      code: 'CRM_UNAUTHORIZED',
      message: sentence('crm.schemas.companies.read', 'Scopes: tick them'),
    })
  })

  test.each([
    [{ status: 'BAD_REFRESH_TOKEN', message: 'missing or invalid refresh token' }, 'BAD_REFRESH_TOKEN'],
    [{ error: 'invalid_grant', error_description: 'missing or invalid refresh token' }, 'invalid_grant'],
    [{ status: 'error', category: 'BAD_REFRESH_TOKEN', message: 'refresh token invalid' }, 'BAD_REFRESH_TOKEN'],
    [{ error: 'invalid_client', error_description: 'missing or invalid client id' }, 'invalid_client'],
  ])('a refresh token that is refused: in the word of %o, with where to sign in anew', async (body, word) => {
    const sandbox = createHubspotSandbox()
    server = await startSandboxes([sandbox], { port: 0 })
    const { sandbox_pass } = server.settings('hubspot')
    const settings = hubspot.readSettings({ ...sandbox.oauthSettings(server.baseUrl('hubspot')), sandbox_pass })
    const session = hubspot.open(settings, { gate: openGate, signal: new AbortController().signal })
    sandbox.addFault({ kind: 'status', status: 400, body, match: 'POST /oauth' })
    await expect(session.identify()).rejects.toMatchObject({
      code: 'CRM_UNAUTHORIZED',
      message: sentence(
        `HubSpot refused the refresh token (400 ${word})`,
        'panji destination connect --renew',
        'once for each destination',
      ),
    })
  })

  test('properties of lists, and those that take no values of an app', async () => {
    const { sandbox, session } = await account([])
    const list = { name: 'country', label: 'Country/Region', type: 'enumeration', options: [{ value: 'IN' }] }
    const locked = { name: 'city', label: 'City', type: 'string', modificationMetadata: { readOnlyValue: true } }
    const body = { results: [list, locked] }
    const answered = {
      kind: 'status',
      status: 200,
      body,
      match: 'GET /crm/properties/2026-03/companies',
      times: 1,
    } as const
    sandbox.addFault(answered)
    const { advice } = await session.setup()
    expect(advice).toEqual([
      sentence(
        'companies.country (Country/Region) takes the 1 options',
        'Settings > Properties > Company properties > Country/Region > Field options',
      ),
      sentence('companies.city (City) takes no values of an app', 'leads go in without it'),
      sentence('Create and associate companies with contacts', 'untick it'),
    ])
    sandbox.addFault(answered)
    const companies = (await session.describe()).filter(({ name }) => name.startsWith('companies.'))
    expect(companies.map(({ name }) => name)).toEqual(['companies.country'])
  })
})

describe('Zoho', () => {
  const org = async (scopes: readonly string[]) => {
    const sandbox = createZohoSandbox()
    sandbox.withholdScopes(scopes)
    return { sandbox, session: await open(zoho, sandbox) }
  }

  test('scopes that are missing are named, with where a token with all of them comes from', async () => {
    const { sandbox, session } = await org(['ZohoCRM.modules.leads.UPDATE'])
    expect((await session.setup()).todo).toEqual([
      sentence(
        'OAUTH_SCOPE_MISMATCH',
        'not given the scope ZohoCRM.modules.leads.UPDATE',
        'panji destination connect --renew',
        'Generate Code with the scopes ZohoCRM.modules.leads.ALL',
      ),
    ])
    expect(sandbox.records()).toEqual([])
    await server?.close()
    const nobody = await org(['ZohoCRM.org.READ'])
    await expect(nobody.session.identify()).rejects.toMatchObject({
      code: 'CRM_UNAUTHORIZED',
      message: sentence('not given the scope ZohoCRM.org.READ'),
    })
  })

  test('what the profile of the user does not permit: the profile, the module and the box', async () => {
    const { sandbox, session } = await org([])
    const denied = (permissions: readonly string[]) => ({
      ...({ kind: 'status', status: 403, times: 1 } as const),
      body: { code: 'NO_PERMISSION', details: { permissions }, message: 'permission denied', status: 'error' },
    })
    sandbox.addFault({ ...denied(['Crm_Implied_Create_Leads']), match: 'POST /crm/v8/Leads' })
    sandbox.addFault({ ...denied(['Crm_Implied_Customize']), match: 'POST /crm/v8/settings/fields' })
    const { todo } = await session.setup()
    expect(todo).toContainEqual(
      sentence(
        'Crm_Implied_Create_Leads',
        'Profiles > the profile of this user',
        'Zoho CRM API Access',
        'Module Permissions > Leads: Create',
      ),
    )
    expect(todo).toContainEqual(
      sentence(
        'Create in the module Leads the field "Panji Id"',
        'Modules and Fields > Leads',
        'Modules Customization',
      ),
    )
  })

  test('a mandatory field that no lead fills', async () => {
    const { sandbox, session } = await org([])
    await session.setup()
    const field = { api_name: 'Region', field_label: 'Region', data_type: 'text', length: 40, system_mandatory: true }
    const known = {
      api_name: 'Panji_Id',
      field_label: 'Panji Id',
      data_type: 'text',
      length: 80,
      unique: { casesensitive: 'false' },
    }
    const match = 'GET /crm/v8/settings/fields'
    sandbox.addFault({ kind: 'status', status: 200, body: { fields: [known, field] }, match, times: 2 })
    expect((await session.setup()).unfilled).toEqual([
      {
        field: 'Region',
        todo: sentence('Leads.Region (Region) is mandatory', 'Edit Properties, untick Required', 'mapping'),
      },
    ])
  })
})
