/** A call, its jobs and their calls to a CRM are one trace at a collector, which hears of them over OTLP/HTTP. */
import { execFileSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import { grantCredits } from '../../../src/orders/ledger.ts'
import type { QueueHandle } from '../../../src/queue/queue.ts'
import '../../../src/telemetry/crm-calls.ts'
import { createLogger } from '../../../src/telemetry/log.ts'
import { startTracing } from '../../../src/telemetry/tracing.ts'
import { newCustomer, secretKey, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { gstinOf, insertContact, insertGst } from '../orders/world.ts'
import { type FollowedDelivery, startFollowedDelivery } from './delivery-jobs.ts'

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}
interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}
interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly Attribute[]
}

const database = useTestDatabase()
const spans: SentSpan[] = []
const services = new Set<string | undefined>()
const asked = new Set<string>()
let collector: Server
let delivery: FollowedDelivery
let tracing: { stop(): Promise<void> }

const sender = { send: (...given: Parameters<QueueHandle['send']>) => delivery.queue.send(...given) }
const api = useApi(database, [], { queue: sender as QueueHandle })

beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      asked.add(`${request.method} ${request.url} ${request.headers['content-type']}`)
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Sent
      for (const { resource, scopeSpans } of resourceSpans) {
        services.add(resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue)
        spans.push(...scopeSpans.flatMap((scope) => scope.spans))
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const log = createLogger('silent', process.stderr)
  tracing = await startTracing({ endpoint, version: '1.2.3', build: 'a1b2', role: 'all', log })
  delivery = await startFollowedDelivery(database, log)
})
afterAll(async () => {
  await delivery.stop()
  await tracing.stop()
  await new Promise((resolve) => collector.close(resolve))
})

const attributeOf = (span: SentSpan, name: string) => span.attributes.find(({ key }) => key === name)?.value

test('an order is one trace: the call of its caller, the jobs below it, and the calls to the CRM below these', async () => {
  const { db } = database
  const { token, accountId } = await newCustomer(api, database)
  await insertGst(db, gstinOf(1))
  await insertContact(db, 'gst', gstinOf(1), { email: 'gst1@example.in' })
  await db.transaction((tx) => grantCredits(tx, accountId, 10, 'grant:traces'))
  const given = { accountId, connector: 'zoho', name: 'CRM', settings: { ...delivery.boxes.settings('zoho') } }
  await addDestination(db, connectors, secretKey, given)
  const body = {
    orderName: 'One',
    paymentOption: 'credits',
    items: [{ type: 'gst', name: 'One', number: gstinOf(1) }],
  }
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = { 'x-request-id': 'call-of-ravi-3', traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  expect((await api.post('/api/orders/normal', token, body, headers)).statusCode).toBe(201)

  const inTrace = () => spans.filter((span) => span.traceId === traceId)
  await vi.waitFor(() => expect(inTrace().map(({ name }) => name)).toContain('process deliver-leads'), {
    timeout: 60_000,
    interval: 200,
  })
  const one = (name: string) => inTrace().find((span) => span.name === name)
  const call = one('POST /api/orders/normal')
  const build = one('process build-leads')
  const deliver = one('process deliver-leads')
  const crm = one('POST Zoho')
  expect(call?.parentSpanId).toBe('b7ad6b7169203331')
  expect(build?.parentSpanId).toBe(call?.spanId)
  expect(deliver?.parentSpanId).toBe(build?.spanId)
  expect(crm?.parentSpanId).toBe(deliver?.spanId)
  for (const span of inTrace()) expect(attributeOf(span, 'panji.request_id')?.stringValue).toBe('call-of-ravi-3')
  expect(call && attributeOf(call, 'http.response.status_code')?.intValue).toBe(201)
  expect([...asked]).toEqual(['POST /v1/traces application/json'])
  expect([...services]).toEqual(['panji-all'])
  // Who was asked for, and whose it is, stays here.
  const told = JSON.stringify(spans)
  for (const secret of [gstinOf(1), 'gst1@example.in', accountId, token]) expect(told).not.toContain(secret)
})

test('a process that sends no traces loads nothing of the SDK', () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({ load(url, context, next) { loaded.add(url.match(/@opentelemetry.([^/]+)/)?.[1]); return next(url, context) } })
    await import('./src/cli/start/runtime.ts')
    console.log([...loaded].filter(Boolean).join())`
  const options = { cwd: new URL('../../../', import.meta.url), encoding: 'utf8' } as const
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], options).trim()).toBe('api')
})
