/**
 * Settings of destinations at rest, sealed under PANJI_SECRET_KEY. The destination's and the account's id are
 * authenticated with them, so a row's settings open in that row alone.
 */
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import { type Seal, seal, unseal } from '../secrets/seal.ts'

export interface SettingsOwner {
  readonly destinationId: string
  readonly accountId: string
}

export const encryptSettings = (values: object, owner: SettingsOwner, secretKey: Secret): Buffer =>
  seal(JSON.stringify(values), sealOf(owner, secretKey))

/** @throws AppError DESTINATION_INVALID when the bytes were not written for this owner under this key. */
export function decryptSettings(stored: Buffer, owner: SettingsOwner, secretKey: Secret): unknown {
  try {
    return JSON.parse(unseal(stored, sealOf(owner, secretKey)))
  } catch (cause) {
    const message = `The settings of destination ${owner.destinationId} cannot be decrypted; is PANJI_SECRET_KEY the one they were stored under?`
    throw new AppError('DESTINATION_INVALID', message, { cause })
  }
}

const sealOf = ({ destinationId, accountId }: SettingsOwner, secretKey: Secret): Seal => ({
  purpose: 'panji destination settings',
  belongsTo: `${destinationId}|${accountId}`,
  secretKey,
})
