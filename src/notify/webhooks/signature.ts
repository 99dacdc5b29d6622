/** What a message in the form of Standard Webhooks is signed with, and whether one is genuine and new. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** A message may be this old, or come from a clock that is so far ahead. */
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
  /** One or several, with spaces between them. */
  readonly signatures: string
  readonly body: string
}

/** @returns why a receiver must not believe it; null where it is genuine. */
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
