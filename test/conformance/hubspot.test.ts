/** HubSpot: the contract of every connector, through the real SDK against the sandbox. */
import { Client } from '@hubspot/api-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallGate, CrmSession, OutgoingLead, PushOutcome, SessionOptions } from '../../connectors/contract.ts'
import { hubspot } from '../../connectors/hubspot/connector.ts'
import {
  createHubspotSandbox,
  type HubspotSandbox,
  type HubspotSandboxOptions,
} from '../../connectors/hubspot/sandbox/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../connectors/sandbox-server.ts'
import { AppError } from '../../src/errors.ts'
import { describeConnector } from './connector-suite.ts'
import { companyLead, directorLead, gstLead } from './sample-leads.ts'
import { hubspotSubject } from './subjects.ts'

describeConnector(hubspotSubject)

describe('HubSpot on the wire', () => {
  let sandbox: HubspotSandbox
  let server: RunningSandboxes
  const seen: Parameters<CallGate['observe']>[0][] = []
  const gate: CallGate = { take: async () => {}, observe: (report) => void seen.push(report) }

  async function start(options: HubspotSandboxOptions = {}): Promise<void> {
    sandbox = createHubspotSandbox(options)
    server = await startSandboxes([sandbox], { port: 0 })
  }
  beforeEach(async () => {
    seen.length = 0
    await start()
  })
  afterEach(() => server.close())

  const open = (over: object = {}, options: Partial<SessionOptions> = {}): CrmSession =>
    hubspot.open(hubspot.readSettings({ ...server.settings('hubspot'), ...over }), {
      gate,
      signal: new AbortController().signal,
      ...options,
    })
  async function ready(over: object = {}, options: Partial<SessionOptions> = {}): Promise<CrmSession> {
    await open().setup()
    return open(over, options)
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

  test("the vendor's own client writes into the sandbox and reads back what it wrote", async () => {
    await open().setup()
    const { access_token: accessToken, base_url: basePath } = server.settings('hubspot')
    const client = new Client({ accessToken: String(accessToken), basePath: String(basePath) })
    const input = { id: 'gst:1', idProperty: 'panji_id', properties: { panji_id: 'gst:1', name: 'Mandovi Traders' } }
    const written = await client.apiRequest({
      method: 'POST',
      path: '/crm/objects/2026-03/companies/batch/upsert',
      body: { inputs: [input] },
    })
    expect(await written.json()).toMatchObject({ results: [{ new: true, properties: { name: 'Mandovi Traders' } }] })
    const [record] = sandbox.records()
    const read = await client.crm.companies.basicApi.getById(String(record?.id), ['name'])
    expect(read.properties).toMatchObject({ name: 'Mandovi Traders' })
  })

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

    test('a property that was deleted rejects its carriers at once, by name, and no other row', async () => {
      const session = await ready()
      await byHand('DELETE', '/crm/properties/2026-03/companies/panji_gstin')
      const outcomes = await session.push([gstLead(1), companyLead(1), gstLead(2)])
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'created', 'rejected'])
      expect(outcomes[0]).toMatchObject({ code: 'PROPERTY_DOESNT_EXIST', field: 'panji_gstin' })
      await server.close()
      await start({ multiStatus: false })
      const whole = await ready()
      await byHand('DELETE', '/crm/properties/2026-03/companies/panji_gstin')
      const again = await whole.push(Array.from({ length: 60 }, (_, n) => (n === 7 ? companyLead(n) : gstLead(n))))
      expect(again.filter(({ status }) => status === 'rejected')).toHaveLength(59)
      expect(callsTo('/batch/upsert')).toHaveLength(2)
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

    test('a contact is deleted for good; a company goes into the recycle bin, which the caller is told', async () => {
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
      expect(await session.plan([third])).toMatchObject([
        { action: 'conflict', reason: expect.stringContaining('name') },
      ])
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

  describe('limits', () => {
    const cases = [
      ['TEN_SECONDLY_ROLLING', { policyName: 'TEN_SECONDLY_ROLLING', errorType: 'RATE_LIMIT' }, {}, 10_000],
      ['SECONDLY', { policyName: 'SECONDLY', errorType: 'RATE_LIMIT' }, {}, 1_000],
      ['SECONDLY', { category: 'RATE_LIMITS', message: 'You have reached your secondly limit.' }, {}, 1_000],
      ['DAILY', { policyName: 'DAILY', message: 'You have reached your daily limit.' }, {}, 3_600_000],
      ['TEN_SECONDLY_ROLLING', { policyName: 'TEN_SECONDLY_ROLLING' }, { 'retry-after': '3' }, 3_000],
    ] as const
    test.each(cases)('a 429 of %s %j %j waits %i ms and tells the gate', async (policy, body, headers, afterMs) => {
      const session = await ready()
      sandbox.addFault({ kind: 'status', status: 429, body: { status: 'error', ...body }, headers })
      await expect(session.push([gstLead(1)])).rejects.toMatchObject({
        code: 'CRM_UNAVAILABLE',
        retry: { afterMs },
        message: expect.stringContaining(policy),
      })
      expect(seen.at(-1)).toMatchObject({ blockedForMs: afterMs })
    })

    test('what was saved before a 429 is told, and the rest is deferred', async () => {
      const session = await ready()
      sandbox.addFault({ kind: 'rate_limit', match: '/contacts/batch/upsert' })
      const outcomes = await session.push([directorLead(1), gstLead(1)])
      expect(outcomes).toMatchObject([{ status: 'deferred', afterMs: 10_000 }, { status: 'created' }])
    })

    test.each([
      [429, '999999999', 'it asks for a wait of 999999999 seconds and is tried again after an hour'],
      [503, '86400', 'it asks for a wait of 86400 seconds and is tried again after an hour'],
    ])(
      'a %i with a wait of %s seconds says what it asked for, and is tried after an hour',
      async (status, wait, words) => {
        const session = await ready()
        sandbox.addFault({ kind: 'status', status, headers: { 'retry-after': wait }, match: '/batch/' })
        const refusal = {
          code: 'CRM_UNAVAILABLE',
          message: expect.stringContaining(words),
          retry: { afterMs: 3_600_000 },
        }
        await expect(session.push([gstLead(1)])).rejects.toMatchObject(refusal)
      },
    )

    test("the gate hears HubSpot's headers, and a full window blocks it", async () => {
      await server.close()
      await start({ tenSecondlyMax: 2 })
      await open().limits()
      expect(seen.at(-1)).toEqual({ dailyLimit: 250_000, dailyUsed: 1, pace: { calls: 2, perMs: 10_000 } })
      expect(await open().limits()).toEqual({ dailyLimit: 250_000, dailyUsed: 2 })
      expect(seen.at(-1)).toMatchObject({ blockedForMs: 10_000 })
      await expect(open().limits()).rejects.toMatchObject({ code: 'CRM_UNAVAILABLE', retry: { afterMs: 10_000 } })
    })
  })

  describe('failures of the whole call', () => {
    test.each([500, 502, 504, 521, 408])('after a %i it is unknown whether the lead was written', async (status) => {
      const session = await ready()
      sandbox.addFault({ kind: 'status', status, match: '/batch/upsert', body: 'away' })
      expect(await session.push([gstLead(1)])).toMatchObject([{ status: 'unknown' }])
    })

    test.each([503, 423])('a %i is tried again later, nothing is written', async (status) => {
      const session = await ready()
      sandbox.addFault({ kind: 'status', status, match: '/batch/upsert', body: 'away' })
      await expect(session.push([gstLead(1)])).rejects.toMatchObject({ code: 'CRM_UNAVAILABLE', retry: 'later' })
    })

    test('an account on the move (477) names the wait', async () => {
      const session = await ready()
      sandbox.addFault({ kind: 'status', status: 477, headers: { 'retry-after': '120' } })
      await expect(session.push([gstLead(1)])).rejects.toMatchObject({ retry: { afterMs: 120_000 } })
    })

    test('a missing permission is CRM_UNAUTHORIZED and names the scope', async () => {
      const session = await ready()
      sandbox.withholdScopes(['crm.objects.companies.write'])
      await expect(session.push([gstLead(1)])).rejects.toMatchObject({
        code: 'CRM_UNAUTHORIZED',
        retry: 'never',
        message: expect.stringContaining('crm.objects.companies.write'),
      })
    })

    test('a push before the set-up says that the set-up is missing', async () => {
      await expect(open().push([gstLead(1)])).rejects.toMatchObject({
        code: 'DESTINATION_INVALID',
        message: expect.stringContaining('set-up'),
      })
    })

    test('an erasure in an account that was never set up finds nothing to erase', async () => {
      expect(await open().erase([gstLead(1).externalId])).toBe(0)
    })

    test('a plan is refused, not guessed, when the read fails for another reason', async () => {
      const session = await ready()
      sandbox.addFault({ kind: 'status', status: 400, match: '/batch/read', body: { category: 'VALIDATION_ERROR' } })
      await expect(session.plan([gstLead(1)])).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
    })

    test('nobody at the address: nothing was sent, so it is tried later', async () => {
      const session = open()
      await server.close()
      await expect(session.push([gstLead(1)])).rejects.toMatchObject({
        code: 'CRM_UNAVAILABLE',
        retry: 'later',
        message: expect.stringContaining('cannot be reached'),
      })
    })

    test('a gate that closes in the middle defers what is left and keeps what is saved', async () => {
      await open().setup()
      let calls = 0
      const closing: CallGate = {
        ...gate,
        take: async () => {
          if (++calls === 4) throw new AppError('CRM_UNAVAILABLE', 'full', { retry: { afterMs: 4_321 } })
        },
      }
      const outcomes = await open({}, { gate: closing }).push([gstLead(1), directorLead(1)])
      expect(outcomes).toMatchObject([{ status: 'created' }, { status: 'deferred', afterMs: 4_321 }])
    })

    test('an erasure that HubSpot refuses is not counted as done', async () => {
      const session = await ready()
      await session.push([gstLead(1)])
      sandbox.addFault({ kind: 'status', status: 400, match: '/batch/archive', body: { category: 'VALIDATION_ERROR' } })
      await expect(session.erase([gstLead(1).externalId])).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
    })

    test('stopped while a write is out: its rows are unknown, rows not yet sent are deferred', async () => {
      const controller = new AbortController()
      await open().setup()
      sandbox.addFault({ kind: 'timeout_after_commit', match: '/companies/batch/upsert' })
      let calls = 0
      // Two reads come first; the third call is the write that hangs.
      const stopping: CallGate = {
        ...gate,
        take: async () => void (++calls === 3 && setTimeout(() => controller.abort(), 100)),
      }
      const outcomes = await open({}, { gate: stopping, signal: controller.signal }).push([gstLead(1), directorLead(1)])
      expect(outcomes).toMatchObject([{ status: 'unknown' }, { status: 'deferred' }])
    })

    test('an answer that cannot be read leaves written rows unknown', async () => {
      const session = await ready()
      sandbox.addFault({ kind: 'status', status: 200, match: '/batch/upsert', body: 'x' })
      expect(await session.push([gstLead(1)])).toMatchObject([{ status: 'unknown' }])
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
      expect(second).toEqual({ created: [], present, todo: [], advice: [] })
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

  describe('OAuth', () => {
    const openOauth = (over: object = {}, options: Partial<SessionOptions> = {}) =>
      hubspot.open(
        hubspot.readSettings({
          ...sandbox.oauthSettings(server.baseUrl('hubspot')),
          sandbox_pass: server.settings('hubspot')['sandbox_pass'],
          ...over,
        }),
        {
          gate,
          signal: new AbortController().signal,
          ...options,
        },
      )

    test('parallel sessions fetch one token from the dated endpoint', async () => {
      await Promise.all([openOauth().limits(), openOauth().limits(), openOauth().limits()])
      expect(callsTo('/token').map(({ path }) => path)).toEqual(['/oauth/2026-03/token'])
    })

    test('a token that ends in the middle is renewed once, and the push goes on', async () => {
      const session = openOauth()
      await session.setup()
      sandbox.addFault({ kind: 'expire_token', match: '/batch/upsert' })
      expect(await session.push([gstLead(1)])).toMatchObject([{ status: 'created' }])
      expect(callsTo('/token')).toHaveLength(2)
    })

    test('a token refused again after the renewal ends the push, without a loop', async () => {
      const session = openOauth()
      await session.setup()
      sandbox.addFault({ kind: 'status', status: 401, body: { category: 'INVALID_AUTHENTICATION' }, times: 100 })
      const callsBefore = sandbox.calls().length
      await expect(session.push([gstLead(1)])).rejects.toMatchObject({ code: 'CRM_UNAUTHORIZED', retry: 'never' })
      expect(sandbox.calls().length - callsBefore).toBeLessThan(4)
    })

    test('a refused refresh token is CRM_UNAUTHORIZED and appears in no message', async () => {
      const refused = openOauth({ refresh_token: 'revoked-s3cret' }).limits()
      await expect(refused).rejects.toMatchObject({ code: 'CRM_UNAUTHORIZED', retry: 'never' })
      await expect(refused).rejects.not.toThrow(/s3cret/)
    })

    test('a rotated refresh token is handed back to be kept, and the kept one works', async () => {
      await server.close()
      await start({ rotateRefreshTokens: true })
      const kept: Readonly<Record<string, unknown>>[] = []
      const keepSettings = async (values: Readonly<Record<string, unknown>>) => void kept.push(values)
      await openOauth({}, { keepSettings }).limits()
      expect(kept).toHaveLength(1)
      expect(kept[0]?.['refresh_token']).not.toBe(sandbox.oauthSettings('')['refresh_token'])
      const reopened = hubspot.open(hubspot.readSettings(kept[0]), {
        gate,
        signal: new AbortController().signal,
        keepSettings,
      })
      sandbox.addFault({ kind: 'expire_token' })
      expect(await reopened.limits()).toMatchObject({ dailyLimit: 250_000 })
      expect(kept).toHaveLength(2)
    })
  })

  test('the list of calls shows no credentials', async () => {
    await open().limits()
    expect(JSON.stringify(sandbox.calls())).not.toContain(server.settings('hubspot')['access_token'])
  })

  test('a snapshot brings records and properties back', async () => {
    await (await ready()).push([gstLead(1)])
    const saved: unknown = JSON.parse(JSON.stringify(sandbox.snapshot?.()))
    await server.close()
    await start()
    sandbox.restore?.(saved)
    expect(await open().push([gstLead(1)])).toMatchObject([{ status: 'unchanged' }])
  })
})
