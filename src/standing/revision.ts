/** The revision of a standing order. Its state, what it has spent and when are no part of it. */
import { revisionOf } from '../db/revision.ts'
import type { StandingOrder } from './standing-order.ts'

export function revisionOfStanding(order: StandingOrder): string {
  const { name, source, type, query, screenerId, watchlistId, hasMobile, hasEmail, activeOnly } = order
  const { buys, budget, prefer, destinations, mappings, schedule, endsOn } = order
  const asked = [name, source, type, query, screenerId, watchlistId, hasMobile, hasEmail, activeOnly]
  // The database gives the members of both objects in an order of its own, which is always the same.
  return revisionOf([...asked, buys, budget, prefer, destinations, mappings, schedule, endsOn])
}
