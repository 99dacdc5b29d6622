/** Zoho: the contract of every connector, and what its documents say beside it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallGate } from '../../connectors/call-gate.ts'
import type { OutgoingLead } from '../../connectors/contract.ts'
import { createZohoSandbox, type ZohoSandbox, type ZohoSandboxOptions } from '../../sandboxes/zoho/sandbox.ts'
import { describeConnector } from './connector-suite.ts'
import { afterPush, openGate, World } from './promises/world.ts'
import { companyLead, directorLead, gstLead } from './sample-leads.ts'
import { zohoSubject } from './subjects.ts'

describeConnector(zohoSubject)

describe('Zoho on the wire', () => {
  let world: World
  const start = async (options: ZohoSandboxOptions = {}) => {
    world = await World.create(zohoSubject, createZohoSandbox(options))
  }
  const restart = async (options: ZohoSandboxOptions) => {
    await world.close()
    await start(options)
  }
  beforeEach(() => start())
  afterEach(() => world.close())

  const box = () => world.sandbox as ZohoSandbox
  const callsTo = (part: string) =>
    world.sandbox.calls().filter(({ method, path }) => `${method} ${path}`.includes(part))
  /** But for those without a row, by which set-up asks whether they are permitted. */
  const inserts = () =>
    callsTo('POST /crm/v8/Leads').filter(({ body }) => !JSON.stringify(body).startsWith('{"data":[]'))
  const rowFault = (...rows: { code: string; details?: object; message?: string }[]) => ({
    data: rows.map((row) => ({
      details: {},
      message: 'no',
      status: row.code === 'SUCCESS' ? 'success' : 'error',
      ...row,
    })),
  })
  /** What another program, or a person, does in the org. */
  async function byHand(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const base = world.server.baseUrl('zoho')
    const { client_id, client_secret, refresh_token } = world.settings as Record<string, string>
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token } as never)
    const signIn = await fetch(`${base}/oauth/v2/token`, { method: 'POST', body: form })
    const { access_token: token } = (await signIn.json()) as { access_token: string }
    const response = await fetch(`${base}/crm/v8${path}`, {
      method,
      headers: { authorization: `Zoho-oauthtoken ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }

  describe('signing in', () => {
    test('many sessions buy one access token', async () => {
      await Promise.all([1, 2, 3, 4].map(() => world.open().describe()))
      expect(callsTo('/oauth/v2/token')).toHaveLength(1)
    })

    test('a reply that names a foreign API domain is refused, and nothing is sent there', async () => {
      const body = { access_token: 'x', api_domain: 'https://www.zohoapis.com.example.com', expires_in: 3600 }
      world.sandbox.addFault({ kind: 'status', status: 200, body, match: '/oauth/' })
      await expect(world.open().describe()).rejects.toMatchObject({ code: 'CRM_UNAUTHORIZED' })
    })

    test('where ten tokens were given out in ten minutes, the next is asked for when they are over', async () => {
      const waits: number[] = []
      const gate: CallGate = { ...openGate, observe: ({ blockedForMs = 0 }) => void waits.push(blockedForMs) }
      world.sandbox.addFault({ kind: 'rate_limit', match: '/oauth/' })
      await expect(world.open({ gate }).describe()).rejects.toMatchObject({
        code: 'CRM_UNAVAILABLE',
        retry: { afterMs: 600_000 },
      })
      expect(waits).toContain(600_000)
    })

    test.each([
      'https://www.zohoapis.in',
      'https://crm.zoho.com',
      'https://accounts.zoho.evil.com',
      'https://accounts.zoho.in:8443',
    ])('%s is no accounts address', (address) => {
      const { sandbox_pass: _pass, ...settings } = world.settings
      expect(() => zohoSubject.connector.readSettings({ ...settings, accounts_url: address })).toThrow(
        expect.objectContaining({ code: 'DESTINATION_INVALID' }),
      )
    })

    test.each(['com', 'eu', 'in', 'com.au', 'com.cn', 'jp', 'sa', 'uk'])(
      'the data centre %s is one of Zoho',
      (centre) => {
        const { sandbox_pass: _pass, ...settings } = world.settings
        const accounts_url = `https://accounts.zoho.${centre}/`
        expect(zohoSubject.connector.readSettings({ ...settings, accounts_url }).values['accounts_url']).toBe(
          `https://accounts.zoho.${centre}`,
        )
      },
    )

    test('a scope that was not granted is a task for a person, not a later try', async () => {
      const session = await world.ready()
      box().withholdScopes(['ZohoCRM.modules.leads.CREATE'])
      await expect(session.push([gstLead(1)])).rejects.toMatchObject({
        code: 'CRM_UNAUTHORIZED',
        message: expect.stringContaining('OAUTH_SCOPE_MISMATCH'),
        retry: 'never',
      })
    })
  })

  describe('rows', () => {
    test('a 207 rejects the row that it names, by field, and keeps the others, in one call', async () => {
      const leads = [gstLead(1), gstLead(2, { Phone: 'none known' }), gstLead(3)]
      const outcomes = await (await world.ready()).push(leads)
      expect(outcomes.map(({ status }) => status)).toEqual(['created', 'rejected', 'created'])
      expect(outcomes[1]).toMatchObject({
        code: 'INVALID_DATA',
        field: 'Phone',
        message: expect.stringContaining('phone'),
      })
      expect(inserts().map(({ status }) => status)).toEqual([207])
    })

    test('a call that is refused as a whole is halved until the culprit stands alone', async () => {
      const session = await world.ready()
      const body = { code: 'INVALID_DATA', details: { api_name: 'data' }, message: 'invalid data', status: 'error' }
      world.sandbox.addFault({ kind: 'status', status: 400, body, match: 'POST /crm/v8/Leads', times: 3 })
      const outcomes = await session.push([1, 2, 3, 4].map((n) => gstLead(n)))
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'created', 'created', 'created'])
    })

    test('what Zoho puts off is deferred, a full org holds all leads, its own failure is nobody’s guess', async () => {
      const session = await world.ready()
      const body = rowFault({ code: 'RECORD_LOCKED' }, { code: 'LIMIT_EXCEEDED' }, { code: 'INTERNAL_ERROR' })
      world.sandbox.addFault({ kind: 'status', status: 400, body, match: 'POST /crm/v8/Leads' })
      expect(await session.push([gstLead(1), gstLead(2), gstLead(3)])).toMatchObject([
        { status: 'deferred', code: 'RECORD_LOCKED' },
        { status: 'deferred', code: 'LIMIT_EXCEEDED', blocks: true },
        { status: 'unknown' },
      ])
    })

    test('an answer about fewer rows than were sent says nothing of any', async () => {
      const session = await world.ready()
      const body = rowFault({ code: 'SUCCESS', details: { id: '1' } })
      world.sandbox.addFault({ kind: 'status', status: 201, body, match: 'POST /crm/v8/Leads' })
      const outcomes = await session.push([gstLead(1), gstLead(2)])
      expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown'])
    })

    test('a record that vanished between the question and the write is deferred, and the next push knows that it is gone', async () => {
      const session = await world.ready()
      const [first] = await session.push([companyLead(1)])
      const changed = afterPush(companyLead(1, { Phone: '+918323333333' }), first)
      const body = rowFault({ code: 'INVALID_DATA', details: { api_name: 'id' } })
      world.sandbox.addFault({ kind: 'status', status: 400, body, match: 'PUT /crm/v8/Leads' })
      expect(await session.push([changed])).toMatchObject([{ status: 'deferred', afterMs: 2_000 }])
      await byHand('DELETE', `/Leads?ids=${changed.crmId}`)
      expect(await session.push([changed])).toMatchObject([{ status: 'rejected', code: 'DELETED' }])
      const anew = await world.ready({ over: { on_deleted: 'recreate' } })
      expect(await anew.push([changed])).toMatchObject([{ status: 'created' }])
    })

    test('no workflow of the org runs for what is delivered, unless the settings say so', async () => {
      await (await world.ready()).push([gstLead(1)])
      await (await world.ready({ over: { triggers: 'on' } })).push([gstLead(2)])
      const [off, on] = inserts().map(({ body }) => body)
      expect(off).toMatchObject({ trigger: [] })
      expect(on).not.toHaveProperty('trigger')
    })
  })

  describe('unique fields', () => {
    const shared = { Email: 'office@accountant.example.com' }

    test('directors who share an e-mail become two records where the org wants it unique, and are left unchanged then', async () => {
      const session = await world.ready()
      box().makeUnique('Email')
      const leads = [directorLead(1, shared), directorLead(2, shared)]
      const outcomes = await world.open().push(leads)
      expect(outcomes.map(({ status }) => status)).toEqual(['created', 'created'])
      const [one, two] = leads.map((lead) => world.stored(lead)[0]?.properties ?? {})
      expect(one?.['Email']).toBe(shared.Email)
      expect(two).not.toHaveProperty('Email')
      expect(two?.['Description']).toContain(`Email: ${shared.Email}`)
      const writes = world.writes().length
      const again = leads.map((lead, n) => afterPush(lead, outcomes[n]))
      expect((await session.push(again)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged'])
      expect(world.writes()).toHaveLength(writes)
    })

    test('a record that the customer had is not taken for ours because its mobile is the same', async () => {
      await world.open().setup()
      box().makeUnique('Mobile')
      const { Mobile } = gstLead(1).row
      const own = { data: [{ Last_Name: 'Ours', Company: 'Ours', Mobile }] }
      await byHand('POST', '/Leads', own)
      const [outcome] = await world.open().push([gstLead(1)])
      expect(outcome?.status).toBe('created')
      const names = world.sandbox.records().map(({ properties }) => properties['Last_Name'])
      expect(names.sort()).toEqual(['Naik 1', 'Ours'])
    })

    test('the sandbox, like Zoho, lets an upsert go on to the other unique fields and write into that record', async () => {
      await world.open().setup()
      box().makeUnique('Mobile')
      await byHand('POST', '/Leads', { data: [{ Last_Name: 'Ours', Mobile: '+919822010001' }] })
      const lead = { Last_Name: 'Naik 1', Panji_Id: 'gst:1', Mobile: '+919822010001' }
      const body = { data: [lead], duplicate_check_fields: ['Panji_Id'] }
      expect(await byHand('POST', '/Leads/upsert', body)).toMatchObject({
        status: 200,
        body: { data: [{ action: 'update', duplicate_field: 'Mobile' }] },
      })
      expect(world.sandbox.records()).toHaveLength(1)
    })

    test('the sandbox refuses the second of two rows with one identity, and lets the first in', async () => {
      await world.open().setup()
      const row = { Last_Name: 'Naik', Panji_Id: 'gst:1' }
      const { status, body } = await byHand('POST', '/Leads', { data: [row, { ...row, Panji_Id: 'GST:1' }] })
      expect(status).toBe(207)
      expect(body).toMatchObject({
        data: [{ code: 'SUCCESS' }, { code: 'DUPLICATE_DATA', details: { api_name: 'Panji_Id' } }],
      })
    })

    test.each([
      ['lost a race and goes out again', 1, { status: 'deferred', afterMs: 2_000 }],
      [
        'is refused where nobody can find its record',
        2,
        { status: 'rejected', code: 'DUPLICATE_DATA', field: 'Panji_Id' },
      ],
    ])('a lead whose identity Zoho has although it found none %s', async (_what, times, expected) => {
      const session = await world.ready()
      await session.push([gstLead(1)])
      world.sandbox.addFault({ kind: 'status', status: 204, match: '/coql', times })
      expect(await session.push([gstLead(1)])).toMatchObject([expected])
      expect(world.stored(gstLead(1))).toHaveLength(1)
    })
  })

  describe('limits', () => {
    const refusedBy = async (kind: 'rate_limit' | 'daily_limit') => {
      const session = await world.ready()
      world.sandbox.addFault({ kind, match: '/crm/v8' })
      return session.push([gstLead(1)]).catch((error: unknown) => error)
    }

    test('too many calls at once and used-up credits have one status; what is left tells them apart', async () => {
      expect(await refusedBy('rate_limit')).toMatchObject({ retry: { afterMs: 5_000 } })
      expect(await refusedBy('daily_limit')).toMatchObject({ retry: { afterMs: 3_600_000 } })
    })

    test('the sandbox refuses a call beyond those that may be under way at once', async () => {
      await restart({ concurrentMax: 1 })
      const session = await world.ready({ over: { timeout_ms: 300 } })
      world.sandbox.addFault({ kind: 'timeout', match: '/coql' })
      const hanging = session.push([gstLead(1)]).catch((error: unknown) => error)
      await expect.poll(() => callsTo('/coql')).toHaveLength(1)
      await expect(world.open().describe()).rejects.toMatchObject({
        code: 'CRM_UNAVAILABLE',
        retry: { afterMs: 5_000 },
      })
      await hanging
    })

    test('credits are told once half of them are used, and of how many only the settings can say', async () => {
      await restart({ dailyCredits: 60 })
      const session = await world.ready({ over: { daily_credits: 60 } })
      expect(await session.limits()).toEqual({ dailyUsed: null, dailyLimit: 60 })
      while (callsTo('/crm/v8').length < 40) await world.open().limits()
      expect(await world.open({ over: { daily_credits: 60 } }).limits()).toEqual({ dailyUsed: 41, dailyLimit: 60 })
      expect(await world.open().limits()).toEqual({ dailyUsed: null, dailyLimit: null })
      while (callsTo('/crm/v8').length < 60) await world.open().limits()
      await expect(world.open().describe()).rejects.toMatchObject({ retry: { afterMs: 3_600_000 } })
    })
  })

  describe('fields', () => {
    test('an edition with ten fields gets the most useful ones, and no column is lost', async () => {
      await restart({ customFieldsMax: 10 })
      const report = await world.open().setup()
      expect(report).toMatchObject({ todo: [], advice: [expect.stringContaining('LIMIT_EXCEEDED')] })
      expect(report.created).toHaveLength(10)
      expect(report.created).toEqual(expect.arrayContaining(['Panji_Id', 'GSTIN', 'PAN', 'CIN']))
      expect((await world.open().push([gstLead(1, { Address: 'Rua de Ourem' })]))[0]?.status).toBe('created')
      const held = world.stored(gstLead(1))[0]?.properties
      expect(held?.['GSTIN']).toBe(gstLead(1).row['GSTIN'])
      expect(held?.['Description']).toContain('Address: Rua de Ourem')
    })

    test('a value that is not in a picklist lies in the Description, and the lead arrives', async () => {
      await (await world.ready()).push([gstLead(1)])
      const held = world.stored(gstLead(1))[0]?.properties
      expect(held).not.toHaveProperty('Lead_Source')
      expect(held?.['Description']).toContain('Lead_Source: Panji')
    })

    test('numbers, dates and codes lie in fields of their kind', async () => {
      await (await world.ready()).push([companyLead(1)])
      expect(world.stored(companyLead(1))[0]?.properties).toMatchObject({
        CIN: companyLead(1).row['CIN'],
        Paid_Up_Capital: 100_000,
        Incorporation_Date: '2022-03-04',
      })
    })

    test('a field Panji Id that allows duplicates, or is read-only, is a task for an administrator', async () => {
      await byHand('POST', '/settings/fields?module=Leads', {
        fields: [{ field_label: 'Panji Id', data_type: 'text', length: 80 }],
      })
      expect((await world.open().setup()).todo).toEqual([expect.stringContaining('no duplicate values')])
    })

    test('a mapping of more fields than one question names is compared whole', async () => {
      await world.open().setup()
      const labels = Array.from({ length: 30 }, (_, n) => `Ours ${n}`)
      for (let from = 0; from < labels.length; from += 5) {
        const fields = labels
          .slice(from, from + 5)
          .map((field_label) => ({ field_label, data_type: 'text', length: 9 }))
        expect((await byHand('POST', '/settings/fields?module=Leads', { fields })).status).toBe(201)
      }
      const overrides = labels.map((label, n) => ({ field: label.replace(' ', '_'), value: `value ${n}` }))
      const lead = { ...gstLead(1), overrides }
      expect((await world.open().push([lead]))[0]?.status).toBe('created')
      expect(world.stored(lead)[0]?.properties).toMatchObject({ Ours_0: 'value 0', Ours_29: 'value 29' })
      expect((await world.open().push([lead]))[0]?.status).toBe('unchanged')
    })

    test('records in the recycle bin after an erasure are reported one by one', async () => {
      const session = await world.ready()
      await session.push([gstLead(1), gstLead(2)])
      const told: string[] = []
      await session.erase([gstLead(1).externalId, gstLead(3).externalId], (id, why) => void told.push(`${id}: ${why}`))
      expect(told).toEqual([`${gstLead(1).externalId}: it lies in the recycle bin of Zoho for up to 60 days`])
    })

    test('an identity that no registry gives is refused and reaches no question', async () => {
      const session = await world.ready()
      const strange: OutgoingLead = { ...gstLead(1), externalId: "gst:x') or (Last_Name = 'Naik" }
      expect(await session.push([strange])).toMatchObject([{ status: 'rejected', code: 'INVALID_ID' }])
      expect((await session.lookup([strange.externalId])).size).toBe(0)
      expect(callsTo('/coql')).toEqual([])
    })
  })
})
