/**
 * Text at rest that nobody reads without the instance's secret: AES-256-GCM, with its owner as additional data, so that
 * what was sealed for one row opens in that row alone.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Secret } from './secret.ts'

/** First byte of the sealed form: a later form tells itself apart. */
const formVersion = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes + tagBytes

/** A key of its own for each purpose. */
export function sealingKey(secretKey: Secret, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey.reveal(), '', purpose, 32))
}

/** version (1) · nonce (12) · tag (16) · ciphertext */
export function sealText(text: string, key: Buffer, owner: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(formVersion), nonce, cipher.getAuthTag(), body])
}

/** @returns undefined for bytes that were not sealed for this owner under this key. */
export function openText(sealed: Buffer, key: Buffer, owner: string): string | undefined {
  if (sealed[0] !== formVersion || sealed.length < headBytes) return undefined
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(owner))
    .setAuthTag(sealed.subarray(1 + nonceBytes, headBytes))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]).toString('utf8')
  } catch {
    // The one thing that GCM refuses at the end: the tag fits neither key, owner nor bytes.
    return undefined
  }
}
