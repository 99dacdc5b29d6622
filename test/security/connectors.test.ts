/** Where connectors send leads and credentials, and what they take as an answer. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallGate } from '../../connectors/call-gate.ts'
import type { Connector, CrmSession, OutgoingLead } from '../../connectors/contract.ts'
import { loopbackLookup, publicLookup } from '../../connectors/crm-address.ts'
import { connectors } from '../../connectors/index.ts'
import type { Sandbox } from '../../sandboxes/contract.ts'
import { sandboxes } from '../../sandboxes/index.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { companyLead, directorLead, gstLead } from '../conformance/sample-leads.ts'
import { oneOf } from '../support/figures.ts'
import { type Recorder, startRecorder } from '../support/recorder.ts'

let boxes: Sandbox[]
let server: RunningSandboxes
let recorder: Recorder
const observed: Parameters<CallGate['observe']>[0][] = []
const gate: CallGate = { take: async () => {}, observe: (report) => void observed.push(report) }

beforeEach(async () => {
  observed.length = 0
  boxes = sandboxes()
  server = await startSandboxes(boxes, { port: 0 })
  recorder = await startRecorder()
})
afterEach(async () => {
  await server.close()
  await recorder.close()
})

const boxOf = (crm: string) => boxes.find((box) => box.crm === crm) as Sandbox
const open = (connector: Connector, settings: object = server.settings(connector.name)): CrmSession =>
  connector.open(connector.readSettings(settings), { gate, signal: new AbortController().signal })
const leads = (): OutgoingLead[] => [gstLead(1), companyLead(1), directorLead(1)]
/** The member that holds the address, in each settings file. */
const addressOf = (settings: Readonly<Record<string, unknown>>) =>
  Object.keys(settings).find((name) => String(settings[name]).startsWith('http')) ?? ''

/**
 * Everything that a session can be asked. A step that fails does not keep the next one from trying.
 * @returns what was said of failures, by exception or by outcome.
 */
async function everything(connector: Connector, settings?: object): Promise<string[]> {
  const session = open(connector, settings)
  const ids = leads().map(({ externalId }) => externalId)
  const steps = [
    () => session.setup(),
    () => session.describe(),
    () => session.plan(leads()),
    () => session.push(leads()),
    () => session.push([gstLead(1, { City: 'Mapusa' })]),
    () => session.lookup(ids),
    () => session.limits(),
    () => session.erase(ids),
  ]
  const failures: string[] = []
  for (const step of steps) {
    const said = await step().catch((error: Error) => error.message)
    const text = typeof said === 'string' ? said : JSON.stringify(said)
    if (typeof said === 'string' || /"(deferred|unknown|rejected|reject)"/.test(text)) failures.push(text)
  }
  return failures
}

/** With OAuth where the vendor has it, so that the token call is among the calls. */
const settingsInUse = (connector: Connector): object[] => {
  const issued = server.settings(connector.name)
  const box = boxOf(connector.name)
  const oauth = (box as Partial<{ oauthSettings(url: string): object }>).oauthSettings?.(server.baseUrl(box.crm))
  return oauth === undefined ? [issued] : [issued, { ...oauth, sandbox_pass: issued['sandbox_pass'] }]
}

