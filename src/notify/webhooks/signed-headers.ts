/** Headers of a message in the Standard Webhooks format: ID, time and an HMAC of both and the body. */
import { signatureOf } from './signature.ts'

/** @param secret `whsec_…`; unsigned without one. */
export function signedHeaders(id: string, secret: string | undefined, body: string): Record<string, string> {
  const at = String(Math.floor(Date.now() / 1000))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Panji',
    'webhook-id': id,
    'webhook-timestamp': at,
  }
  return secret === undefined ? headers : { ...headers, 'webhook-signature': signatureOf(secret, id, at, body) }
}
