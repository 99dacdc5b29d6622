/**
 * Text at rest that must be read again: AES-256-GCM under a key derived from PANJI_SECRET_KEY for one purpose. What it
 * belongs to is authenticated with it, so that sealed text opens in its own place alone.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Secret } from '../domain/secret.ts'

export interface Seal {
  /** Separates the keys; part of what is stored, so it never changes. */
  readonly purpose: string
  readonly belongsTo: string
  readonly secretKey: Secret
}

/** First byte of the stored form: a later form tells itself apart. */
const formVersion = 1
const nonceBytes = 12
const tagBytes = 16

export function seal(text: string, { purpose, belongsTo, secretKey }: Seal): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey, purpose), nonce).setAAD(Buffer.from(belongsTo))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(formVersion), nonce, cipher.getAuthTag(), sealed])
}

/** @throws Error when the bytes were not sealed for this place under this key. */
export function unseal(stored: Buffer, { purpose, belongsTo, secretKey }: Seal): string {
  if (stored[0] !== formVersion) throw new Error('unknown form')
  const nonce = stored.subarray(1, 1 + nonceBytes)
  const tag = stored.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey, purpose), nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(belongsTo))
    .setAuthTag(tag)
  const text = Buffer.concat([decipher.update(stored.subarray(1 + nonceBytes + tagBytes)), decipher.final()])
  return text.toString('utf8')
}

/** Tells the same text again without telling the text; 32 hexadecimal digits. */
export function markOf(text: string, secretKey: Secret, purpose: string): string {
  return createHmac('sha256', keyOf(secretKey, purpose)).update(text).digest('hex').slice(0, 32)
}

const keyOf = (secretKey: Secret, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey.reveal(), '', purpose, 32))
