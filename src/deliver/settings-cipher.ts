/**
 * Settings of destinations at rest: AES-256-GCM under a key derived from PANJI_SECRET_KEY. The destination's and the
 * account's id are authenticated with them, so a row's settings open in that row alone.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'

export interface SettingsOwner {
  readonly destinationId: string
  readonly accountId: string
}

/** First byte of the stored form: a later form tells itself apart. */
const formVersion = 1
const nonceBytes = 12
const tagBytes = 16

export function encryptSettings(values: object, owner: SettingsOwner, secretKey: Secret): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), nonce).setAAD(aadOf(owner))
  const text = Buffer.concat([cipher.update(JSON.stringify(values), 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(formVersion), nonce, cipher.getAuthTag(), text])
}

/** @throws AppError DESTINATION_INVALID when the bytes were not written for this owner under this key. */
export function decryptSettings(stored: Buffer, owner: SettingsOwner, secretKey: Secret): unknown {
  try {
    if (stored[0] !== formVersion) throw new Error('unknown form')
    const nonce = stored.subarray(1, 1 + nonceBytes)
    const tag = stored.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), nonce, { authTagLength: tagBytes })
      .setAAD(aadOf(owner))
      .setAuthTag(tag)
    const text = Buffer.concat([decipher.update(stored.subarray(1 + nonceBytes + tagBytes)), decipher.final()])
    return JSON.parse(text.toString('utf8'))
  } catch (cause) {
    const message = `The settings of destination ${owner.destinationId} cannot be decrypted; is PANJI_SECRET_KEY the one they were stored under?`
    throw new AppError('DESTINATION_INVALID', message, { cause })
  }
}

const aadOf = ({ destinationId, accountId }: SettingsOwner) => Buffer.from(`${destinationId}|${accountId}`)
const keyOf = (secretKey: Secret) =>
  Buffer.from(hkdfSync('sha256', secretKey.reveal(), '', 'panji destination settings', 32))
