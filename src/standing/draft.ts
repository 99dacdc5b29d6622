/** Validates the requested standing order before anything is stored. */
import type { Queryable } from '../db/db.ts'
import { readToday } from '../db/read-today.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import type { ScreenerType } from '../registry/screener/fields.ts'
import { readQuery } from '../registry/screener/read.ts'
import { readScreener } from '../registry/screener/saved-screeners.ts'
import { orderOf } from './prefer.ts'
import type { Conditions, StandingOrder, StandingQuery, StandingSource } from './standing-order.ts'

type Stored = Pick<
  StandingOrder,
  'name' | 'buys' | 'budget' | 'prefer' | 'destinations' | 'mappings' | 'schedule' | 'endsOn'
>

export interface Draft extends Conditions, Stored {
  readonly source: StandingSource
  readonly type: ScreenerType | undefined
  readonly query: string | null
  readonly screenerId: string | null
  readonly watchlistId: string | null
}

export type CheckedDraft = Draft & StandingQuery

/**
 * @param change of an existing order: members that it does not name are not checked again, so that a name or a budget
 *   can be changed whatever happened to a saved screener, a destination, the query language or the last day.
 * @throws AppError NOT_FOUND for objects of another account, QUERY_SYNTAX, UNPROCESSABLE.
 */
export async function checkDraft(
  tx: Queryable,
  accountId: string,
  draft: Draft,
  change?: { readonly given: Partial<Draft>; readonly before: StandingOrder },
): Promise<CheckedDraft> {
  if (draft.buys && draft.budget === null)
    throw refused('A standing order that buys needs a budget: day, month and run.')
  if (!draft.buys && draft.budget !== null) throw refused('A standing order that only notifies has no budget.')
  if (!draft.buys && draft.destinations.length > 0)
    throw refused('A standing order that only notifies delivers nothing.')
  const { budget } = draft
  if (budget && (budget.run > budget.month || budget.day > budget.month)) {
    throw refused('The budgets of a run and of a day are at most that of a month.')
  }
  const given = change?.given ?? draft
  if (given.endsOn && given.endsOn < (await readToday(tx))) throw refused(`ends_on: ${given.endsOn} is over.`)
  const query = await readSource(tx, accountId, draft, given)
  if (query.query !== null && isOtherQuery(query, change?.before)) readQuery(query.type, query.query)
  orderOf(query.type, draft.prefer)
  const named = draft.destinations.filter((id) => !change?.before.destinations.includes(id))
  await checkDestinations(tx, accountId, named)
  if (Object.keys(draft.mappings).some((id) => !draft.destinations.includes(id)))
    throw refused('delivery.mappings names a destination that delivery.destinations does not.')
  return { ...draft, ...query }
}

export const isOtherQuery = (query: StandingQuery, before: StandingQuery | undefined): boolean =>
  query.query !== before?.query || query.type !== before.type

async function readSource(
  tx: Queryable,
  accountId: string,
  draft: Draft,
  given: Partial<Draft>,
): Promise<StandingQuery> {
  const { hasMobile, hasEmail, activeOnly, source, screenerId, watchlistId } = draft
  const conditions = { hasMobile, hasEmail, activeOnly, source, screenerId, watchlistId }
  if (source === 'watchlist') return { ...conditions, ...(await watched(tx, accountId, draft)) }
  if (watchlistId !== null) throw refused('watchlist_id needs source watchlist.')
  if (typeof given.screenerId === 'string') {
    const saved = await readScreener(tx, accountId, given.screenerId)
    return { ...conditions, type: saved.type, query: saved.query }
  }
  if (draft.type === undefined) throw refused('Send type, company or gst.')
  if (source === 'screener' && draft.query === null)
    throw refused('Send query, or the screener_id of a saved screener.')
  return { ...conditions, type: draft.type, query: draft.query }
}

async function watched(tx: Queryable, accountId: string, { watchlistId, query }: Draft) {
  const [list] = isUuid(watchlistId ?? '')
    ? await tx.query<{ type: string }>(
        'SELECT type FROM access.watchlist WHERE account_id = $1 AND watchlist_id = $2 FOR KEY SHARE',
        [accountId, watchlistId],
      )
    : []
  if (!list) throw new AppError('NOT_FOUND', 'There is no watchlist of this id.')
  if (list.type === 'director') throw refused('A standing order follows watchlists of companies or GST registrations.')
  return { type: list.type as ScreenerType, query }
}

async function checkDestinations(tx: Queryable, accountId: string, ids: readonly string[]): Promise<void> {
  const known = await tx.query<{ id: string; deliver: string; name: string }>(
    `SELECT destination_id AS id, deliver, name FROM deliver.destination
     WHERE account_id = $1 AND destination_id = ANY ($2::uuid[]) AND status <> 'removed'`,
    [accountId, ids],
  )
  if (known.length < new Set(ids).size) throw new AppError('NOT_FOUND', 'There is no destination of this id.')
  const approving = known.find(({ deliver }) => deliver === 'approved')
  if (approving) throw refused(`${approving.name} delivers approved plans only, and a standing order approves none.`)
}

const refused = (message: string) => new AppError('UNPROCESSABLE', message)
