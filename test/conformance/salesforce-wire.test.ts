import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CallGate } from '../../connectors/call-gate.ts'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import type { Sandbox } from '../../sandboxes/contract.ts'
import { afterPush, openGate } from './promises/world.ts'
import { connect, useOrgs } from './salesforce-org.ts'
import { companyLead, gstLead } from './sample-leads.ts'

const writeCall = ' /services/data/v66.0/composite/sobjects'
const org = useOrgs()
const acts = (sandbox: Sandbox) => sandbox.calls().map(({ method, path }) => `${method} ${path}`)
const signIns = (sandbox: Sandbox) => acts(sandbox).filter((act) => act.includes('/oauth2/token')).length
const writes = (sandbox: Sandbox) => sandbox.calls().filter(({ method }) => method === 'PATCH')

describe('signing in', () => {
  test('with a JWT signed by the key of the settings; another key is refused', async () => {
    const pair = () =>
      generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      })
    const [ours, theirs] = [pair(), pair()]
    const jwt = { username: 'bot@acme.example', publicKey: ours.publicKey, audience: 'https://login.salesforce.com' }
    const { running } = await org({ app: { jwt } })
    const { client_secret: _, ...signIn } = running.settings('salesforce')
    const settings = { ...signIn, auth: 'jwt', username: jwt.username }
    const sessionWith = (privateKey: string) =>
      salesforce.open(salesforce.readSettings({ ...settings, private_key: privateKey }), {
        gate: openGate,
        signal: new AbortController().signal,
      })
    expect((await sessionWith(ours.privateKey).describe()).length).toBeGreaterThan(5)
    await expect(sessionWith(theirs.privateKey).describe()).rejects.toMatchObject({ code: 'CRM_UNAUTHORIZED' })
  })

  test('a refresh token that the org rotates is stored at once', async () => {
    const { running } = await org({ app: { rotateRefreshToken: true, refreshToken: 'panji-sandbox-refresh' } })
    const { client_secret: _, ...signIn } = running.settings('salesforce')
    const kept: unknown[] = []
    const open = (refreshToken: string) =>
      salesforce.open(salesforce.readSettings({ ...signIn, auth: 'refresh_token', refresh_token: refreshToken }), {
        gate: openGate,
        signal: new AbortController().signal,
        renewSettings: async (spend) => {
          const { granted, changed } = await spend({ refresh_token: refreshToken })
          if (changed !== null) kept.push(changed['refresh_token'])
          return granted
        },
      })
    await open('panji-sandbox-refresh').describe()
    expect(kept).toEqual(['panji-sandbox-refresh.1'])
    await expect(open('panji-sandbox-refresh').describe()).rejects.toMatchObject({ code: 'CRM_UNAUTHORIZED' })
    await open('panji-sandbox-refresh.1').describe()
    expect(kept).toEqual(['panji-sandbox-refresh.1', 'panji-sandbox-refresh.2'])
  })

  test('a session that expires in the middle is renewed once and the push goes on', async () => {
    const { sandbox, open } = await org()
    await open().setup()
    const session = open()
    await session.push([gstLead(1)])
    const before = signIns(sandbox)
    sandbox.addFault({ kind: 'expire_token', match: writeCall, times: 1 })
    expect(await session.push([gstLead(2)])).toMatchObject([{ status: 'created' }])
    expect(signIns(sandbox)).toBe(before + 1)
    sandbox.addFault({ kind: 'expire_token', times: 1000 })
    await expect(session.push([gstLead(3)])).rejects.toMatchObject({ code: 'CRM_UNAUTHORIZED', retry: 'never' })
    expect(signIns(sandbox)).toBe(before + 2)
  })
})

