/** HubSpot on the wire: the vendor's own client, the limits of calls, calls that fail as a whole, and the tokens of OAuth. */
import { Client } from '@hubspot/api-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallGate } from '../../connectors/call-gate.ts'
import type { CrmSession, SessionOptions } from '../../connectors/contract.ts'
import { hubspot } from '../../connectors/hubspot/connector.ts'
import type { RenewSettings } from '../../connectors/renew-settings.ts'
import type { HubspotSandbox, HubspotSandboxOptions } from '../../sandboxes/hubspot/sandbox.ts'
import type { RunningSandboxes } from '../../sandboxes/server.ts'
import { AppError } from '../../src/errors.ts'
import { openAccount, startAccount } from './hubspot-account.ts'
import { directorLead, gstLead } from './sample-leads.ts'

let sandbox: HubspotSandbox
let server: RunningSandboxes
const seen: Parameters<CallGate['observe']>[0][] = []
const gate: CallGate = { take: async () => {}, observe: (report) => void seen.push(report) }

async function start(options: HubspotSandboxOptions = {}): Promise<void> {
  ;({ sandbox, server } = await startAccount(options))
}
beforeEach(async () => {
  seen.length = 0
  await start()
})
afterEach(() => server.close())

const open = (over: object = {}, options: Partial<SessionOptions> = {}): CrmSession =>
  openAccount(server, over, { gate, ...options })
async function ready(): Promise<CrmSession> {
  await open().setup()
  return open()
}
const callsTo = (part: string) => sandbox.calls().filter(({ method, path }) => `${method} ${path}`.includes(part))

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

test('a delivery asks for the properties of the objects that it writes alone, and once', async () => {
  const session = await ready()
  const before = sandbox.calls().length
  const lists = () => {
    const asked = sandbox.calls().slice(before)
    return asked.filter(({ path }) => path.includes('/properties/')).map(({ path }) => path)
  }
  const [companies, contacts] = ['/crm/properties/2026-03/companies', '/crm/properties/2026-03/contacts']
  await session.push([gstLead(1)])
  await session.push([gstLead(2)])
  expect(lists()).toEqual([companies])
  await session.push([directorLead(1), gstLead(3)])
  expect(lists()).toEqual([companies, contacts])
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

  test('rows saved before a 429 are reported, and the rest is deferred', async () => {
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

  test('a push before the set-up says by which command it is done', async () => {
    await expect(open().push([gstLead(1)])).rejects.toMatchObject({
      code: 'DESTINATION_INVALID',
      message: expect.stringContaining('`panji destination test`'),
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
        if (++calls === 6) throw new AppError('CRM_UNAVAILABLE', 'full', { retry: { afterMs: 4_321 } })
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
    let stored: Readonly<Record<string, unknown>> = {
      ...sandbox.oauthSettings(server.baseUrl('hubspot')),
      sandbox_pass: server.settings('hubspot')['sandbox_pass'],
    }
    const renewSettings: RenewSettings = async (spend) => {
      const { granted, changed } = await spend(stored)
      stored = { ...stored, ...changed }
      kept.push(stored)
      return granted
    }
    await openOauth({}, { renewSettings }).limits()
    expect(kept).toHaveLength(1)
    expect(kept[0]?.['refresh_token']).not.toBe(sandbox.oauthSettings('')['refresh_token'])
    const reopened = hubspot.open(hubspot.readSettings(kept[0]), {
      gate,
      signal: new AbortController().signal,
      renewSettings,
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
