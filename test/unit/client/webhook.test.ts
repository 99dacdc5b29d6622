import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyWebhook, WebhookRefused } from '../../../client/webhook.ts'
import { signedHeaders } from '../../../src/notify/webhooks/signed-headers.ts'

const secret = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`
const other = `whsec_${Buffer.from('another secret of some bytes').toString('base64')}`
const body = JSON.stringify({ type: 'order.paid', data: { order_id: '१२३' } })
const headers = signedHeaders('msg_1', secret, body)

test('an event that Panji signed is read, from text or bytes, by either kind of headers', () => {
  const event = { type: 'order.paid', data: { order_id: '१२३' } }
  expect(verifyWebhook({ secret, headers, body })).toEqual(event)
  expect(verifyWebhook({ secret, headers: new Headers(headers), body: Buffer.from(body) })).toEqual(event)
  // While the secret is changed, either one is good.
  expect(verifyWebhook({ secret: [other, secret], headers, body })).toEqual(event)
})

test('names of headers are read in any case', () => {
  const shown = Object.entries(headers).map(([name, value]) => [
    name.replace(/\b[a-z]/g, (first) => first.toUpperCase()),
    value,
  ])
  expect(Object.keys(Object.fromEntries(shown))).toContain('Webhook-Signature')
  expect(verifyWebhook({ secret, headers: Object.fromEntries(shown), body })).toMatchObject({ type: 'order.paid' })
})

test.each(['', 'whsec_', 'whsec_c2hvcnQ=', 'undefined', secret.slice('whsec_'.length), `${secret} `])(
  'a secret that is none, %j, verifies nothing: whoever guesses its key could sign',
  (none) => {
    const signature = createHmac('sha256', Buffer.from(none.replace(/^whsec_/, ''), 'base64'))
      .update(`msg_1.${headers['webhook-timestamp']}.${body}`)
      .digest('base64')
    const forged = { ...headers, 'webhook-signature': `v1,${signature}` }
    expect(() => verifyWebhook({ secret: none, headers: forged, body })).toThrow(TypeError)
    expect(() => verifyWebhook({ secret: [secret, none], headers: forged, body })).toThrow(TypeError)
  },
)

test.each([
  ['with another secret', { secret: other, headers, body }],
  ['whose body was altered', { secret, headers, body: body.replace('paid', 'held') }],
  ['under another id', { secret, headers: { ...headers, 'webhook-id': 'msg_2' }, body }],
  ['without a signature', { secret, headers: signedHeaders('msg_1', undefined, body), body }],
  ['of six minutes ago', { secret, headers, body, nowMs: Date.now() + 360_000 }],
  ['of a clock six minutes ahead', { secret, headers, body, nowMs: Date.now() - 360_000 }],
  ['whose time is no number', { secret, headers: { ...headers, 'webhook-timestamp': 'now' }, body }],
])('a message %s is refused', (_what, request) => {
  expect(() => verifyWebhook(request)).toThrow(WebhookRefused)
})
