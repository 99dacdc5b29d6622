/** Notifications reach operators: a webhook signed, a chat as text, a mailbox by SMTP; what fails is tried again, and kept. */
import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Secret } from '../../../src/domain/secret.ts'
import { createMailer } from '../../../src/notify/mails/smtp.ts'
import type { ChannelKind } from '../../../src/notify/operators/alert-address.ts'
import { AlertData, alertExample } from '../../../src/notify/operators/alert-message.ts'
import { addChannel } from '../../../src/notify/operators/channels.ts'
import { syncEnvironment } from '../../../src/notify/operators/environment-channels.ts'
import { queueAlert } from '../../../src/notify/operators/queue-alert.ts'
import { sendAlerts } from '../../../src/notify/operators/send-alerts.ts'
import { retryWaits } from '../../../src/notify/retry-waits.ts'
import { operatorToken, secretKey, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database)
const db = () => database.db
const signal = new AbortController().signal
const publicUrl = 'https://panji.example.in'

let server: Server
let mails: SMTPServer
let url = ''
let statuses: number[] = []
let heard: { path: string; headers: Record<string, unknown>; body: string }[] = []
let mailed: { to: string[]; text: string }[] = []

const portOf = (address: AddressInfo | string | null) => (typeof address === 'object' && address ? address.port : 0)
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      heard.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(statuses.shift() ?? 200).end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${portOf(server.address())}`
  mails = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], logger: false },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8').replaceAll('=\r\n', '')
        mailed.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => mails.listen(0, '127.0.0.1', () => resolve()))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await new Promise<void>((resolve) => mails.close(() => resolve()))
})
beforeEach(() => {
  statuses = []
  heard = []
  mailed = []
})
afterEach(async () => {
  await db().execute('DELETE FROM runtime.alert_message')
  await db().execute('DELETE FROM runtime.alert_channel')
})

const add = (kind: ChannelKind, address: string, allowPrivate = true) =>
  db().transaction((tx) =>
    addChannel(tx, secretKey, { kind, address, origin: 'console', createdBy: 'operator:default', allowPrivate }),
  )
async function send(allowPrivate = true) {
  const mailer = createMailer({
    url: new Secret(`smtp://127.0.0.1:${portOf(mails.server.address())}`),
    from: 'Panji <panji@example.in>',
  })
  const sent = await sendAlerts({ db: database.as('panji_worker'), secretKey, allowPrivate, mailer, publicUrl }, signal)
  mailer.close()
  return sent.sent
}
const states = () =>
  db().query<{ state: string; attempts: number; error: string | null }>(
    'SELECT state, attempts, last_error AS error FROM runtime.alert_message ORDER BY created_at, message_id',
  )
const dueNow = () => db().execute(`UPDATE runtime.alert_message SET next_attempt_at = now()`)

test('a webhook is signed, a chat gets text, a mailbox an e-mail; each once, whatever the number of workers', async () => {
  const { secret } = await add('webhook', `${url}/hook`)
  await add('slack', `${url}/services/T0/B0/xyz`)
  await add('mail', 'asha@example.in')
  await db().transaction((tx) => queueAlert(tx, alertExample))
  const counts = await Promise.all([send(), send(), send()])
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3)
  const [hook, ...hooks] = heard.filter(({ path }) => path === '/hook')
  const [chat, ...chats] = heard.filter(({ path }) => path.startsWith('/services'))
  expect([hooks, chats]).toEqual([[], []])
  const body = JSON.parse(hook?.body ?? '') as { type: string; timestamp: string; data: unknown }
  expect(body.type).toBe('conditions.changed')
  expect(AlertData.strict().parse(body.data)).toEqual(alertExample)
  const signed = `${hook?.headers['webhook-id']}.${hook?.headers['webhook-timestamp']}.${hook?.body}`
  const key = Buffer.from((secret ?? '').slice('whsec_'.length), 'base64')
  expect(hook?.headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  const summary = alertExample.opened[0]?.summary ?? ''
  const { text } = JSON.parse(chat?.body ?? '') as { text: string }
  expect(text).toContain(`Panji: ${summary}`)
  expect(text).toContain(`${publicUrl}/console`)
  expect(mailed).toMatchObject([{ to: ['asha@example.in'] }])
  expect(mailed[0]?.text).toContain('Subject: Panji: import 15 of mca-companies needs approval')
})

