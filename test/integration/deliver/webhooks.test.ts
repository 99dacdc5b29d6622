/** Events reach the account's own address, signed; what fails is tried again, listed and replayed; no inner address is called. */
import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { retention } from '../../../config/retention.ts'
import { post } from '../../../src/deliver/webhooks/outgoing.ts'
import { sweepEvents } from '../../../src/deliver/webhooks/sweep-events.ts'
import { faultOfUrl } from '../../../src/deliver/webhooks/webhook-url.ts'
import { addWebhook, listEvents, replayEvent } from '../../../src/deliver/webhooks/webhooks.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'

const world = useDeliveryWorld()
let server: Server
let url = ''
let answers: number[] = []
let heard: { id: string; at: string; signature: string; body: string }[] = []

beforeEach(async () => {
  answers = []
  heard = []
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const header = (name: string) => String(request.headers[name])
      heard.push({
        id: header('webhook-id'),
        at: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        body,
      })
      response.writeHead(answers.shift() ?? 204, { location: 'http://127.0.0.1:1/' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const types = () => heard.map(({ body }) => (JSON.parse(body) as { type: string }).type)
const endWaits = () =>
  world.database.db.execute(
    `UPDATE deliver.notice SET next_attempt_at = now() WHERE state = 'pending' AND last_status IS NOT NULL`,
  )

test('an order that is delivered and a lead that is refused are told, signed as Standard Webhooks asks', async () => {
  const { db } = world.database
  const { secret } = await addWebhook(db, world.secretKey, { accountId: world.accountId(), url })
  const destination = await world.addDestination('salesforce')
  const orderId = await world.order([gstLead(1), gstLead(2, { Email: 'no-address' })])
  await world.push(orderId, destination)
  await world.until(() => expect(types().sort()).toEqual(['delivery.rejected', 'order.delivered']))
  const bodies = heard.map(({ body }) => JSON.parse(body))
  expect(bodies.find(({ type }) => type === 'order.delivered').data).toMatchObject({
    ...{ destination_id: destination, order_id: orderId, created: 1, rejected: 1 },
  })
  expect(bodies.find(({ type }) => type === 'delivery.rejected').data.rejects).toEqual([
    { record: gstLead(2).externalId, code: 'INVALID_EMAIL_ADDRESS', field: 'Email', message: expect.any(String) },
  ])
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  for (const { id, at, signature, body } of heard) {
    expect(signature).toBe(`v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`)
    expect(Math.abs(Number(at) - Date.now() / 1000)).toBeLessThan(300)
  }
})

test('a receiver that fails hears the same event again under the same id, and a redirect is not followed', async () => {
  const { db } = world.database
  await addWebhook(db, world.secretKey, { accountId: world.accountId(), url, events: ['order.delivered'] })
  answers = [500, 307]
  await world.push(await world.order([gstLead(1)]), await world.addDestination('hubspot'))
  await world.until(async () => {
    await endWaits()
    expect(heard).toHaveLength(3)
  })
  expect(new Set(heard.map(({ id }) => id)).size).toBe(1)
  await world.until(async () => {
    const { events } = await listEvents(db, world.accountId(), { limit: 10, offset: 0 })
    expect(events).toMatchObject([
      { type: 'order.delivered', notices: [{ state: 'delivered', attempts: 3, last_status: 204, last_error: null }] },
    ])
  })
  expect(await replayEvent(db, heard[0]?.id ?? '', world.accountId())).toEqual({ replayed: 1 })
  await world.until(() => expect(heard).toHaveLength(4))
})

test('events whose time is up are deleted with the answers to them, and younger ones stay', async () => {
  const { db } = world.database
  await addWebhook(db, world.secretKey, { accountId: world.accountId(), url: 'https://example.com/hook' })
  await db.execute('DELETE FROM deliver.event')
  await db.execute(
    `INSERT INTO deliver.event (account_id, type, data, created_at)
     SELECT $1, 'order.delivered', '{}', now() - age FROM unnest('{89 days,91 days}'::interval[]) AS age`,
    [world.accountId()],
  )
  await db.execute(
    `INSERT INTO deliver.notice (event_id, webhook_id, state)
     SELECT event_id, webhook_id, 'delivered' FROM deliver.event JOIN deliver.webhook USING (account_id)`,
  )
  expect(await sweepEvents(world.database.as('panji_worker'), retention.webhookEvents)).toBe(1)
  expect(await db.query('SELECT FROM deliver.notice')).toHaveLength(1)
})

test('a destination that breaks and recovers is told each once', async () => {
  const { db } = world.database
  const events = ['destination.broken', 'destination.recovered'] as const
  await addWebhook(db, world.secretKey, { accountId: world.accountId(), url, events })
  const destination = await world.addDestination('salesforce')
  world.box('salesforce').addFault({ kind: 'status', status: 503, times: 7 })
  await world.push(await world.order([gstLead(1)]), destination)
  await world.until(() => expect(types()).toEqual(['destination.broken', 'destination.recovered']))
})

test.each([
  'http://example.com/hook',
  'https://127.0.0.1/hook',
  'https://localhost/hook',
  'https://[::1]/hook',
  'https://[::ffff:10.0.0.1]/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://0x7f.1/hook',
  'https://192.168.1.1:8443/hook',
])('nothing is sent to %s', async (inner) => {
  const { signal } = new AbortController()
  const sent = await post({ url: inner, headers: {}, body: '{}', signal, allowPrivate: false })
  expect(sent).toMatchObject({ status: null, error: expect.any(String) })
  expect(faultOfUrl('ftp://example.com')).toBe('must be an https address')
  expect(faultOfUrl('https://user:password@example.com')).toBe('must not carry credentials')
})
