/** A query as its caller may run it: rejected if it only finds what a feed sells, otherwise with a notice. */
import type { SoldRegistrations } from '../../domain/scope.ts'
import { AppError } from '../../errors.ts'
import type { ScreenerType } from './fields.ts'
import { type ReadQuery, readQuery } from './read.ts'
import type { Withheld } from './withhold.ts'

/**
 * @param today as in `readQuery`.
 * @throws AppError QUERY_SYNTAX, NO_DATASET_ACCESS
 */
export function readPermitted(
  type: ScreenerType,
  query: string,
  sold: SoldRegistrations | null,
  today?: string,
): ReadQuery {
  return permitted(readQuery(type, query, sold, today), sold)
}

/** @throws AppError NO_DATASET_ACCESS */
export function permitted(read: ReadQuery, sold: SoldRegistrations | null): ReadQuery {
  if (read.withheld !== 'only' || sold === null || sold.entitled.length > 0) return read
  const dataset = `recently_registered.${sold.dataset}`
  const message = `No active plan grants ${dataset}, which holds the registrations from ${sold.from} on. Ask for earlier days.`
  const reason = 'no_active_plan_grants_this_dataset'
  throw new AppError('NO_DATASET_ACCESS', message, { extra: { dataset, message, reason } })
}

export function noticeOf(withheld: Withheld, sold: SoldRegistrations | null): string | undefined {
  if (withheld === 'none' || sold === null) return undefined
  const outside = sold.entitled.length === 0 ? '' : ' outside your entitlement'
  return (
    `Conditions on dates, and on parts of a CIN that contain its year, leave out registrations from ${sold.from} on${outside}: ` +
    `they belong to recently_registered.${sold.dataset}. See GET /api/access.`
  )
}
