/** Events reach the account's own address, signed; what fails is tried again, listed and replayed; no inner address is called. */
import { createHmac } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { retention } from '../../../config/retention.ts'
import { webhookBounds } from '../../../config/webhooks.ts'
import {
  pauseDestination,
  resumeDestination,
  updateDestination,
} from '../../../src/deliver/destinations/destinations.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { post } from '../../../src/notify/webhooks/outgoing.ts'
import { noticesAreDue, sendNotices } from '../../../src/notify/webhooks/send-notices.ts'
import { sweepEvents } from '../../../src/notify/webhooks/sweep-events.ts'
import { faultOfUrl } from '../../../src/notify/webhooks/webhook-url.ts'
import {
  addWebhook,
  changeWebhook,
  listEvents,
  listWebhooks,
  replayEvent,
} from '../../../src/notify/webhooks/webhooks.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertAccount } from './paid-order.ts'

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
const acknowledged = async (destinationId: string) => {
  const rows = await world.database.db.query(
    `SELECT FROM deliver.delivery WHERE destination_id = $1 AND state = 'acknowledged'`,
    [destinationId],
  )
  return rows.length
}
const endWaits = () =>
  world.database.db.execute(
    `UPDATE deliver.notice SET next_attempt_at = now() WHERE state = 'pending' AND last_status IS NOT NULL`,
  )

