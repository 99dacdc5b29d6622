/**
 * Settings of destinations at rest, encrypted and bound to the ids of the destination and its account; see
 * `src/secrets/seal.ts`.
 */
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import { seal, unseal } from '../../secrets/seal.ts'
import { destinationColumn } from '../../secrets/sealed-columns.ts'

export interface SettingsOwner {
  readonly destinationId: string
  readonly accountId: string
}

export function encryptSettings(values: object, owner: SettingsOwner, secretKey: Secret): Buffer {
  return seal(JSON.stringify(values), useOf(owner), secretKey)
}

/** @returns undefined if the bytes were not encrypted for this owner under this key. */
export function openSettings(stored: Buffer, owner: SettingsOwner, secretKey: Secret): unknown {
  const text = unseal(stored, useOf(owner), secretKey)
  return text === undefined ? undefined : JSON.parse(text)
}

/** @throws AppError DESTINATION_INVALID if they cannot be decrypted. */
export function decryptSettings(stored: Buffer, owner: SettingsOwner, secretKey: Secret): unknown {
  const values = openSettings(stored, owner, secretKey)
  if (values !== undefined) return values
  throw new AppError('DESTINATION_INVALID', unreadableSettings(stored, owner))
}

export const unreadableSettings = (stored: Buffer, { destinationId }: SettingsOwner): string =>
  stored.length === 0
    ? `The settings of destination ${destinationId} were lost with the secret key; give them again.`
    : `The settings of destination ${destinationId} cannot be decrypted; is PANJI_SECRET_KEY the one they were stored under?`

const useOf = ({ destinationId, accountId }: SettingsOwner) => ({
  purpose: destinationColumn.purpose,
  boundTo: `${destinationId}|${accountId}`,
})