test('an alert that a channel refuses is retried with the same id for three days, and after that only by hand', async () => {
  await add('webhook', `${url}/hook`)
  await db().transaction((tx) => queueAlert(tx, alertExample))
  statuses = retryWaits.map(() => 503).concat(503)
  for (let attempt = 0; attempt <= retryWaits.length; attempt++) {
    await dueNow()
    expect(await send()).toBe(0)
  }
  expect(await states()).toEqual([{ state: 'failed', attempts: retryWaits.length + 1, error: 'answered 503' }])
  await dueNow()
  expect(await send()).toBe(0)
  expect(new Set(heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const { data } = (await api.get('/admin/alerts', operatorToken)).json() as {
    data: { message_id: string; state: string }[]
  }
  expect(data).toMatchObject([{ state: 'failed' }])
  const again = () => post(`/admin/alerts/messages/${data[0]?.message_id}/resend`)
  expect((await again()).statusCode).toBe(200)
  expect(await send()).toBe(1)
  expect((await again()).statusCode).toBe(404)
})

const headers = { authorization: `Bearer ${operatorToken}` }
const post = (path: string, payload: object = {}) => api.app.inject({ method: 'POST', url: path, headers, payload })

test('no address of this machine or its network is called unless the settings allow it', async () => {
  await add('webhook', `${url}/hook`)
  await add('slack', 'https://10.0.0.8/services/x')
  await db().transaction((tx) => queueAlert(tx, alertExample))
  expect(await send(false)).toBe(0)
  expect(heard).toEqual([])
  expect((await states()).map(({ error }) => error).toSorted()).toEqual([
    'the address must be an address of the public internet',
    'the address must be an https address; one of this machine is taken where Panji runs with PANJI_ALLOW_PRIVATE_SOURCES=true',
  ])
})

test('an address that the environment names may be one of the network, for whoever sets it owns the machine', async () => {
  await db().transaction((tx) => syncEnvironment(tx, secretKey, [{ kind: 'slack', address: `${url}/hooks/x` }]))
  await db().transaction((tx) => queueAlert(tx, alertExample))
  expect(await send(false)).toBe(1)
  expect(heard.map(({ path }) => path)).toEqual(['/hooks/x'])
})

test('an operator adds a channel, tries it, sees how it went, and removes it; its address is shown to nobody', async () => {
  const added = await post('/admin/alerts/channels', { kind: 'slack', address: `${url}/services/T0/B0/xyz` })
  expect(added.statusCode).toBe(201)
  const { channel_id: channelId, secret } = added.json() as { channel_id: string; secret: null }
  expect(secret).toBeNull()
  expect((await post('/admin/alerts/test')).json()).toEqual({ queued: 1 })
  expect(await send()).toBe(1)
  expect(JSON.parse(heard[0]?.body ?? '')).toEqual({ text: expect.stringContaining('This is a test of this channel') })
  const listed = await api.get('/admin/alerts/channels', operatorToken)
  expect(listed.json()).toMatchObject({
    data: [{ channel_id: channelId, kind: 'slack', last_sent_at: expect.any(String) }],
  })
  expect(listed.body).not.toContain('xyz')
  const auditLog = await db().query<{ row: string }>('SELECT audit::text AS row FROM access.audit')
  expect(auditLog.some(({ row }) => row.includes('xyz'))).toBe(false)
  await db().transaction((tx) => queueAlert(tx, alertExample))
  const remove = () => api.app.inject({ method: 'DELETE', url: `/admin/alerts/channels/${channelId}`, headers })
  expect([(await remove()).statusCode, (await remove()).statusCode]).toEqual([200, 404])
  expect([await send(), heard.length]).toEqual([0, 1])
  // What waited for it waits no more, and is not sent again.
  const { data } = (await api.get('/admin/alerts', operatorToken)).json<{
    data: { message_id: string; state: string; last_error: string | null }[]
  }>()
  expect(data).toMatchObject([
    { state: 'failed', last_error: 'the channel was removed' },
    { state: 'sent', last_error: null },
  ])
  expect((await post(`/admin/alerts/messages/${data[0]?.message_id}/resend`)).statusCode).toBe(404)
})

test.each([
  ['webhook', 'ftp://example.in/x', 'must be an https address'],
  ['slack', 'https://user:word@example.in/', 'must not carry credentials'],
  ['mail', 'asha', 'must be an e-mail address'],
])('a channel of kind %s at %s is refused: it %s', async (kind, address, reason) => {
  const reply = await post('/admin/alerts/channels', { kind, address })
  expect([reply.statusCode, reply.json().detail]).toEqual([422, expect.stringContaining(reason)])
})

test.each(['http://hooks.example.in/x', 'https://127.0.0.1/x', 'https://[fd00:ec2::254]/x'])(
  'a channel that nothing would reach is refused where it is added: %s',
  async (address) => {
    await expect(add('webhook', address, false)).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
      message: expect.stringMatching(/^address must be an (https address|address of the public internet)\.$/),
    })
  },
)
