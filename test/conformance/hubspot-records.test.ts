/** What lies in a HubSpot account: the rows of a batch that were saved, whose each record and value is, what set-up makes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CrmSession, OutgoingLead, PushOutcome } from '../../connectors/contract.ts'
import type { HubspotSandbox, HubspotSandboxOptions } from '../../sandboxes/hubspot/sandbox.ts'
import type { RunningSandboxes } from '../../sandboxes/server.ts'
import { openAccount, startAccount } from './hubspot-account.ts'
import { companyLead, directorLead, gstLead } from './sample-leads.ts'

let sandbox: HubspotSandbox
let server: RunningSandboxes

async function start(options: HubspotSandboxOptions = {}): Promise<void> {
  ;({ sandbox, server } = await startAccount(options))
}
beforeEach(() => start())
afterEach(() => server.close())

const open = (over: object = {}): CrmSession => openAccount(server, over)
async function ready(over: object = {}): Promise<CrmSession> {
  await open().setup()
  return open(over)
}
const callsTo = (part: string) => sandbox.calls().filter(({ method, path }) => `${method} ${path}`.includes(part))
const recordOf = (lead: OutgoingLead) =>
  sandbox.records().find(({ properties }) => properties['panji_id'] === lead.externalId)
/** What a person does in HubSpot's own pages. */
async function byHand(method: string, path: string, body?: unknown): Promise<{ status: number; body: string }> {
  const response = await fetch(`${server.baseUrl('hubspot')}${path}`, {
    method,
    headers: { authorization: `Bearer ${String(server.settings('hubspot')['access_token'])}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.text() }
}
const pushed = (lead: OutgoingLead, outcome: PushOutcome | undefined): OutgoingLead => {
  if (outcome === undefined || !('crmId' in outcome)) throw new Error(`not saved: ${JSON.stringify(outcome)}`)
  return { ...lead, crmId: outcome.crmId, lastPushed: outcome.values }
}
const refusedEmail = { Email: 'someone@nowhere.invalid' }

describe('partial failures', () => {
  test('a 207 rejects the row that it names, by field, and keeps the others, in one call', async () => {
    const leads = [directorLead(1), directorLead(2, refusedEmail), directorLead(3)]
    const outcomes = await (await ready()).push(leads)
    expect(outcomes.map(({ status }) => status)).toEqual(['created', 'rejected', 'created'])
    expect(outcomes[1]).toMatchObject({ code: 'INVALID_EMAIL', field: 'email' })
    expect(callsTo('/batch/upsert')).toHaveLength(1)
    expect(callsTo('/batch/upsert')[0]?.status).toBe(207)
  })

  test('a batch refused whole is halved until each culprit stands alone', async () => {
    await server.close()
    await start({ multiStatus: false })
    const leads = Array.from({ length: 16 }, (_, n) => directorLead(n, n === 3 || n === 12 ? refusedEmail : {}))
    const outcomes = await (await ready()).push(leads)
    leads.forEach((lead, n) => {
      const bad = n === 3 || n === 12
      expect(outcomes[n]).toMatchObject(bad ? { status: 'rejected', code: 'INVALID_EMAIL' } : { status: 'created' })
      expect(recordOf(lead) === undefined).toBe(bad)
    })
    expect(callsTo('/batch/upsert').length).toBeLessThan(20)
  })

  test('the sandbox, like HubSpot, refuses the whole batch when rows carry no trace ids', async () => {
    await open().setup()
    const input = (n: number, email: string) => ({
      id: `director:${n}`,
      idProperty: 'panji_id',
      properties: { panji_id: `director:${n}`, email },
    })
    const inputs = [input(1, 'a@example.com'), input(2, 'b@nowhere.invalid')]
    const answer = await byHand('POST', '/crm/v3/objects/contacts/batch/upsert', { inputs })
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('INVALID_EMAIL') })
    expect(sandbox.records()).toEqual([])
    const traced = inputs.map((each, n) => ({ ...each, objectWriteTraceId: `trace-${n}` }))
    const partial = await byHand('POST', '/crm/v3/objects/contacts/batch/upsert', { inputs: traced })
    expect(partial).toMatchObject({ status: 207, body: expect.stringContaining('"objectWriteTraceId":"trace-0"') })
    expect(sandbox.records()).toHaveLength(1)
  })

  test('a 207 without results and without errors leaves every row unknown, and a second push settles them', async () => {
    const session = await ready()
    sandbox.addFault({
      kind: 'status',
      match: '/batch/upsert',
      status: 207,
      body: { status: 'COMPLETE', results: [] },
    })
    const leads = [gstLead(1), gstLead(2)]
    expect((await session.push(leads)).map(({ status }) => status)).toEqual(['unknown', 'unknown'])
    expect((await session.push(leads)).map(({ status }) => status)).toEqual(['created', 'created'])
  })

  test('one error that names several rows rejects each of them', async () => {
    const session = await ready()
    const ids = [gstLead(1).externalId, gstLead(2).externalId]
    const error = { status: 'error', category: 'VALIDATION_ERROR', message: 'no', context: { ids } }
    const body = { status: 'COMPLETE', results: [], numErrors: 2, errors: [error] }
    sandbox.addFault({ kind: 'status', match: '/batch/upsert', status: 207, body })
    const outcomes = await session.push([gstLead(1), gstLead(2), gstLead(3)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'unknown'])
  })

  test('a row that HubSpot puts off is deferred, a conflict that stays is a reject', async () => {
    const session = await ready()
    const [busy, taken] = [gstLead(1), gstLead(2)]
    const error = (category: string, lead: OutgoingLead) => ({
      category,
      message: 'Company already exists. Existing ID: 7',
      context: { objectWriteTraceId: [lead.itemId] },
    })
    const body = { results: [], errors: [error('RATE_LIMITS', busy), error('CONFLICT', taken)] }
    sandbox.addFault({ kind: 'status', match: '/batch/upsert', status: 207, body })
    sandbox.addFault({ kind: 'status', match: '/batch/upsert', status: 409, body: error('CONFLICT', taken) })
    expect(await session.push([busy, taken])).toMatchObject([
      { status: 'deferred', afterMs: 60_000 },
      { status: 'rejected', code: 'CONFLICT', message: expect.stringContaining('Existing ID: 7') },
    ])
  })

  test('a batch that is too large in bytes is halved too', async () => {
    const session = await ready()
    sandbox.addFault({ kind: 'status', match: '/batch/upsert', status: 413 })
    const outcomes = await session.push([gstLead(1), gstLead(2), gstLead(3)])
    expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created', 'created'])
    expect(callsTo('/batch/upsert')).toHaveLength(3)
  })

  test('a saved row is known by its trace id where the answer leaves its properties out', async () => {
    const session = await ready()
    const results = [{ id: '77', new: true, objectWriteTraceId: gstLead(2).itemId }]
    sandbox.addFault({ kind: 'status', match: '/batch/upsert', status: 200, body: { status: 'COMPLETE', results } })
    const outcomes = await session.push([gstLead(1), gstLead(2)])
    expect(outcomes).toMatchObject([{ status: 'unknown' }, { status: 'created', crmId: '77' }])
  })

  test.each([
    ['row by row', true],
    ['with the whole batch', false],
  ])(
    'a property that an administrator archived is left out and named, where HubSpot refuses it %s: no lead is rejected, and it follows once it is there again',
    async (_, multiStatus) => {
      await server.close()
      await start({ multiStatus })
      const session = await ready()
      await byHand('DELETE', '/crm/properties/2026-03/companies/panji_gstin')
      const leads = Array.from({ length: 60 }, (_row, n) => (n === 7 ? companyLead(n) : gstLead(n)))
      const outcomes = await session.push(leads)
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['created']))
      expect(outcomes[1]).toMatchObject({
        leftOut: { code: 'PROPERTY_DOESNT_EXIST', field: 'panji_gstin', message: expect.stringContaining('test') },
      })
      expect(sandbox.records()).toHaveLength(60)
      expect(callsTo('/batch/upsert')).toHaveLength(2)
      await session.setup()
      const lead = gstLead(1)
      const [again] = await session.push([pushed(lead, outcomes[1])])
      expect(again).toMatchObject({ status: 'updated' })
      expect(again).not.toHaveProperty('leftOut')
      expect(recordOf(lead)?.properties).toMatchObject({ panji_gstin: lead.row['GSTIN'] })
    },
  )

  test('an identity that is archived between two batches stops the push, and rejects no lead', async () => {
    const session = await ready()
    await session.push([gstLead(1)])
    await byHand('DELETE', '/crm/properties/2026-03/companies/panji_id')
    await expect(session.push([gstLead(2), gstLead(3)])).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
    expect(sandbox.records()).toHaveLength(1)
  })
})

describe('identity', () => {
  test('two directors who share an e-mail become two contacts, and no address is lost', async () => {
    const [one, two] = [
      directorLead(1, { Email: 'ca@firm.example.com' }),
      directorLead(2, { Email: 'ca@firm.example.com' }),
    ]
    const session = await ready()
    const outcomes = await session.push([one, two])
    expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created'])
    expect(recordOf(one)?.properties).toMatchObject({ email: 'ca@firm.example.com' })
    expect(recordOf(two)?.properties).toMatchObject({ panji_email: 'ca@firm.example.com' })
    expect(recordOf(two)?.properties).not.toHaveProperty('email')
    expect(await session.plan([one, two])).toEqual([{ action: 'unchanged' }, { action: 'unchanged' }])
    expect(await session.push([pushed(two, outcomes[1])])).toMatchObject([{ status: 'unchanged' }])
  })

  test('an address that changes to one another contact holds is refused once, not at every push', async () => {
    const session = await ready()
    const [, outcome] = await session.push([directorLead(1), directorLead(2)])
    const moved = pushed(directorLead(2, { Email: directorLead(1).row['Email'] ?? null }), outcome)
    const [second] = await session.push([moved])
    expect(second).toMatchObject({ status: 'updated' })
    expect(recordOf(moved)?.properties).toMatchObject({
      email: directorLead(2).row['Email'],
      panji_email: directorLead(1).row['Email'],
    })
    expect(await session.push([pushed(moved, second)])).toMatchObject([{ status: 'unchanged' }])
  })

  test('an address in capitals is no change, although HubSpot keeps it in small letters', async () => {
    const session = await ready()
    const lead = directorLead(1, { Email: 'Asha.Prabhu@Example.COM' })
    const [outcome] = await session.push([lead])
    expect(recordOf(lead)?.properties).toMatchObject({ email: 'asha.prabhu@example.com' })
    expect(await session.push([pushed(lead, outcome)])).toMatchObject([{ status: 'unchanged' }])
    const newer = pushed({ ...lead, row: { ...lead.row, Email: 'asha@new.example.com' } }, outcome)
    expect(await session.plan([newer])).toMatchObject([
      { action: 'update', changes: [{ field: 'email' }, { field: 'panji_email' }] },
    ])
  })

  test("a contact of the customer's own keeps its e-mail and gets no stranger's values", async () => {
    const session = await ready()
    const lead = directorLead(1)
    await byHand('POST', '/crm/objects/2026-03/contacts', {
      properties: { email: lead.row['Email'], firstname: 'Own' },
    })
    expect(await session.push([lead])).toMatchObject([{ status: 'created' }])
    expect(sandbox.records()).toHaveLength(2)
    expect(sandbox.records()[0]?.properties).toEqual({ email: lead.row['Email'], firstname: 'Own' })
  })

  test('the same lead twice in one push is sent once and answered twice', async () => {
    const outcomes = await (await ready()).push([gstLead(1), gstLead(1)])
    expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created'])
    expect(sandbox.records()).toHaveLength(1)
  })

  test('erasing reaches companies and contacts and leaves records of others alone', async () => {
    const session = await ready()
    await session.push([gstLead(1), companyLead(1), directorLead(1)])
    await byHand('POST', '/crm/objects/2026-03/companies', { properties: { name: 'Own' } })
    expect(await session.erase([gstLead(1).externalId, directorLead(1).externalId, 'gst:none'])).toBe(2)
    expect(sandbox.records().map(({ properties }) => properties['name'])).toEqual([
      companyLead(1).row['Company'],
      'Own',
    ])
  })

  test('a contact is deleted permanently; a company goes into the recycle bin, which is reported to the caller', async () => {
    const session = await ready()
    await session.push([gstLead(1), directorLead(1)])
    const told: [string, string][] = []
    await session.erase([gstLead(1).externalId, directorLead(1).externalId], (...each) => told.push(each))
    expect(told).toEqual([[gstLead(1).externalId, expect.stringContaining('90 days')]])
    expect(sandbox.calls().filter(({ path }) => path.endsWith('gdpr-delete'))).toHaveLength(1)
    expect(sandbox.calls().some(({ path }) => path.endsWith('contacts/batch/archive'))).toBe(false)
    expect(sandbox.records()).toEqual([])
  })

  test.each([
    [400, 'GDPR is not enabled'],
    [403, 'permissions'],
    [404, 'No route'],
  ])(
    'a contact whose deletion for good is answered %d goes into the recycle bin, and the caller is told why',
    async (status, message) => {
      const session = await ready()
      await session.push([directorLead(1)])
      sandbox.addFault({
        kind: 'status',
        status,
        match: '/gdpr-delete',
        body: { category: 'VALIDATION_ERROR', message },
      })
      const told: [string, string][] = []
      expect(await session.erase([directorLead(1).externalId], (...each) => told.push(each))).toBe(1)
      expect(told).toEqual([[directorLead(1).externalId, expect.stringContaining('refused to delete it for good')]])
      expect(sandbox.records()).toEqual([])
    },
  )

  test('a deletion for good that HubSpot fails at is thrown, and nothing is archived in its place', async () => {
    const session = await ready()
    await session.push([directorLead(1)])
    sandbox.addFault({ kind: 'status', status: 500, match: '/gdpr-delete' })
    await expect(session.erase([directorLead(1).externalId])).rejects.toMatchObject({ code: 'CRM_UNAVAILABLE' })
    expect(sandbox.records()).toHaveLength(1)
  })
})

describe('ownership of fields', () => {
  async function afterRepEdit(over: object = {}) {
    const session = await ready(over)
    const [outcome] = await session.push([companyLead(1)])
    const edit = { properties: { name: 'As the rep calls it', panji_roc_code: 'typo' } }
    await byHand('PATCH', `/crm/objects/2026-03/companies/${recordOf(companyLead(1))?.id}`, edit)
    return { session, outcome }
  }

  test("a rep's edit of a standard property survives, while the register's own properties are kept true", async () => {
    const { session, outcome } = await afterRepEdit()
    const newer = pushed(companyLead(1, { Company: 'Zuari Foods Limited', ROCCode: 'ROC Goa' }), outcome)
    expect(await session.plan([newer])).toMatchObject([{ action: 'update', changes: [{ field: 'panji_roc_code' }] }])
    const [second] = await session.push([newer])
    expect(second).toMatchObject({ status: 'updated' })
    expect(recordOf(newer)?.properties).toMatchObject({ name: 'As the rep calls it', panji_roc_code: 'ROC Goa' })
    const third = pushed(newer, second)
    expect(third.lastPushed).toMatchObject({ name: companyLead(1).row['Company'] })
    expect(await session.plan([third])).toMatchObject([{ action: 'conflict', reason: expect.stringContaining('name') }])
    expect(await session.push([third])).toMatchObject([{ status: 'unchanged' }])
    expect(recordOf(newer)?.properties['name']).toBe('As the rep calls it')
  })

  test('a property under `always` is written over the edit, one under `if_empty` is not even when it is ours', async () => {
    const { session, outcome } = await afterRepEdit({ ownership: { name: 'always', phone: 'if_empty' } })
    const newer = pushed(companyLead(1, { Phone: '+918320000000' }), outcome)
    expect(await session.push([newer])).toMatchObject([{ status: 'updated' }])
    expect(recordOf(newer)?.properties).toMatchObject({ name: companyLead(1).row['Company'], phone: '+918322222222' })
  })

  test('a value that the register no longer knows is cleared, unless a rep wrote it', async () => {
    const session = await ready()
    const [outcome] = await session.push([companyLead(1, { ROCCode: 'ROC Goa' })])
    await byHand('PATCH', `/crm/objects/2026-03/companies/${recordOf(companyLead(1))?.id}`, {
      properties: { city: 'Margao' },
    })
    const emptied = pushed(companyLead(1, { Phone: null, City: null }), outcome)
    expect(await session.push([emptied])).toMatchObject([{ status: 'updated' }])
    expect(recordOf(emptied)?.properties).toMatchObject({ city: 'Margao' })
    expect(recordOf(emptied)?.properties).not.toHaveProperty('phone')
    expect(recordOf(emptied)?.properties).not.toHaveProperty('panji_roc_code')
  })

  test('dates and numbers come back as they were sent, so that an unchanged lead writes nothing', async () => {
    const session = await ready()
    const lead = companyLead(1, { paidUpCapital: 1e21, authorisedCapital: 0.0000005, dateOfLastAGM: '2024-02-29' })
    await session.push([lead])
    expect(recordOf(lead)?.properties).toMatchObject({
      panji_paid_up_capital: '1000000000000000000000',
      panji_authorised_capital: '0.0000005',
      panji_date_of_last_agm: '2024-02-29',
    })
    expect(await session.push([lead])).toMatchObject([{ status: 'unchanged' }])
    expect(callsTo('/batch/upsert')).toHaveLength(1)
  })
})

describe('set-up', () => {
  test('creates the unique property, the group and the rest once, and asks nothing to be created again', async () => {
    const first = await open().setup()
    expect(first.created).toContain('companies.panji_id')
    expect(first.created).toContain('contacts.panji_din')
    const creations = () =>
      sandbox.calls().filter(({ method, path }) => method === 'POST' && path.includes('/properties/')).length
    const before = creations()
    const second = await open().setup()
    const present = expect.arrayContaining([...first.created])
    const advice = [expect.stringContaining('Create and associate companies with contacts')]
    // By the names of the ledger.
    expect(first.absent?.get('director')).toContain('panji_din')
    const absent = new Map(['company', 'director', 'gst'].map((type) => [type, []]))
    expect(second).toEqual({ created: [], present, todo: [], unfilled: [], advice, absent })
    expect(creations()).toBe(before)
  })

  test('without the scope to create properties it says which to create', async () => {
    sandbox.withholdScopes(['crm.schemas.companies.write'])
    const { created, todo } = await open().setup()
    expect(created).toContain('contacts.panji_id')
    expect(created.some((name) => name.startsWith('companies.'))).toBe(false)
    expect(todo.join(' ')).toContain('crm.schemas.companies.write')
  })

  test('a panji_id that is not unique is a task for a person', async () => {
    const definition = { name: 'panji_id', label: 'x', type: 'string', fieldType: 'text', groupName: 'information' }
    await byHand('POST', '/crm/v3/properties/companies', definition)
    const { todo } = await open().setup()
    expect(todo).toEqual([expect.stringContaining('Delete the property panji_id of companies')])
  })
})
