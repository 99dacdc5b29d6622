/**
 * Values at rest: AES-256-GCM under a key derived from PANJI_SECRET_KEY for one purpose. The row of a value is
 * authenticated with it, so the sealed bytes open in that row only.
 *
 * Stored form 2: its number (1 byte), key ID (8), nonce (12), tag (16), ciphertext.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Secret } from '../domain/secret.ts'
import { deriveFrom, findKey, keyIdOf } from './key-chain.ts'

export interface SealedFor {
  readonly purpose: string
  /** The row that the value belongs to. */
  readonly boundTo: string
  /**
   * Under one key, the same text is sealed to the same bytes, so that equal values are recognised without being opened.
   */
  readonly isRecognisable?: true
}

const form = 2
const keyIdBytes = 8
const nonceBytes = 12
const tagBytes = 16

/** Seals under exactly this key; the database says which one to use, see `sealingKey`. */
export function seal(text: string, use: SealedFor, key: Secret): Buffer {
  const { purpose, boundTo } = use
  const nonce = use.isRecognisable ? nonceOf(text, use, key) : randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', deriveFrom(key, purpose, 32), nonce).setAAD(Buffer.from(boundTo))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(form), Buffer.from(keyIdOf(key), 'hex'), nonce, cipher.getAuthTag(), body])
}

/** A nonce must not be used for two texts, so it is derived from everything that determines the sealed bytes. */
const nonceOf = (text: string, { purpose, boundTo }: SealedFor, key: Secret): Buffer =>
  createHmac('sha256', deriveFrom(key, `${purpose}: nonces`, 32))
    .update(JSON.stringify([boundTo, text]))
    .digest()
    .subarray(0, nonceBytes)

/** @returns undefined where the bytes were not sealed for this use under any key of the chain. */
export function unseal(stored: Buffer, use: SealedFor, key: Secret): string | undefined {
  const named = stored[0] === form && findKey(key, stored.subarray(1, 1 + keyIdBytes).toString('hex'))
  return named ? open(stored.subarray(1 + keyIdBytes), use, named) : undefined
}

/** A keyed fingerprint that recognises the same text under the same key without revealing it; 32 hexadecimal digits. */
export const markOf = (text: string, purpose: string, key: Secret): string =>
  createHmac('sha256', deriveFrom(key, purpose, 32))
    .update(text)
    .digest('hex')
    .slice(0, 32)

function open(sealed: Buffer, { purpose, boundTo }: SealedFor, key: Secret): string | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined
  const decipher = createDecipheriv('aes-256-gcm', deriveFrom(key, purpose, 32), sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  const text = decipher.update(sealed.subarray(nonceBytes + tagBytes))
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    // The tag does not match: another key, another row, or altered bytes.
    return undefined
  }
}
