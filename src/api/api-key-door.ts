/**
 * What cannot be a key is refused without asking the database, and what nobody was ever given goes through the narrow
 * lane, where it is counted: only keys that exist are read side by side.
 */
import { isApiKeyShaped } from '../access/api-keys.ts'
import type { KnownCredentials } from '../access/known-credentials.ts'
import { AppError } from '../errors.ts'
import type { Strangers } from './hooks/stranger-bucket.ts'

/** @throws AppError INVALID_API_KEY, and whatever `enter` throws. */
export type KeyDoor<T> = (apiKey: string, ip: string) => Promise<T>

export function createKeyDoor<T>(
  { credentials, strangers }: { readonly credentials: KnownCredentials; readonly strangers: Strangers },
  enter: KeyDoor<T>,
): KeyDoor<T> {
  return async (apiKey, ip) => {
    const isShaped = isApiKeyShaped(apiKey)
    if (isShaped && (await credentials.apiKey(apiKey))) return enter(apiKey, ip)
    const isRead = isShaped && !strangers.logins.isEmpty(ip)
    const read = isRead ? await strangers.lane.run(() => enter(apiKey, ip)) : undefined
    if (read) return read.value
    throw new AppError('INVALID_API_KEY', 'The API key is unknown, expired or revoked.')
  }
}