test('an order that is delivered and a lead that is refused are told, signed as Standard Webhooks asks', async () => {
  const { db } = world.database
  const { secret } = await addWebhook(db, world.secretKey, { accountId: world.accountId(), url, allowPrivate: true })
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

test('a webhook that is changed keeps its secret, what it leaves out, and what waits for it', async () => {
  const { db } = world.database
  const paths: unknown[] = []
  server.on('request', (request) => paths.push(request.url))
  const accountId = world.accountId()
  const hook = { accountId, url, events: ['order.delivered'] as const, allowPrivate: true }
  const { webhook_id: id, secret: _secret, ...made } = await addWebhook(db, world.secretKey, hook)
  answers = [500]
  await world.push(await world.order([gstLead(1)]), await world.addDestination('hubspot'))
  await world.until(() => expect(paths).toEqual(['/hook']))
  const moved = { webhook_id: id, ...made, url: `${url}/moved` }
  expect(await changeWebhook(db, id, { accountId, url: moved.url, allowPrivate: true })).toEqual(moved)
  await world.until(async () => {
    await endWaits()
    expect(paths).toEqual(['/hook', '/hook/moved'])
  })
  expect(new Set(heard.map((each) => each.id)).size).toBe(1)
  expect(new Set(heard.map(({ body }) => body)).size).toBe(1)
  const other = await insertAccount(db)
  await expect(changeWebhook(db, id, { accountId: other, events: ['order.paid'] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(changeWebhook(db, id, { accountId, url: 'http://127.0.0.1/hook' })).rejects.toMatchObject({
    code: 'UNPROCESSABLE',
  })
  expect(await listWebhooks(db, accountId)).toEqual([moved])
  const events = ['credits.low', 'order.paid'] as const
  expect(await changeWebhook(db, id, { accountId, events })).toEqual({ ...moved, events })
})

test('a receiver that fails hears the same event again under the same id, and a redirect is not followed', async () => {
  const { db } = world.database
  await addWebhook(db, world.secretKey, {
    accountId: world.accountId(),
    url,
    events: ['order.delivered'],
    allowPrivate: true,
  })
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
  expect(await replayEvent(db, heard[0]?.id ?? '', world.accountId())).toEqual({ replayed: 1, replays: 1 })
  await world.until(() => expect(heard).toHaveLength(4))
})

/** A customer with a webhook at the address, and events that wait for it. */
async function waitingFor(address: string, events: number): Promise<{ accountId: string; eventIds: string[] }> {
  const { db } = world.database
  const accountId = await insertAccount(db)
  const { webhook_id: webhookId } = await addWebhook(db, world.secretKey, {
    accountId,
    url: address,
    allowPrivate: true,
  })
  const rows = await db.query<{ id: string }>(
    `WITH made AS (INSERT INTO deliver.event (account_id, type, data)
       SELECT $1, 'order.delivered', '{}' FROM generate_series(1, $3) RETURNING event_id)
     INSERT INTO deliver.notice (event_id, webhook_id) SELECT event_id, $2 FROM made RETURNING event_id AS id`,
    [accountId, webhookId, events],
  )
  return { accountId, eventIds: rows.map(({ id }) => id) }
}
const statesOf = async (accountId: string) =>
  world.database.db.query<{ state: string; attempts: number }>(
    `SELECT n.state, n.attempts FROM deliver.notice n JOIN deliver.event e USING (event_id) WHERE e.account_id = $1 ORDER BY 1, 2`,
    [accountId],
  )
const send = () => {
  const parts = { db: world.database.as('panji_worker'), secretKey: world.secretKey, allowPrivate: true }
  return sendNotices(parts, new AbortController().signal)
}

describe('beside a receiver that does not answer', () => {
  let stuck: Server
  let held: ServerResponse[] = []
  let isBroken = false
  let at = ''
  beforeEach(async () => {
    ;[held, isBroken] = [[], false]
    stuck = createServer((request, response) => {
      if (isBroken) request.socket.destroy()
      else held.push(response)
    })
    await new Promise<void>((resolve) => stuck.listen(0, '127.0.0.1', resolve))
    at = `http://127.0.0.1:${(stuck.address() as AddressInfo).port}/hook`
    await world.stopWorker()
    await world.database.db.execute(`UPDATE deliver.notice SET state = 'delivered' WHERE state = 'pending'`)
  })
  afterEach(() => {
    stuck.closeAllConnections()
    stuck.close()
  })

  test('everybody else hears everything, and no more than its share is under way', async () => {
    const { share } = webhookBounds
    const slow = await waitingFor(at, 12)
    const fast = await Promise.all([waitingFor(url, 9), waitingFor(url, 9)])
    const sending = send()
    await expect.poll(() => heard.length, { timeout: 60_000 }).toBe(18)
    expect(held.length).toBe(share)
    // The receiver hears it before it is written down that it did.
    for (const { accountId } of fast)
      await expect.poll(() => statesOf(accountId)).toEqual(Array(9).fill({ state: 'delivered', attempts: 1 }))
    expect(await statesOf(slow.accountId)).toEqual([
      ...Array(12 - share).fill({ state: 'pending', attempts: 0 }),
      ...Array(share).fill({ state: 'pending', attempts: 1 }),
    ])
    const answering = setInterval(() => held.splice(0).map((response) => response.writeHead(204).end()), 5)
    await sending
    clearInterval(answering)
    expect(await statesOf(slow.accountId)).toEqual(Array(12).fill({ state: 'delivered', attempts: 1 }))
  })

  test('a host that fails is paused for all accounts, tried with one notice, and gets the rest once it answers', async () => {
    const { db } = world.database
    isBroken = true
    const [one, other] = [await waitingFor(at, 8), await waitingFor(at, 8)]
    await send()
    const untried = async () =>
      (await Promise.all([one, other].map(({ accountId }) => statesOf(accountId))))
        .flat()
        .filter(({ attempts }) => attempts === 0).length
    const before = await untried()
    expect(before).toBeGreaterThanOrEqual(16 - webhookBounds.failuresMax - webhookBounds.share)
    expect(await send()).toEqual({ sent: 0 })
    expect(await noticesAreDue(db)).toBe(false)

    const endPause = () => db.execute(`UPDATE deliver.receiver SET paused_until = now()`)
    await endPause()
    expect(await send()).toEqual({ sent: 1 })
    expect(await untried()).toBe(before - 1)

    await endPause()
    await db.execute(`UPDATE deliver.notice SET next_attempt_at = now() WHERE state = 'pending'`)
    isBroken = false
    const answering = setInterval(() => held.splice(0).map((response) => response.writeHead(204).end()), 5)
    expect(await send()).toEqual({ sent: 16 })
    clearInterval(answering)
    expect(await db.query('SELECT FROM deliver.receiver')).toEqual([])
    for (const { accountId } of [one, other])
      expect(new Set((await statesOf(accountId)).map(({ state }) => state))).toEqual(new Set(['delivered']))
  })

  test('what waits for a host that never answers is given up after three days, and nothing else is', async () => {
    const { db } = world.database
    const [dead, alive] = [await waitingFor(at, 2), await waitingFor('https://alive.example/hook', 1)]
    await db.execute(
      `INSERT INTO deliver.receiver (host, failures, paused_until) VALUES ($1, 9, now() + interval '1 hour')`,
      [new URL(at).host],
    )
    await db.execute(
      `UPDATE deliver.notice SET due_since = now() - interval '4 days', next_attempt_at = now() + interval '1 day'
      WHERE event_id = ANY($1)`,
      [[dead.eventIds[0], ...alive.eventIds]],
    )
    expect(await send()).toEqual({ sent: 0 })
    expect((await statesOf(dead.accountId)).map(({ state }) => state)).toEqual(['failed', 'pending'])
    expect((await statesOf(alive.accountId)).map(({ state }) => state)).toEqual(['pending'])
    await db.execute('DELETE FROM deliver.receiver')
  })
})

test('replays are counted: one that waits goes once, and an event goes again a few times only', async () => {
  const { db } = world.database
  await world.stopWorker()
  const { accountId, eventIds } = await waitingFor('https://alive.example/hook', 1)
  await db.execute(`UPDATE deliver.notice SET attempts = 3 WHERE event_id = ANY($1)`, [eventIds])
  const replay = () => replayEvent(db, eventIds[0] ?? '', accountId)
  expect(await replay()).toEqual({ replayed: 1, replays: 1 })
  expect(await statesOf(accountId)).toEqual([{ state: 'pending', attempts: 3 }])
  for (let replays = 2; replays <= webhookBounds.replaysMax; replays += 1) {
    await db.execute(`UPDATE deliver.notice SET state = 'delivered' WHERE event_id = ANY($1)`, [eventIds])
    expect(await replay()).toEqual({ replayed: 1, replays })
  }
  await db.execute(`UPDATE deliver.notice SET state = 'delivered' WHERE event_id = ANY($1)`, [eventIds])
  await expect(replay()).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
  expect((await statesOf(accountId)).map(({ state }) => state)).toEqual(['delivered'])
})

test('an event whose next try is hours away goes at once when it is sent again, with all tries anew', async () => {
  const { db } = world.database
  await world.stopWorker()
  await db.execute('DELETE FROM deliver.event')
  const { accountId, eventIds } = await waitingFor(url, 1)
  await db.execute(
    `UPDATE deliver.notice SET attempts = 8, last_status = 500, next_attempt_at = now() + interval '10 hours' WHERE event_id = ANY($1)`,
    [eventIds],
  )
  expect(await send()).toEqual({ sent: 0 })
  answers = [500]
  await replayEvent(db, eventIds[0] ?? '', accountId)
  expect(await send()).toEqual({ sent: 1 })
  expect(await statesOf(accountId)).toEqual([{ state: 'pending', attempts: 1 }])
  await replayEvent(db, eventIds[0] ?? '', accountId)
  await endWaits()
  expect(await send()).toEqual({ sent: 1 })
  expect(heard).toHaveLength(2)
  expect(await statesOf(accountId)).toEqual([{ state: 'delivered', attempts: 2 }])
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
  await addWebhook(db, world.secretKey, { accountId: world.accountId(), url, events, allowPrivate: true })
  const destination = await world.addDestination('salesforce')
  world.box('salesforce').addFault({ kind: 'status', status: 503, times: 7 })
  await world.push(await world.order([gstLead(1)]), destination)
  await world.until(() => expect(types()).toEqual(['destination.broken', 'destination.recovered']))
})

test.each(['a test', 'a request to resume', 'new settings'])(
  'a destination that breaks and is cured by %s is told to have recovered, once',
  async (cure) => {
    const { db } = world.database
    const events = ['destination.broken', 'destination.recovered'] as const
    await addWebhook(db, world.secretKey, { accountId: world.accountId(), url, events, allowPrivate: true })
    const destination = await world.addDestination('hubspot')
    world.box('hubspot').addFault({ kind: 'status', status: 401, times: 1_000 })
    await world.push(await world.order([gstLead(1)]), destination)
    await vi.waitFor(() => expect(types()).toEqual(['destination.broken']), { timeout: 60_000 })
    world.box('hubspot').endFaults?.()
    if (cure === 'a test') await testDestination(world.parts(), destination, new AbortController().signal)
    if (cure === 'a request to resume') await resumeDestination(world.parts(), destination)
    if (cure === 'new settings') {
      await updateDestination(world.parts(), destination, { settings: world.settings('hubspot') })
    }
    await world.until(() => expect(types()).toEqual(['destination.broken', 'destination.recovered']))
    await world.push(await world.order([gstLead(2)]), destination)
    await world.until(async () => expect(await acknowledged(destination)).toBe(2))
    expect(types()).toHaveLength(2)
  },
)

test('a delivery that ends well during a pause tells of no recovery, and the first good one after it does, once', async () => {
  const { db } = world.database
  const events = ['destination.broken', 'destination.recovered'] as const
  await addWebhook(db, world.secretKey, { accountId: world.accountId(), url, events, allowPrivate: true })
  const destination = await world.addDestination('hubspot')
  const box = world.box('hubspot')
  box.addFault({ kind: 'status', status: 401, times: 1_000 })
  await world.push(await world.order([gstLead(1)]), destination)
  await vi.waitFor(() => expect(types()).toEqual(['destination.broken']), { timeout: 60_000 })
  box.endFaults?.()
  box.addFault({ kind: 'delay', ms: 2_000, match: '/batch/upsert' })
  await world.until(() => expect(box.faults?.()).toEqual([]))
  await pauseDestination(world.parts(), destination)
  await world.until(async () => expect(await acknowledged(destination)).toBe(1))
  await send()
  expect(types()).toEqual(['destination.broken'])

  await resumeDestination(world.parts(), destination)
  await world.push(await world.order([gstLead(2)]), destination)
  await world.until(() => expect(types()).toEqual(['destination.broken', 'destination.recovered']))
  await world.push(await world.order([gstLead(3)]), destination)
  await world.until(async () => expect(await acknowledged(destination)).toBe(3))
  expect(types()).toHaveLength(2)
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
])('no webhook is made for %s, and nothing is sent to it', async (inner) => {
  const { signal } = new AbortController()
  const sent = await post({ url: inner, headers: {}, body: '{}', signal, allowPrivate: false })
  expect(sent).toMatchObject({ status: null, error: expect.any(String) })
  const given = { accountId: world.accountId(), url: inner }
  const made = addWebhook(world.database.db, world.secretKey, given).then(
    () => 'made',
    (error: unknown) => String(error),
  )
  // What a name leads to is known when it is called.
  expect(await made).toMatch(
    inner.includes('localhost') ? 'made' : /url must be an (https address|address of the public)/,
  )
  expect(faultOfUrl('ftp://example.com', false)).toBe('must be an https address')
  expect(faultOfUrl('https://user:password@example.com', false)).toBe('must not carry credentials')
})