describe('calls that are refused as a whole', () => {
  test.each([
    ['a version of the API that the org retired', 410, 'UNSUPPORTED_API_VERSION', 'DESTINATION_INVALID'],
    ['a question that took too long', 400, 'QUERY_TIMEOUT', 'CRM_UNAVAILABLE'],
  ])('%s is told in the vendor’s words, and rejects no lead', async (_, status, errorCode, code) => {
    const { sandbox, open } = await org()
    await open().setup()
    const lead = afterPush(gstLead(1, { City: 'Vasco da Gama' }), (await open().push([gstLead(1)]))[0])
    const body = [{ errorCode, message: 'in the words of the vendor' }]
    sandbox.addFault({ kind: 'status', status, body, match: '/services/data/v66.0', times: 100 })
    const told = { code, message: expect.stringContaining(`${errorCode}: in the words of the vendor`) }
    for (const act of [
      (): Promise<unknown> => open().setup(),
      () => open().lookup([lead.externalId]),
      () => open().push([lead]),
    ])
      await expect(act()).rejects.toMatchObject(told)
  })
})

describe('writing', () => {
  test('assignment rules stay off and duplicate warnings are saved through, unless the settings say otherwise', async () => {
    const { sandbox, open } = await org()
    await open().setup()
    await open().push([gstLead(1)])
    await open({ assignment_rule: 'default', duplicate_rules: 'on' }).push([gstLead(2)])
    const [first, second] = writes(sandbox).map(({ headers }) => headers)
    expect(first).toMatchObject({ 'sforce-auto-assign': 'FALSE', 'sforce-duplicate-rule-header': 'allowSave=true' })
    expect(second).toMatchObject({ 'sforce-auto-assign': 'TRUE' })
    expect(second).not.toHaveProperty('sforce-duplicate-rule-header')
  })

  test('a lead that the org holds as it is costs no write', async () => {
    const { sandbox, open } = await org()
    await open().setup()
    await open().push([gstLead(1), gstLead(2)])
    expect(await open().push([gstLead(1), gstLead(2)])).toMatchObject([
      { status: 'unchanged' },
      { status: 'unchanged' },
    ])
    expect(writes(sandbox)).toHaveLength(1)
  })

  test('a row for which the whole call is refused is found by halving, and the others are written', async () => {
    const { sandbox, open } = await org()
    await open().setup()
    // A text that may or may not be one for a box to tick is left to the org.
    sandbox.changeField?.('AnnualRevenue', { type: 'boolean' })
    const session = open({ custom_fields: { Listed: 'AnnualRevenue' } })
    const leads = Array.from({ length: 16 }, (_, n) => companyLead(n, { Listed: n === 11 ? 'Unlisted' : 'true' }))
    const outcomes = await session.push(leads)
    expect(outcomes.map(({ status }) => status)).toEqual(leads.map((_, n) => (n === 11 ? 'rejected' : 'created')))
    expect(outcomes[11]).toMatchObject({ code: 'JSON_PARSER_ERROR' })
    expect(writes(sandbox)).toHaveLength(9)
    expect(sandbox.records()).toHaveLength(15)
  })

  test('a limit that is met while halving keeps what was written and puts off the rest', async () => {
    const { sandbox, open } = await org()
    await open().setup()
    const leads = Array.from({ length: 4 }, (_, n) => companyLead(n))
    sandbox.addFault({ kind: 'status', status: 400, body: refused('JSON_PARSER_ERROR', 'bad row'), match: writeCall })
    const gate: CallGate = {
      ...openGate,
      // Met after the first half was written.
      take: async () => {
        if (writes(sandbox).length === 2) sandbox.addFault({ kind: 'daily_limit', times: 10 })
      },
    }
    const outcomes = await open({}, { gate }).push(leads)
    expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created', 'deferred', 'deferred'])
  })

  test('a Lead that a rep converted lives on as a Contact, which takes the new values and keeps the rep’s', async () => {
    const { sandbox, open } = await org()
    await open().setup()
    const [first] = await open().push([gstLead(1)])
    if (first?.status !== 'created') throw new Error(`expected created, got ${JSON.stringify(first)}`)
    const contactId = '003000000000001AAA'
    convert(sandbox, first.crmId, contactId, { LastName: 'Naik 1', Phone: '+911', MailingCity: 'North Goa' })
    const changed = gstLead(1, { City: 'Mapusa', Phone: '+912', Company: 'Renamed Traders' })
    const lead = { ...changed, crmId: first.crmId, lastPushed: { ...first.values, Phone: '+910' } }
    expect(await open().plan([lead])).toMatchObject([{ action: 'update' }])
    const [outcome] = await open().push([lead])
    expect(outcome).toMatchObject({ status: 'updated', crmId: contactId, values: { City: 'Mapusa', Phone: '+910' } })
    const contact = sandbox.records().find(({ id }) => id === contactId)
    expect(contact?.properties).toMatchObject({ MailingCity: 'Mapusa', Phone: '+911' })
    expect(contact?.properties).not.toHaveProperty('Company')
  })

  test.each<[string, (sandbox: Sandbox, contactId: string) => void]>([
    ['was deleted', (sandbox, contactId) => sandbox.remove?.(contactId)],
    [
      'this user may not read',
      (sandbox) => {
        const body = refused('INVALID_TYPE', "sObject type 'Contact' is not supported.")
        sandbox.addFault({ kind: 'status', status: 400, body, match: 'FROM%20Contact', times: 9 })
      },
    ],
  ])('a converted Lead whose Contact %s is rejected with what to do, and holds up no other', async (_, hide) => {
    const { sandbox, open } = await org()
    await open().setup()
    const leads = [1, 2, 3]
    const outcomes = await open().push(leads.map((n) => gstLead(n)))
    for (const outcome of outcomes.slice(0, 2))
      hide(sandbox, sandbox.convert(outcome && 'crmId' in outcome ? outcome.crmId : ''))
    // The register says something new of all but the second.
    const after = leads.map((n) => afterPush(gstLead(n, n === 2 ? {} : { City: 'Mapusa' }), outcomes[n - 1]))
    expect(await open().plan(after)).toMatchObject([
      { action: 'reject' },
      { action: 'unchanged' },
      { action: 'update' },
    ])
    expect(await open().push(after)).toMatchObject([
      { status: 'rejected', code: 'CONVERTED', message: expect.stringContaining('What to do: ') },
      { status: 'unchanged' },
      { status: 'updated' },
    ])
  })

  test('without the key field nothing is sent, and the settings are named as the fault', async () => {
    const { sandbox, open } = await org()
    await expect(open().push([gstLead(1)])).rejects.toThrow(/Lead\.Panji_Id__c/)
    await open().setup()
    await expect(open({ custom_fields: { CIN: 'Own_CIN__c' } }).push([gstLead(1)])).rejects.toMatchObject({
      code: 'DESTINATION_INVALID',
      message: expect.stringContaining('Lead.Own_CIN__c'),
    })
    expect(writes(sandbox)).toEqual([])
  })

  test.each([
    ['UNABLE_TO_LOCK_ROW', 'deferred'],
    ['FIELD_CUSTOM_VALIDATION_EXCEPTION', 'rejected'],
    ['DUPLICATES_DETECTED', 'rejected'],
    ['CANNOT_UPDATE_CONVERTED_LEAD', 'deferred'],
  ])('a row refused with %s is %s', async (statusCode, status) => {
    const { sandbox, open } = await org()
    await open().setup()
    const body = [{ success: false, errors: [{ statusCode, message: 'because', fields: [] }] }]
    sandbox.addFault({ kind: 'status', status: 200, body, match: writeCall })
    const message = expect.stringMatching(/^because/)
    expect(await open().push([gstLead(1)])).toMatchObject([{ status, code: statusCode, message }])
  })

  test('two upserts of one lead at the same time: the loser is deferred, not rejected', async () => {
    const { sandbox, open } = await org()
    await open().setup()
    const message = 'duplicate value found: Panji_Id__c duplicates value on record with id: 00Q000000000001AAA'
    const body = [{ success: false, errors: [{ statusCode: 'DUPLICATE_VALUE', message, fields: [] }] }]
    sandbox.addFault({ kind: 'status', status: 200, body, match: writeCall })
    expect(await open().push([gstLead(1)])).toMatchObject([{ status: 'deferred', code: 'DUPLICATE_VALUE' }])
  })

  test.each([
    [503, 'nothing was written, so the call is made later', { code: 'CRM_UNAVAILABLE', retry: 'later' }],
    [302, 'a redirect is not followed', { code: 'DESTINATION_INVALID' }],
  ])('status %i: %s', async (status, _what, failure) => {
    const { sandbox, open } = await org()
    await open().setup()
    sandbox.addFault({ kind: 'status', status, match: writeCall })
    await expect(open().push([gstLead(1)])).rejects.toMatchObject(failure)
  })

  test.each([500, 502, 504])('after a status %i it is unknown whether the lead was written', async (status) => {
    const { sandbox, open } = await org()
    await open().setup()
    sandbox.addFault({ kind: 'status', status, match: writeCall })
    expect(await open().push([gstLead(1)])).toMatchObject([{ status: 'unknown' }])
  })

  test('no connection at all is no unknown outcome: nothing was written', async () => {
    const { open, running } = await org()
    await open().setup()
    const session = open()
    const [outcome] = await session.push([gstLead(1)])
    await running.close()
    // What the ledger knows is read before it is written.
    const known = { ...gstLead(1, { City: 'Ponda' }), crmId: outcome && 'crmId' in outcome ? outcome.crmId : null }
    await expect(session.push([known])).rejects.toMatchObject({ code: 'CRM_UNAVAILABLE', retry: 'later' })
  })
})

