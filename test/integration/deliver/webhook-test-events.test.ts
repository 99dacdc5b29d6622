/** Test events: the example of a type, sent once to one webhook and marked, so that nobody takes it for something that happened. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyWebhook, type WebhookEvent } from '../../../client/webhook.ts'
import { webhookBounds } from '../../../config/webhooks.ts'
import { events } from '../../../src/notify/event-types.ts'
import { sendNotices } from '../../../src/notify/webhooks/send-notices.ts'
import { queueTestEvent, sendTestEvent } from '../../../src/notify/webhooks/test-event.ts'
import { addWebhook, listEvents, removeWebhook } from '../../../src/notify/webhooks/webhooks.ts'
import { secretKey } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertAccount } from './paid-order.ts'

const database = useTestDatabase()
const signal = new AbortController().signal
const parts = () => ({ db: database.as('panji_worker'), secretKey, allowPrivate: true })
let server: Server
let url = ''
let answer = 204
let heard: WebhookEvent[] = []
let secret = ''

beforeEach(async () => {
  ;[answer, heard] = [204, []]
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      heard.push(verifyWebhook({ secret, headers: request.headers, body: Buffer.concat(chunks) }))
      response.writeHead(answer).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function webhook(): Promise<{ accountId: string; webhookId: string }> {
  const accountId = await insertAccount(database.db)
  const made = await addWebhook(database.db, secretKey, { accountId, url, events: ['order.paid'], allowPrivate: true })
  secret = made.secret
  return { accountId, webhookId: made.webhook_id }
}
const told = async (accountId: string) => (await listEvents(database.db, accountId, { limit: 9, offset: 0 })).events

test('a queued test is sent by a worker, signed and marked, also of a type that the webhook does not hear of', async () => {
  const { accountId, webhookId } = await webhook()
  await addWebhook(database.db, secretKey, { accountId, url: `${url}/other`, allowPrivate: true })
  await queueTestEvent(database.as('panji_api'), { webhookId, accountId, type: 'delivery.rejected' })
  await sendNotices(parts(), signal)
  expect(heard).toEqual([
    {
      type: 'delivery.rejected',
      timestamp: expect.any(String),
      test: true,
      data: events['delivery.rejected'].example,
    },
  ])
  expect(await told(accountId)).toMatchObject([
    {
      type: 'delivery.rejected',
      test: true,
      notices: [{ webhook_id: webhookId, state: 'delivered', last_status: 204 }],
    },
  ])
})

test('a test that fails is told as it went, and not sent again', async () => {
  const { accountId, webhookId } = await webhook()
  answer = 500
  expect(await sendTestEvent(parts(), { webhookId, type: 'order.paid' }, signal)).toEqual({
    ...{ event_id: expect.any(String), status: 500, error: null, ms: expect.any(Number) },
  })
  server.close()
  server.closeAllConnections()
  expect(await sendTestEvent(parts(), { webhookId, type: 'order.paid' }, signal)).toMatchObject({
    ...{ status: null, error: 'the connection failed (ECONNREFUSED)' },
  })
  expect((await told(accountId)).map(({ notices }) => notices)).toMatchObject([
    [{ state: 'failed', attempts: 1, last_error: 'the connection failed (ECONNREFUSED)' }],
    [{ state: 'failed', attempts: 1, last_status: 500 }],
  ])
})

test('a webhook of somebody else, one that was removed and one of no id are not found, and nothing is stored', async () => {
  const { accountId, webhookId } = await webhook()
  const stranger = await insertAccount(database.db)
  const ask = (id: string, of: string) =>
    queueTestEvent(database.db, { webhookId: id, accountId: of, type: 'order.paid' })
  await expect(ask(webhookId, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(ask('nonsense', accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await removeWebhook(database.db, webhookId)
  await expect(ask(webhookId, accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect([...(await told(accountId)), ...(await told(stranger))]).toEqual([])
})

test('an account that has sent its tests of the hour sends no more', async () => {
  const { accountId, webhookId } = await webhook()
  await database.db.execute(
    `INSERT INTO deliver.event (account_id, type, data, is_test) SELECT $1, 'order.paid', '{}', true FROM generate_series(1, $2)`,
    [accountId, webhookBounds.testsPerHour],
  )
  const ask = () => queueTestEvent(database.db, { webhookId, accountId, type: 'order.paid' })
  await expect(ask()).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
  await database.db.execute(
    `UPDATE deliver.event SET created_at = now() - interval '61 minutes' WHERE account_id = $1`,
    [accountId],
  )
  await ask()
})