describe.each(connectors)('$name', (connector) => {
  test('follows a redirect of no call, so that no lead and no credential reaches a second host', async () => {
    const box = boxOf(connector.name)
    for (const settings of settingsInUse(connector)) {
      expect(await everything(connector, settings)).toEqual([])
      const acts = new Set(box.calls().map(({ method, path }) => `${method} ${path.split('?')[0]}`))
      expect(acts.size).toBeGreaterThan(4)
      for (const [n, match] of [...acts].entries()) {
        for (const status of oneOf([307, 301, 302, 303, 308], n)) {
          box.reset()
          const headers = { location: `${recorder.origin}/taken` }
          box.addFault({ kind: 'status', status, match, headers, times: 100 })
          // A connector that keeps its token signs in again only where the CRM refuses the kept one.
          if (/\/token$/.test(match)) box.addFault({ kind: 'expire_token', times: 1 })
          expect((await everything(connector, settings)).join(), `${status} for ${match}`).toMatch(/redirect/)
        }
      }
      box.reset()
    }
    expect(recorder.heard).toEqual([])
  }, 180_000)

  test('an answer without an end is read up to a bound', async () => {
    const box = boxOf(connector.name)
    await open(connector).setup()
    box.addFault({ kind: 'status', status: 200, match: 'batch/upsert', body: { results: 'x'.repeat(40_000_000) } })
    box.addFault({ kind: 'status', status: 200, match: 'PATCH', body: ['x'.repeat(40_000_000)] })
    box.addFault({ kind: 'status', status: 200, match: 'POST /crm/v8/Leads', body: { data: 'x'.repeat(40_000_000) } })
    const [outcome] = await open(connector).push([gstLead(1)])
    expect(outcome).toMatchObject({ status: 'unknown', message: expect.stringContaining('larger than') })
  })

  test.each([
    'http://127.0.0.1:8081/x',
    'https://localhost/x',
    'http://[::1]:8081',
    'http://127.1:8081',
    'http://0x7f000001/',
    'http://[::ffff:127.0.0.1]:80',
    'https://10.0.0.7',
    'https://169.254.169.254',
    'https://crm.example.com',
  ])('takes no address of its own accord: %s', (address) => {
    const { sandbox_pass: pass, ...settings } = server.settings(connector.name)
    const elsewhere = { ...settings, [addressOf(settings)]: address }
    const refused = expect.objectContaining({ code: 'DESTINATION_INVALID' })
    expect(() => connector.readSettings(elsewhere)).toThrow(refused)
    expect(() => connector.readSettings({ ...elsewhere, sandbox_pass: pass })).toThrow(refused)
    expect(() => connector.readSettings(settings)).toThrow(refused)
    expect(connector.readSettings({ ...settings, sandbox_pass: pass }).secretNames).toContain('sandbox_pass')
  })

  test("a sandbox's settings that were led to another port of this machine are refused, and nobody is called", () => {
    const settings = server.settings(connector.name)
    const name = addressOf(settings)
    const led = String(settings[name]).replace(/^http:\/\/[^/]+/, recorder.origin)
    expect(() => connector.readSettings({ ...settings, [name]: led })).toThrow(/sandbox/)
    expect(recorder.heard).toEqual([])
  })

  test('who took the port of a sandbox that ended hears neither credentials nor leads', async () => {
    const settings = server.settings(connector.name)
    await open(connector).setup()
    await server.close()
    const squatter = await startRecorder(Number(new URL(server.controlUrl).port))
    // The first call may still meet the broken connection of before.
    await expect(open(connector, settings).push([gstLead(1)])).rejects.toThrow()
    await expect(open(connector, settings).push([gstLead(1)])).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
    expect(squatter.heard.length).toBeGreaterThan(0)
    for (const text of squatter.heard) expect(text).toMatch(/^GET \/sandbox-proof\?/)
    expect(squatter.heard.join()).not.toMatch(/authorization|client_secret|MANDOVI/i)
    await squatter.close()
  })

  test('no answer of the CRM shuts the account for more than an hour', async () => {
    const box = boxOf(connector.name)
    await open(connector).setup()
    const headers = {
      'retry-after': '999999999',
      'x-hubspot-ratelimit-remaining': '0',
      'x-hubspot-ratelimit-interval-milliseconds': '999999999999',
      'sforce-limit-info': 'api-usage=99999999999999999999/1',
    }
    for (const status of [429, 503, 477, 200]) box.addFault({ kind: 'status', status, match: '/', headers, times: 1 })
    const waits: number[] = []
    for (let n = 0; n < 4; n += 1) {
      const error = await open(connector)
        .limits()
        .catch((each: { retry?: unknown }) => each)
      const { retry } = error as { retry?: { afterMs?: number } }
      if (typeof retry === 'object') waits.push(retry.afterMs ?? 0)
    }
    for (const waitMs of [...waits, ...observed.map(({ blockedForMs = 0 }) => blockedForMs)])
      expect(waitMs).toBeLessThanOrEqual(3_600_000)
    for (const { dailyUsed } of observed) expect(dailyUsed ?? 0).toBeLessThan(1e12)
  })
})

test('an instance that the sign-in reply names is called only where it is the CRM', async () => {
  const [salesforce] = connectors
  if (salesforce?.name !== 'salesforce') throw new Error('the first connector is no longer the one that signs in')
  for (const instance_url of [
    recorder.origin,
    'https://evil.example',
    'https://10.0.0.7',
    'https://acme.my.salesforce.com',
  ]) {
    const body = { access_token: 'x', instance_url, token_type: 'Bearer' }
    boxOf('salesforce').addFault({ kind: 'status', status: 200, match: '/oauth2/token', body })
    await expect(open(salesforce).describe()).rejects.toMatchObject({ code: 'CRM_UNAUTHORIZED' })
  }
  expect(recorder.heard).toEqual([])
})

describe('the address that is connected to', () => {
  const resolve = (lookup: typeof publicLookup, host: string) =>
    new Promise<string>((done) =>
      lookup(host, { all: true }, (error) => done(error === null ? 'taken' : error.message)),
    )

  test.each([
    'localhost',
    '127.0.0.1',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '::7f00:1',
    '4000::1',
    '168.63.129.16',
    'fd00:ec2::254',
    '100.100.100.200',
  ])('is no CRM where a name leads to %s', async (host) => {
    expect(await resolve(publicLookup, host)).toMatch(/no address of a CRM/)
  })

  test.each(['8.8.8.8', '2606:4700:4700::1111'])('may be %s', async (host) => {
    expect(await resolve(publicLookup, host)).toBe('taken')
    expect(await resolve(loopbackLookup, host)).toMatch(/no address of a CRM/)
  })
})