test('a user who may not create fields is told what to create', async () => {
  const { open } = await org({ mayCreateFields: false })
  const report = await open().setup()
  expect(report).toMatchObject({ created: [], present: [] })
  expect(report.todo).toEqual([expect.stringContaining('Create Lead.Panji_Id__c')])
  expect(report.advice).toEqual([
    expect.stringMatching(/sf project deploy start.*Panji_Delivery.*GSTIN__c \(text of length 15\)/),
  ])
})

describe('the managed fields', () => {
  test('are made at set-up and hold what people filter by; the Description holds the rest', async () => {
    const { open, sandbox } = await org()
    const report = await open().setup()
    expect(report.created).toEqual(
      expect.arrayContaining(['GSTIN__c', 'PAN__c', 'CIN__c', 'NIC_Code__c', 'HSN_Codes__c']),
    )
    expect(report.advice).toEqual([])
    const [outcome] = await open().push([gstLead(1), companyLead(1)])
    expect(outcome?.status).toBe('created')
    const [gst, company] = sandbox.records().map(({ properties }) => properties)
    expect(gst).toMatchObject({
      GSTIN__c: gstLead(1).row['GSTIN'],
      Registry_Status__c: 'Active',
      HSN_Codes__c: '0801;0802',
    })
    expect(company).toMatchObject({ CIN__c: companyLead(1).row['CIN'], Paid_Up_Capital__c: 100_000 })
    expect(gst?.['Description']).toBeUndefined()
    expect((await open().push([gstLead(1)]))[0]?.status).toBe('unchanged')
  })

  test('that nobody may create are advice, and leads are delivered with their columns in the Description', async () => {
    const before = await org()
    await before.open({ managed_fields: 'off' }).setup()
    const saved: unknown = before.sandbox.snapshot?.()
    await before.running.close()
    const { open, sandbox } = await org({ mayCreateFields: false })
    sandbox.restore?.(saved)
    const report = await open().setup()
    expect(report).toMatchObject({ created: [], present: ['Panji_Id__c'], todo: [] })
    expect(report.advice).toEqual([expect.stringContaining('HSN_Codes__c (text of length 255)')])
    expect(acts(sandbox).filter((act) => act.includes('/tooling/'))).toHaveLength(2)
    expect((await open().push([gstLead(1)]))[0]?.status).toBe('created')
    expect(sandbox.records()[0]?.properties['Description']).toContain(`GSTIN: ${gstLead(1).row['GSTIN']}`)
  })

  test('are left unchanged where the settings say so', async () => {
    const { open, sandbox } = await org()
    expect(await open({ managed_fields: 'off' }).setup()).toMatchObject({ created: ['Panji_Id__c'], advice: [] })
    await open({ managed_fields: 'off' }).push([gstLead(1)])
    expect(sandbox.records()[0]?.properties['Description']).toContain('HSNCodes: 0801;0802')
  })
})

