/**
 * `panji start` beside a real collector of OpenTelemetry: what the collector writes down of a call, its jobs and their calls to CRMs;
 * and that a collector that is not there, answers nobody or comes back takes nothing from Panji but spans.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPanjiClient, dataOf } from '../../client/index.ts'
import { buildId, panjiVersion } from '../../src/cli/version.ts'
import { openDb } from '../../src/db/db.ts'
import { freePort } from '../support/free-port.ts'
import { type Collector, hasCollector, startCollector, type TakenSpan } from '../support/otel-collector.ts'
import { panjiHome, runPanjiIn } from '../support/panji-cli.ts'
import type { NodeProcess } from '../support/run-node.ts'
import { laySampleWorld } from '../support/sample-world.ts'

describe.skipIf(!hasCollector())('beside a real collector', { timeout: 240_000 }, () => {
  const home = panjiHome()
  let port = 0
  let endpoint = ''
  let collector: Collector
  let panji: NodeProcess
  let items: readonly Item[]

  async function start(env: Readonly<Record<string, string>>): Promise<void> {
    panji = runPanjiIn(home.dataDir, ['start'], { LOG_LEVEL: 'info', ...env })
    await panji.line('Ctrl-C stops.')
  }
  async function stop(): Promise<number | null> {
    panji.child.kill('SIGINT')
    return (await panji.ended).code
  }
  beforeAll(async () => {
    port = await freePort()
    endpoint = `http://127.0.0.1:${port}`
    await laySampleWorld(home.dataDir)
    collector = await startCollector(port)
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    items = await reachable(home.dataDir)
    expect(items).toHaveLength(4)
  }, 300_000)
  afterAll(async () => {
    panji.child.kill('SIGKILL')
    await panji.ended
    await collector.kill()
    home.remove()
  })

  const printed = (pattern: RegExp) => pattern.exec(panji.printed())?.[1] ?? ''
  const apiKey = () => printed(/(panji_\w{43})/)
  const logged = () => readFileSync(join(home.dataDir, 'panji.log'), 'utf8')

  async function recordsIn(crm: string): Promise<number> {
    const [url, token] = [printed(/Sandbox CRMs\s+(http:\S+)/), printed(/Sandbox token\s+(\S+)/)]
    const answer = await fetch(`${url}/records?crm=${crm}`, { headers: { authorization: `Bearer ${token}` } })
    return ((await answer.json()) as unknown[]).length
  }
  /** An order of one record. @returns once its lead lies in each CRM of the demo account. */
  async function orderOf(item: Item | undefined, headers: Record<string, string> = {}): Promise<void> {
    if (!item) throw new Error('no record of the sample world is left')
    const api = createPanjiClient({ baseUrl: printed(/API\s+(http:\S+)/), apiKey: apiKey() })
    const crms = ['salesforce', 'hubspot', 'zoho']
    const before = await Promise.all(crms.map(recordsIn))
    const { number, name } = item
    const body = { orderName: number, paymentOption: 'credits', items: [{ type: 'gst' as const, number, name }] }
    expect(dataOf(await api.POST('/api/orders/normal', { body, headers })).status).toBe('completed')
    const after = () => Promise.all(crms.map(recordsIn))
    await expect.poll(after, { timeout: 60_000 }).toEqual(before.map((count) => count + 1))
  }

  test('a call, its jobs and their calls to CRMs are one trace of the collector, and name nobody', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    await orderOf(items[0], { 'x-request-id': 'call-of-ravi-3', traceparent: `00-${traceId}-b7ad6b7169203331-01` })
    const taken = () => collector.spans().filter((span) => span.traceId === traceId)
    const named = (name: string) => taken().filter((span) => span.name === name)
    await expect.poll(() => named('process deliver-leads').length, { timeout: 60_000, interval: 200 }).toBe(3)

    const [call] = named('POST /api/orders/normal')
    const [buildLeads] = named('process build-leads')
    const deliver = named('process deliver-leads')
    const toCrm = taken().filter(({ kind }) => kind === 'Client')
    expect(call).toMatchObject({ kind: 'Server', parentId: 'b7ad6b7169203331', status: 'Unset' })
    expect(call?.attributes).toMatchObject({ 'http.route': '/api/orders/normal', 'http.response.status_code': '201' })
    expect(buildLeads).toMatchObject({ kind: 'Consumer', parentId: call?.spanId })
    expect(deliver.map(({ parentId }) => parentId)).toEqual(deliver.map(() => buildLeads?.spanId))
    const crmsBelow = ({ spanId }: TakenSpan) =>
      [
        ...new Set(toCrm.filter(({ parentId }) => parentId === spanId).map((span) => span.attributes['panji.crm'])),
      ].join()
    expect(deliver.map(crmsBelow).sort()).toEqual(['HubSpot', 'Salesforce', 'Zoho'])
    expect(toCrm.filter(({ parentId }) => !deliver.some(({ spanId }) => spanId === parentId))).toEqual([])
    expect(new Set(taken().map(({ attributes }) => attributes['panji.request_id']))).toEqual(
      new Set(['call-of-ravi-3']),
    )

    for (const { resource } of collector.spans()) {
      expect(resource).toMatchObject({
        'service.name': 'panji-all',
        'service.version': panjiVersion(),
        'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/),
        'panji.build': buildId(),
        'telemetry.sdk.name': 'opentelemetry',
      })
    }
    for (const known of [...(items[0] ? Object.values(items[0]) : []), apiKey()].filter((text) => text.length > 3))
      expect(collector.printed()).not.toContain(known)
  })

  test('a collector that answers nobody holds up no call and no delivery, and Panji stops as ever', async () => {
    collector.halt()
    await orderOf(items[1])
    expect(await stop()).toBe(0)
    collector.goOn()
    await collector.kill()
  })

  test('an unreachable one is reported once, until it accepts spans again', async () => {
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    const before = logged().length
    const said = (text: string) => logged().slice(before).split(text).length - 1
    await orderOf(items[2])
    await expect.poll(() => said('The collector is not accepting spans'), { timeout: 60_000, interval: 200 }).toBe(1)
    collector = await startCollector(port)
    await expect
      .poll(
        async () => {
          await fetch(`${printed(/API\s+(http:\S+)/)}/api/users/me`)
          return said('The collector is accepting spans again')
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(1)
    expect(said('The collector is not accepting spans')).toBe(1)
    expect(collector.spans().map(({ name }) => name)).toContain('GET /api/users/me')
    await collector.kill()
    expect(await stop()).toBe(0)
  })

  test('without the setting the collector hears of nothing, whatever else the environment tells an SDK', async () => {
    collector = await startCollector(port)
    await start({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/v1/traces`, OTEL_TRACES_EXPORTER: 'otlp' })
    await orderOf(items[3])
    expect(await stop()).toBe(0)
    expect(collector.printed()).toBe('')
  })
})

interface Item {
  readonly number: string
  readonly name: string
  readonly email: string
  readonly mobile: string
}

/** Registrations of the sample world that nobody ordered yet and that can be reached. */
async function reachable(dataDir: string): Promise<Item[]> {
  const instance = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8')) as { databaseUrl: string }
  const db = openDb({ connectionString: instance.databaseUrl, applicationName: 'story', connectionsMax: 1 })
  try {
    return await db.query(
      `SELECT gstin AS number, legal_name AS name, email, mobile FROM registry.gst_taxpayer t
       JOIN registry.contact c ON (c.entity, c.identifier) = ('gst', t.gstin)
       WHERE email IS NOT NULL AND mobile IS NOT NULL
         AND NOT EXISTS (SELECT FROM orders.item i WHERE i.identifier = t.gstin) ORDER BY gstin DESC LIMIT 4`,
    )
  } finally {
    await db.close()
  }
}
