/** What becomes of deliveries is told the account by e-mail, by way of a real SMTP server in this process. */

import { randomUUID } from 'node:crypto'
import { SMTPServer } from 'smtp-server'
import { beforeEach, expect, test } from 'vitest'
import { announceOfDestination } from '../../../src/deliver/destinations/announce.ts'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { announce } from '../../../src/notify/announce.ts'
import { events, eventTypes } from '../../../src/notify/event-types.ts'
import { mailsAreDue, sendMails } from '../../../src/notify/mails/send-mails.ts'
import { createMailer } from '../../../src/notify/mails/smtp.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { secretKey as apiKey, newCustomer, useApi } from '../../support/api.ts'
import { useDeliveryWorld } from './delivery-world.ts'
import { insertOrder } from './paid-order.ts'

const world = useDeliveryWorld(apiKey)
const api = useApi(world.database)
const db = () => world.database.db
const signal = new AbortController().signal

// Whoever sends, sends all that waits.
beforeEach(() => db().execute('DELETE FROM deliver.mail'))

interface Received {
  readonly to: readonly string[]
  readonly text: string
}
/** @param refuse answers recipients; a server without TLS unless told. */
async function mailServer(options: ConstructorParameters<typeof SMTPServer>[0] = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8').replaceAll('=\r\n', '')
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { received, port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}
const delivered = (orderId: string) => ({
  order_id: orderId,
  push_id: 'push',
  created: 1,
  updated: 0,
  unchanged: 0,
  rejected: 0,
})
const mailerTo = (port: number, host = '127.0.0.1') =>
  createMailer({ url: new Secret(`smtp://${host}:${port}`), from: 'Panji <panji@example.in>' })
const endMailWaits = () => db().execute(`UPDATE deliver.mail SET next_attempt_at = now() WHERE state = 'pending'`)
const mailsOf = (accountId: string) =>
  db().query<{ type: string; state: string; attempts: number; error: string | null }>(
    `SELECT type, state, attempts, last_error AS error FROM deliver.mail WHERE account_id = $1 ORDER BY created_at, type`,
    [accountId],
  )

async function buyer() {
  const customer = await newCustomer(api, world.database)
  const headers = { authorization: `Bearer ${customer.token}` }
  const body = { type: 'salesforce', name: 'Our org', settings: world.settings('salesforce'), deliver: 'manual' }
  const made = await api.app.inject({ method: 'POST', url: '/api/crm/destinations', headers, payload: body })
  const [row] = await db().query<{ email: string }>('SELECT email FROM access.account WHERE account_id = $1', [
    customer.accountId,
  ])
  const email = row?.email ?? ''
  return { customer: { ...customer, email }, headers, destinationId: made.json().destination_id as string }
}

test('a delivered order and its rejected rows are e-mailed once each, without any value of a row', async () => {
  const { customer, headers, destinationId } = await buyer()
  const leads = [gstLead(1), gstLead(2, { Email: 'secret-person' }), gstLead(3, { Email: 'secret-person' })]
  const orderId = await insertOrder(db(), customer.accountId, leads)
  const payload = { destination_id: destinationId }
  await api.app.inject({ method: 'POST', url: `/api/crm/orders/${orderId}/push`, headers, payload })
  await world.until(async () => expect(await mailsOf(customer.accountId)).toHaveLength(2))
  const server = await mailServer()
  const mailer = mailerTo(server.port)
  await endMailWaits()
  expect(await sendMails(db(), mailer, signal)).toEqual({ sent: 2 })
  expect(await sendMails(db(), mailer, signal)).toEqual({ sent: 0 })
  mailer.close()
  await server.close()
  const texts = server.received.map(({ text }) => text).join('\n')
  expect(server.received.every(({ to }) => to.length === 1 && to[0] === customer.email)).toBe(true)
  expect(texts).toContain('Subject: Our org rejected 2 leads')
  expect(texts).toContain('Subject: Order delivered to Our org, 2 leads rejected')
  expect(texts).toContain('INVALID_EMAIL_ADDRESS: 2')
  const day = indianDayOf(new Date())
  expect(texts).toContain(`Our org has responded to every lead of your order "Goa leads" of ${day} (3 records):`)
  expect(texts).toContain(`Order ID: ${orderId}`)
  expect(texts).toContain(gstLead(2).externalId)
  expect(texts).not.toContain('secret-person')
  expect(texts).toContain('Auto-Submitted: auto-generated')
})

test('an order that reaches several destinations at once is e-mailed for each of them', async () => {
  const { customer, destinationId, headers } = await buyer()
  const body = { type: 'hubspot', name: 'Their portal', settings: world.settings('hubspot'), deliver: 'manual' }
  const made = await api.app.inject({ method: 'POST', url: '/api/crm/destinations', headers, payload: body })
  const orderId = await insertOrder(db(), customer.accountId, [gstLead(1)])
  for (const each of [destinationId, made.json().destination_id as string]) {
    await db().transaction((tx) => announceOfDestination(tx, each, 'order.delivered', delivered(orderId)))
  }
  const server = await mailServer()
  const mailer = mailerTo(server.port)
  expect(await sendMails(db(), mailer, signal)).toEqual({ sent: 2 })
  mailer.close()
  await server.close()
  const subjects = server.received.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim())
  expect(subjects.toSorted()).toEqual(['Order delivered to Our org', 'Order delivered to Their portal'])
})