test('what the field list forbids is refused before it is sent', async () => {
  const { open, sandbox } = await org()
  await open().setup()
  const session = open()
  const outcomes = await session.push([gstLead(1, { Zip_Code: '4'.repeat(21) }), gstLead(2, { Email: 'no-address' })])
  expect(outcomes).toMatchObject([
    { status: 'rejected', code: 'STRING_TOO_LONG', field: 'PostalCode' },
    { status: 'rejected', code: 'INVALID_EMAIL_ADDRESS', field: 'Email' },
  ])
  expect(writes(sandbox)).toEqual([])
})

test('the day’s usage is read from the headers and from the org', async () => {
  const seen: unknown[] = []
  const { open, sandbox } = await org({ dailyLimit: 15_000 })
  const gate: CallGate = { ...openGate, observe: (report) => void seen.push(report) }
  await open({}, { gate }).describe()
  // The fields, the users, the queues of Leads by two questions, and the campaigns.
  expect(seen).toEqual([1, 2, 3, 4, 5].map((dailyUsed) => ({ dailyUsed, dailyLimit: 15_000 })))
  expect(await open().limits()).toEqual({ dailyUsed: 6, dailyLimit: 15_000 })
  expect(acts(sandbox).at(-1)).toBe('GET /services/data/v66.0/limits')
})

