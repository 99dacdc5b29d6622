/** Verifies and parses the events that Panji posts to a webhook. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { webhooks } from './api-types.ts'

type BodyOf<Hook> = Hook extends { post: { requestBody?: { content: { 'application/json': infer Body } } } }
  ? Body
  : never
/** An event of any type; `type` identifies it. */
export type WebhookEvent = BodyOf<webhooks[keyof webhooks]>

/** The request is not a genuine Panji event. Respond with a 400 and do nothing else. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
}

/** Maximum age of a message, and maximum clock difference. */
const ageSecondsMax = 300

export interface WebhookRequest {
  /** As `POST /api/crm/webhooks` returned it; both the old and the new one during a rotation. */
  readonly secret: string | readonly string[]
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw body, byte for byte: parsed and serialized again it has another signature. */
  readonly body: string | Uint8Array
  /** Milliseconds since the epoch; default: now. */
  readonly nowMs?: number
}

/**
 * @throws WebhookRefused for a message that is unsigned, altered, signed with another secret, or older than five
 * minutes.
 * @throws TypeError for an invalid secret: with an empty one anyone could sign.
 */
export function verifyWebhook({ secret, headers, body, nowMs = Date.now() }: WebhookRequest): WebhookEvent {
  const keys = [secret].flat().map(keyOf)
  const [id, at, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, `webhook-${name}`))
  if (!id || !at || !signatures) throw new WebhookRefused('the request has no webhook-id, -timestamp and -signature')
  const age = nowMs / 1000 - Number(at)
  if (!(Math.abs(age) <= ageSecondsMax)) throw new WebhookRefused('the message is older than five minutes')
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  const signed = keys.map((key) => signatureOf(key, `${id}.${at}.${text}`))
  const given = signatures.split(' ').map((each) => Buffer.from(each))
  const isGenuine = signed.some((own) =>
    given.some((other) => own.length === other.length && timingSafeEqual(own, other)),
  )
  if (!isGenuine) throw new WebhookRefused('the signature is not that of this secret over this body')
  return JSON.parse(text) as WebhookEvent
}

function keyOf(secret: string): Buffer {
  if (!/^whsec_[\w+/-]{32,}={0,2}$/.test(secret))
    throw new TypeError('The secret of a webhook is whsec_ and its base64.')
  return Buffer.from(secret.slice('whsec_'.length), 'base64')
}

function signatureOf(key: Buffer, text: string): Buffer {
  return Buffer.from(`v1,${createHmac('sha256', key).update(text).digest('base64')}`)
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  // Header names are case-insensitive, and some servers keep their case.
  const value = headers[name] ?? Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.[0]
}
