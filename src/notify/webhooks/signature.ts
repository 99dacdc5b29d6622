/** Signs a message in the Standard Webhooks format, and checks whether one is genuine and recent. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** A message may be this old, or come from a clock that is this far ahead. */
const ageSecondsMax = 300

/** @param secret `whsec_…` */
export function signatureOf(secret: string, id: string, at: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
}

export interface SignedMessage {
  readonly id: string
  /** Seconds since 1970. */
  readonly at: string
  /** One or several, separated by spaces. */
  readonly signatures: string
  readonly body: string
}

/** @returns why a receiver must not trust it; null where it is genuine. */
export function faultOfMessage({ id, at, signatures, body }: SignedMessage, secret: string): string | null {
  if (id === '' || at === '' || signatures === '')
    return 'it has no webhook-id, webhook-timestamp and webhook-signature'
  if (!(Math.abs(Date.now() / 1000 - Number(at)) <= ageSecondsMax))
    return 'its webhook-timestamp is not of the last five minutes'
  const own = Buffer.from(signatureOf(secret, id, at, body))
  const given = signatures.split(' ').map((each) => Buffer.from(each))
  const isGenuine = given.some((other) => own.length === other.length && timingSafeEqual(own, other))
  return isGenuine ? null : 'its signature is not that of this secret over this body'
}
