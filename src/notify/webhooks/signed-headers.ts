/** Headers of a message in the form of Standard Webhooks: id, time and an HMAC of both and the body. */
import { createHmac } from 'node:crypto'

/** @param secret `whsec_…`; unsigned without one. */
export function signedHeaders(id: string, secret: string | undefined, body: string): Record<string, string> {
  const at = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Panji',
    'webhook-id': id,
    'webhook-timestamp': String(at),
  }
  if (secret === undefined) return headers
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}
