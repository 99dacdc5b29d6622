/**
 * A name for all that somebody can change of a standing order, as it is now: two who change what they read at the same time would
 * otherwise undo each other's change. Its state, what it has spent and when are no part of it.
 */
import { createHash } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { StandingOrder } from './standing-order.ts'

const hexLength = 16

export function revisionOf(order: StandingOrder): string {
  const { name, source, type, query, screenerId, watchlistId, hasMobile, hasEmail, activeOnly } = order
  const { buys, budget, prefer, destinations, mappings, schedule, endsOn } = order
  const asked = [name, source, type, query, screenerId, watchlistId, hasMobile, hasEmail, activeOnly]
  // The database gives the members of both objects in an order of its own, which is always the same.
  const spends = [buys, budget, prefer, destinations, mappings, schedule, endsOn]
  return createHash('sha256')
    .update(JSON.stringify([...asked, ...spends]))
    .digest('hex')
    .slice(0, hexLength)
}

/** @param read the revision that was changed; none: whatever stands is. @throws AppError CONFLICT */
export function requireRevision(order: StandingOrder, read: string | undefined): void {
  const revision = revisionOf(order)
  if (read === undefined || read === revision) return
  const message = 'This standing order was changed since you read it. Read it again, and change it as it is now.'
  throw new AppError('CONFLICT', message, { extra: { revision } })
}