test('rejects of many batches are one e-mail, and a CRM that was briefly unavailable is none', async () => {
  const { customer, destinationId } = await buyer()
  const rejects = (n: number) => ({
    rejects: [n, n + 100].map((each) => ({ record: `gst:${each}`, code: 'NO', field: null, message: 'x' })),
  })
  for (let n = 0; n < 8; n++) {
    await db().transaction((tx) => announceOfDestination(tx, destinationId, 'delivery.rejected', rejects(n)))
  }
  await db().transaction((tx) =>
    announceOfDestination(tx, destinationId, 'destination.broken', {
      reason: { code: 'CRM_UNAVAILABLE', message: 'away' },
    }),
  )
  await db().transaction((tx) => announceOfDestination(tx, destinationId, 'destination.recovered', {}))
  expect(await mailsOf(customer.accountId)).toMatchObject([{ type: 'delivery.rejected', state: 'pending' }])
  const [mail] = await db().query<{ data: { count: number; codes: object; records: unknown[] } }>(
    'SELECT data FROM deliver.mail WHERE account_id = $1',
    [customer.accountId],
  )
  expect(mail?.data).toMatchObject({ count: 16, codes: { NO: 16 } })
  expect(mail?.data.records).toHaveLength(10)
  // What was told already is followed by its end.
  await db().transaction((tx) =>
    announceOfDestination(tx, destinationId, 'destination.broken', {
      reason: { code: 'CRM_UNAVAILABLE', message: 'away' },
    }),
  )
  await db().execute(`UPDATE deliver.mail SET state = 'sent', attempts = 1 WHERE type = 'destination.broken'`)
  await db().transaction((tx) => announceOfDestination(tx, destinationId, 'destination.recovered', {}))
  expect((await mailsOf(customer.accountId)).map(({ type }) => type)).toContain('destination.recovered')
  // And what is rolled back never happened.
  const before = await mailsOf(customer.accountId)
  await expect(
    db().transaction(async (tx) => {
      await announceOfDestination(tx, destinationId, 'order.delivered', delivered(randomUUID()))
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await mailsOf(customer.accountId)).toEqual(before)
})

test('what has ended is no longer e-mailed: not after a failed attempt, and not if its end is unwanted', async () => {
  const { customer, headers, destinationId } = await buyer()
  const tell = (type: 'destination.broken' | 'destination.recovered') =>
    db().transaction((tx) => announceOfDestination(tx, destinationId, type, { reason: { code: 'X', message: 'away' } }))
  let isAway = true
  const server = await mailServer({
    onRcptTo: (_address, _session, done) =>
      isAway ? done(Object.assign(new Error('no'), { responseCode: 451 })) : done(),
  })
  const mailer = mailerTo(server.port)
  await tell('destination.broken')
  await endMailWaits()
  await sendMails(db(), mailer, signal)
  expect(await mailsOf(customer.accountId)).toMatchObject([{ type: 'destination.broken', attempts: 1 }])
  isAway = false
  // Whether the server took the attempt that failed is uncertain, so the end is e-mailed.
  await tell('destination.recovered')
  await endMailWaits()
  await sendMails(db(), mailer, signal)
  expect(await mailsOf(customer.accountId)).toMatchObject([{ type: 'destination.recovered', state: 'sent' }])
  expect(server.received).toHaveLength(1)

  const payload = { events: ['destination.broken'] }
  await api.app.inject({ method: 'PUT', url: '/api/crm/mails', headers, payload })
  await tell('destination.broken')
  await tell('destination.recovered')
  await endMailWaits()
  await sendMails(db(), mailer, signal)
  expect(server.received).toHaveLength(1)
  mailer.close()
  await server.close()
})

test('an account gets only the e-mails that it chose, and none about deliveries once it is suspended', async () => {
  const { customer, headers, destinationId } = await buyer()
  const tell = (type: 'order.delivered' | 'destination.broken') =>
    db().transaction((tx) =>
      announceOfDestination(tx, destinationId, type, { order_id: customer.accountId, reason: { message: 'x' } }),
    )
  const choose = (events: string[]) =>
    api.app.inject({ method: 'PUT', url: '/api/crm/mails', headers, payload: { events } })
  expect((await api.app.inject({ method: 'GET', url: '/api/crm/mails', headers })).json().events).toHaveLength(
    eventTypes.length,
  )
  await tell('order.delivered')
  expect((await choose(['destination.broken'])).json()).toMatchObject({
    to: customer.email,
    events: ['destination.broken'],
  })
  await tell('order.delivered')
  await tell('destination.broken')
  const server = await mailServer()
  const mailer = mailerTo(server.port)
  await endMailWaits()
  await sendMails(db(), mailer, signal)
  expect(server.received.filter(({ to }) => to[0] === customer.email)).toHaveLength(1)
  await tell('destination.broken')
  await db().execute('UPDATE access.account SET suspended_at = now() WHERE account_id = $1', [customer.accountId])
  await endMailWaits()
  await sendMails(db(), mailer, signal)
  expect(server.received.filter(({ to }) => to[0] === customer.email)).toHaveLength(1)
  mailer.close()
  await server.close()
})

test('a suspended account still gets the e-mails about its money and its sign-in, and the others once it is unsuspended', async () => {
  const { customer, destinationId } = await buyer()
  const { accountId } = customer
  const suspend = (at: string) =>
    db().execute(`UPDATE access.account SET suspended_at = ${at} WHERE account_id = $1`, [accountId])
  await suspend('now()')
  await db().transaction(async (tx) => {
    await announceOfDestination(tx, destinationId, 'order.delivered', delivered(randomUUID()))
    await announce(tx, accountId, 'credits.low', { balance: 3, below: 20 }, { about: accountId })
    await announce(tx, accountId, 'credits.expiring', events['credits.expiring'].example, { about: '2026-12-07' })
    await announce(tx, accountId, 'order.paid', events['order.paid'].example, { about: 'pay_1' })
    await announce(tx, accountId, 'purchase.paid', events['purchase.paid'].example, { about: 'pay_2' })
    await announce(tx, accountId, 'payment.refunded', events['payment.refunded'].example, { about: 'rfnd_1' })
    await announce(tx, accountId, 'subscription.ending', events['subscription.ending'].example, { about: 'plan' })
    const security = { 'key-made': { prefix: 'panji_abcd' }, 'sign-in-changed': { change: 'factor-removed' } }
    for (const [type, data] of Object.entries(security))
      await tx.execute(
        'INSERT INTO deliver.mail (account_id, type, about, data, next_attempt_at) VALUES ($1, $2, $2, $3, now())',
        [...[accountId, type, JSON.stringify(data)]],
      )
  })
  await endMailWaits()
  const server = await mailServer()
  const mailer = mailerTo(server.port)
  await sendMails(db(), mailer, signal)
  const sent = async () =>
    (await mailsOf(accountId)).flatMap(({ type, state }) => (state === 'sent' ? [type] : [])).sort()
  const whileSuspended = [
    ...[
      'credits.expiring',
      'key-made',
      'order.paid',
      'payment.refunded',
      'purchase.paid',
      'sign-in-changed',
      'subscription.ending',
    ],
  ]
  expect(await sent()).toEqual(whileSuspended)
  await suspend('NULL')
  await sendMails(db(), mailer, signal)
  mailer.close()
  await server.close()
  expect(await sent()).toEqual([...whileSuspended, 'credits.low', 'order.delivered'].sort())
})

test('temporary refusals of a mail server are retried, permanent ones are not, and no password is sent without TLS', async () => {
  const { customer, destinationId } = await buyer()
  let answer: { code: number } | null = { code: 451 }
  const server = await mailServer({
    onRcptTo: (_address, _session, done) =>
      answer ? done(Object.assign(new Error('no'), { responseCode: answer.code })) : done(),
  })
  const mailer = mailerTo(server.port)
  const tell = () =>
    db().transaction((tx) => announceOfDestination(tx, destinationId, 'order.delivered', delivered(randomUUID())))
  await tell()
  expect(await mailsAreDue(db())).toBe(true)
  await sendMails(db(), mailer, signal)
  expect(await mailsOf(customer.accountId)).toMatchObject([{ state: 'pending', attempts: 1, error: 'EENVELOPE 451' }])
  answer = null
  await endMailWaits()
  await sendMails(db(), mailer, signal)
  expect(await mailsOf(customer.accountId)).toMatchObject([{ state: 'sent', attempts: 2, error: null }])
  answer = { code: 550 }
  await tell()
  await sendMails(db(), mailer, signal)
  expect((await mailsOf(customer.accountId))[1]).toMatchObject({ state: 'failed', attempts: 1 })
  mailer.close()

  // The same server by a name that is not this machine's: it offers no TLS, so nothing is said to it.
  const elsewhere = createMailer({
    url: new Secret(`smtp://user:password@0.0.0.0:${server.port}`),
    from: 'panji@example.in',
  })
  const outcome = await elsewhere.send({ to: 'x@example.in', subject: 'x', text: 'x', id: 'x' })
  expect(outcome).toMatchObject({ sent: false, refused: false })
  elsewhere.close()
  await server.close()
  expect(server.received).toHaveLength(1)
  const gone = mailerTo(server.port)
  expect(await gone.send({ to: 'x@example.in', subject: 'x', text: 'x', id: 'x' })).toMatchObject({ sent: false })
  gone.close()
})

test('line breaks in a subject, a text or an address add neither a header nor a recipient nor a second e-mail', async () => {
  const server = await mailServer()
  const mailer = mailerTo(server.port)
  const evil = '\r\nBcc: thief@example.com\r\nX-Added: 1\r\n\r\n.\r\nRCPT TO:<thief@example.com>\r\n'
  const sent = { to: 'buyer@example.com', subject: `Deliveries${evil}`, text: `Text${evil}`, id: 'one' }
  expect(await mailer.send(sent)).toEqual({ sent: true })
  await mailer.send({ ...sent, to: `buyer@example.com${evil}`, id: 'two' })
  mailer.close()
  await server.close()
  for (const { to, text } of server.received) {
    expect(to).not.toContain('thief@example.com')
    const [headers = ''] = text.split('\r\n\r\n')
    expect(headers).not.toMatch(/^(Bcc|X-Added):/im)
  }
  expect(server.received.filter(({ to }) => to.length === 1 && to[0] === 'buyer@example.com').length).toBeGreaterThan(0)
})
