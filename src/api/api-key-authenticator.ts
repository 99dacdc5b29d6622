/**
 * Anything not shaped like a key is refused without a query, and keys that were never issued are counted a few at a
 * time: only existing keys are read concurrently.
 */
import { isApiKeyShaped } from '../access/api-keys.ts'
import type { KnownCredentials } from '../access/known-credentials.ts'
import { AppError } from '../errors.ts'
import type { AnonymousClients } from './hooks/anonymous-clients.ts'

/** @throws AppError INVALID_API_KEY, and any error of `enter`. */
export async function authenticateKey<T>(
  { credentials, anonymous }: { readonly credentials: KnownCredentials; readonly anonymous: AnonymousClients },
  apiKey: string,
  ip: string,
  enter: () => Promise<T>,
): Promise<T> {
  const isShaped = isApiKeyShaped(apiKey)
  if (isShaped && (await credentials.apiKey(apiKey))) return enter()
  const isRead = isShaped && !anonymous.logins.isEmpty(ip)
  const read = isRead ? await anonymous.count(enter) : undefined
  if (read) return read.value
  throw new AppError('INVALID_API_KEY', 'The API key is unknown, expired or revoked.')
}
