/**
 * A name for what is read, changed and saved whole, as it is now: two who change what they read at the same time would otherwise undo
 * each other's change.
 */
import { createHash } from 'node:crypto'
import { AppError } from '../errors.ts'

const hexLength = 16

/** @param members all that somebody can change of it, and nothing that changes otherwise. */
export const revisionOf = (members: unknown): string =>
  createHash('sha256').update(JSON.stringify(members)).digest('hex').slice(0, hexLength)

/**
 * @param what it is, as the beginning of a sentence names it. @param read the revision that was changed; none: whatever stands is.
 * @throws AppError CONFLICT
 */
export function requireRevision(what: string, now: string, read: string | undefined): void {
  if (read === undefined || read === now) return
  const message = `${what} changed since that revision. Read what stands now, and change that.`
  throw new AppError('CONFLICT', message, { extra: { revision: now } })
}
