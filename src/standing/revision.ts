/** The revision of a standing order. Excludes its state and spending. */
import { revisionOf } from '../db/revision.ts'
import type { StandingOrder } from './standing-order.ts'

export function revisionOfStanding(order: StandingOrder): string {
  const { name, source, type, query, screenerId, watchlistId, hasMobile, hasEmail, activeOnly } = order
  const { buys, budget, prefer, destinations, mappings, schedule, endsOn } = order
  const queryMembers = [name, source, type, query, screenerId, watchlistId, hasMobile, hasEmail, activeOnly]
  // The database returns the members of both objects in its own order, which is always the same.
  return revisionOf([...queryMembers, buys, budget, prefer, destinations, mappings, schedule, endsOn])
}
