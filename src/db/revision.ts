/**
 * An identifier of the current content of something that is read, changed and saved as a whole. Without it, two people
 * who edit at the same time would overwrite each other's change.
 */
import { createHash } from 'node:crypto'
import { AppError } from '../errors.ts'

const hexLength = 16

/** @param members all that a user can change, and nothing that changes otherwise. */
export const revisionOf = (members: unknown): string =>
  createHash('sha256').update(JSON.stringify(members)).digest('hex').slice(0, hexLength)

/**
 * @param what the subject of the error message, capitalized.
 * @param read the revision that the change is based on; if undefined, any is accepted.
 * @throws AppError CONFLICT
 */
export function requireRevision(what: string, now: string, read: string | undefined): void {
  if (read === undefined || read === now) return
  const message = `${what} changed since that revision. Reload it, then make your change again.`
  throw new AppError('CONFLICT', message, { extra: { revision: now } })
}