/** What a rep does in the org's own pages. */
function convert(sandbox: Sandbox, leadId: string, contactId: string, values: object): void {
  const state = sandbox.snapshot?.() as { org: { records: { id: string; object: string; values: object }[] } }
  const { org } = state
  const records = org.records.map((record) =>
    record.id === leadId
      ? { ...record, values: { ...record.values, IsConverted: true, ConvertedContactId: contactId } }
      : record,
  )
  sandbox.restore?.({ org: { ...org, records: [...records, { id: contactId, object: 'Contact', values }] } })
}

const refused = (errorCode: string, message: string) => [{ errorCode, message }]

describe('what other people do in the org', () => {
  const shared = { Email: 'office@accountant.example.com' }
  const rule = { object: 'Lead', fields: ['Email'] }
  const pair = [gstLead(1, shared), gstLead(2, shared)]

  test('a duplicate rule that blocks rejects the row in its own words, and no other row', async () => {
    const { open } = await org({ duplicateRules: [{ ...rule, allowSave: false }] })
    await open().setup()
    expect(await open().push(pair)).toMatchObject([
      { status: 'created' },
      { status: 'rejected', code: 'DUPLICATES_DETECTED', message: expect.stringMatching(/^Use one of these/) },
    ])
  })

  test('a duplicate rule that warns is saved through, unless the settings want to hear it', async () => {
    const { open } = await org({ duplicateRules: [{ ...rule, allowSave: true }] })
    await open().setup()
    const [created, warned] = await open({ duplicate_rules: 'on' }).push(pair)
    expect([created?.status, warned?.status]).toEqual(['created', 'rejected'])
    expect((await open().push(pair)).map(({ status }) => status)).toEqual(['unchanged', 'created'])
  })

  test('a record that somebody else is writing is deferred, and written by the next push', async () => {
    const { sandbox, open } = await org()
    await open().setup()
    const [first] = await open().push([gstLead(1)])
    if (first?.status !== 'created') throw new Error(`expected created, got ${JSON.stringify(first)}`)
    const changed = { ...gstLead(1, { City: 'Mapusa' }), crmId: first.crmId, lastPushed: first.values }
    sandbox.lock(first.crmId)
    expect(await open().push([changed])).toMatchObject([
      { status: 'deferred', code: 'UNABLE_TO_LOCK_ROW', afterMs: 5_000 },
    ])
    expect(await open().push([changed])).toMatchObject([{ status: 'updated' }])
  })

  test('a record that waits for an approval is deferred for a quarter of an hour, and written once it is decided', async () => {
    const { sandbox, open } = await org()
    await open().setup()
    const leads = [gstLead(1), gstLead(2)]
    const made = await open().push(leads)
    const changed = [1, 2].map((n, at) => afterPush(gstLead(n, { City: 'Mapusa' }), made[at]))
    const [first] = sandbox.records()
    sandbox.submit(first?.id ?? '')
    expect(await open().push(changed)).toMatchObject([
      { status: 'deferred', code: 'ENTITY_IS_LOCKED', afterMs: 900_000 },
      { status: 'updated' },
    ])
    sandbox.decide(first?.id ?? '')
    expect(await open().push(changed.slice(0, 1))).toMatchObject([{ status: 'updated' }])
  })

  test('a row for which a trigger of the org could not lock another record is deferred like one that is locked itself', async () => {
    const { sandbox, open } = await org()
    await open().setup()
    const error = 'execution of AfterInsert caused by: System.DmlException: Update failed: UNABLE_TO_LOCK_ROW'
    const errors = [
      { statusCode: 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', message: `LeadTrigger: ${error}`, fields: [] },
    ]
    sandbox.addFault({ kind: 'status', status: 200, body: [{ success: false, errors }], match: 'composite/sobjects' })
    expect(await open().push([gstLead(1)])).toMatchObject([{ status: 'deferred', afterMs: 5_000 }])
    expect(await open().push([gstLead(1)])).toMatchObject([{ status: 'created' }])
  })

  test('a lead that a rep converts between the question and the write is deferred, and goes into the Contact', async () => {
    const { sandbox, open } = await org()
    await open().setup()
    const [first] = await open().push([gstLead(1)])
    if (first?.status !== 'created') throw new Error(`expected created, got ${JSON.stringify(first)}`)
    const changed = { ...gstLead(1, { City: 'Mapusa' }), crmId: first.crmId, lastPushed: first.values }
    let contactId = ''
    const take = async () => {
      if (acts(sandbox).at(-1)?.includes('/query') && contactId === '') contactId = sandbox.convert(first.crmId)
    }
    expect(await open({}, { gate: { ...openGate, take } }).push([changed])).toMatchObject([
      { status: 'deferred', code: 'CANNOT_UPDATE_CONVERTED_LEAD' },
    ])
    expect(await open().push([changed])).toMatchObject([{ status: 'updated', crmId: contactId }])
  })
})

describe('an org that is stricter than most', () => {
  const strict = { restrictedPicklists: { 'Lead.State': ['Goa', 'Maharashtra'] } }

  test('says which values a restricted picklist takes, and another one lies in the Description of a lead that is delivered', async () => {
    const { open, sandbox } = await org({
      restrictedPicklists: { ...strict.restrictedPicklists, 'Lead.LeadSource': ['Web'] },
    })
    await open().setup()
    const leads = [gstLead(1, { State: 'Goaa' }), gstLead(2, { State: 'GOA' })]
    expect(await open().plan(leads)).toEqual([{ action: 'create' }, { action: 'create' }])
    expect(await open().push(leads)).toMatchObject([{ status: 'created' }, { status: 'created' }])
    const [odd, listed] = sandbox.records().map(({ properties }) => properties)
    expect(odd).toMatchObject({ Description: expect.stringContaining('State: Goaa') })
    expect(odd?.['State'] ?? null).toBeNull()
    expect(listed).toMatchObject({ State: 'Goa', Description: expect.stringContaining('Lead_Source: Panji') })
  })

  test.each(['lead', 'account'])(
    'refuses no %s for values that its lists have and the record type of its user does not offer: they lie in the Description',
    async (object) => {
      const has = (fields: readonly string[], values: readonly string[]) =>
        Object.fromEntries(fields.map((field) => [field, values]))
      const sources = ['Lead.LeadSource', 'Account.AccountSource', 'Contact.LeadSource']
      const states = ['Lead.State', 'Account.BillingState', 'Contact.MailingState']
      const { open, sandbox } = await org({
        restrictedPicklists: { ...has(sources, ['Web', 'Panji']), ...has(states, ['Goa', 'Kerala']) },
        recordTypeLists: { ...has(sources, ['Web']), ...has(states, ['Kerala']) },
      })
      await open({ object }).setup()
      const leads = [gstLead(1), gstLead(2, { State: 'Kerala' }), companyLead(3, { Lead_Source: 'Web' })]
      const outcomes = await open({ object }).push(leads)
      expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created', 'created'])
      const held = outcomes.map((outcome) =>
        String(
          sandbox.records().find(({ id }) => 'crmId' in outcome && id === outcome.crmId)?.properties['Description'],
        ),
      )
      expect(held[0]).toContain('Lead_Source: Panji')
      expect(held[0]).toContain('State: Goa')
      expect(held[1]).not.toContain('State: ')
      expect(held[2]).toContain('State: Goa')
      const count = sandbox.records().length
      const again = await open({ object }).push(leads.map((lead, n) => afterPush(lead, outcomes[n])))
      expect(again.map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged'])
      expect(sandbox.records()).toHaveLength(count)
    },
  )

  test.each([
    { object: 'lead', state: 'StateCode', country: 'CountryCode' },
    { object: 'account', state: 'BillingStateCode', country: 'BillingCountryCode' },
  ])(
    'takes the codes of its lists of states and countries ($object); what they lack lies in the Description',
    async ({ object, state, country }) => {
      const { open, sandbox } = await org({ addressLists: { states: { GA: 'Goa' }, countries: { IN: 'India' } } })
      await open({ object }).setup()
      const leads = [gstLead(1), gstLead(2, { State: 'Konkan' }), gstLead(3, { Country: 'Bharat' })]
      const outcomes = await open({ object }).push(leads)
      expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created', 'created'])
      const held = outcomes.map(
        (outcome) => sandbox.records().find(({ id }) => 'crmId' in outcome && id === outcome.crmId)?.properties,
      )
      expect(held[0]).toMatchObject({ [state]: 'GA', [country]: 'IN' })
      expect(held[1]).toMatchObject({ [country]: 'IN', Description: expect.stringContaining('State: Konkan') })
      expect(held[2]?.['Description']).toContain('Country: Bharat')
      expect(held[2]?.[state] ?? null).toBeNull()
      const again = leads.map((lead, n) => afterPush(lead, outcomes[n]))
      expect((await open({ object }).push(again)).map(({ status }) => status)).toEqual([
        'unchanged',
        'unchanged',
        'unchanged',
      ])
    },
  )

  test('refuses the value itself, and takes a call back as a whole where the caller asks for all or none', async () => {
    const { open, sandbox, running } = await org(strict)
    await open().setup()
    const client = await connect(running.settings('salesforce'))
    const rows = [gstLead(1), gstLead(2)].map(({ externalId }, n) => ({
      Panji_Id__c: externalId,
      LastName: 'Naik',
      Company: 'Mandovi Traders',
      State: n === 0 ? 'Goa' : 'Goaa',
    }))
    const results = await client.sobject('Lead').upsert(rows, 'Panji_Id__c', { allOrNone: true })
    expect(results).toMatchObject([
      { success: false, errors: [{ statusCode: 'ALL_OR_NONE_OPERATION_ROLLED_BACK' }] },
      { success: false, errors: [{ statusCode: 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', fields: ['State'] }] },
    ])
    expect(sandbox.records()).toEqual([])
    const described = await client.sobject('Lead').describe()
    const state = described.fields.find(({ name }) => name === 'State')
    expect(state).toMatchObject({ restrictedPicklist: true, type: 'picklist' })
  })
})
