/**
 * Runs a screener query: one page of records with the total, read in one snapshot. Records are ordered by identifier,
 * so pages neither repeat nor skip records while the register is unchanged.
 *
 * Only records of the newest snapshot are searched; details also return records that have left the register.
 */

import type { Db, Queryable } from '../../db/db.ts'
import { indianDayOf } from '../../domain/iso-date.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import { AppError } from '../../errors.ts'
import { type Hits, identifierOf } from '../hits.ts'
import { boundedRead, timeoutMsDefault } from '../paging/bounded-read.ts'
import { readHits } from '../paging/hit-page.ts'
import { beyondPages, dayOfCursor, offsetRowsMax, readCursor, writeCursor } from '../paging/page-cursor.ts'
import { readStateStart } from '../paging/state-start.ts'
import { registerState } from '../paging/total-cache.ts'
import { stateOf } from './columns.ts'
import type { ScreenerType } from './fields.ts'
import { noticeOf, readPermitted } from './permitted.ts'
import { withRegisterWords } from './register-words.ts'
import { exactCountsMax, readCountsShown, shownCount } from './shown-counts.ts'
import { readShownValues, type ShownValues } from './shown-values.ts'
import { readSortedHits, type Sort, sortedField } from './sorted-hits.ts'
import { countTotal } from './total.ts'
import type { CountsShown } from './withhold.ts'
import { refuseUnheldWords } from './word-pieces.ts'

export interface ScreenerRequest<T extends ScreenerType = ScreenerType> {
  readonly type: T
  readonly query: string
  readonly page: number
  readonly limit: number
  /** Continues after an earlier page; `page` is then taken from the cursor. */
  readonly cursor?: string | undefined
  /** An order other than by identifier; its pages can only be requested by number. */
  readonly sort?: Sort | undefined
  /** Further fields to read of each record. */
  readonly show?: readonly string[] | undefined
  /** What the caller's date conditions may not find; unset: nothing is withheld. */
  readonly sold?: SoldRegistrations | null
  readonly timeoutMs?: number
}

export interface ScreenerPage<T extends ScreenerType = ScreenerType> {
  readonly results: readonly Hits[T][]
  readonly total: number
  /** How further counts of the records found may be shown. */
  readonly countsShown: CountsShown
  readonly page: number
  readonly pages: number
  readonly next_cursor: string | null
  /** The further fields of each result, in the same order. */
  readonly shown?: readonly ShownValues[]
  /** What was left out, in a sentence. */
  readonly notice?: string
}

/**
 * @throws AppError QUERY_SYNTAX, NO_DATASET_ACCESS, QUERY_TOO_EXPENSIVE if a statement exceeds the timeout, BAD_REQUEST
 *   for a page beyond the limit of page numbers or a foreign cursor.
 */
export async function runScreener<T extends ScreenerType>(
  db: Db,
  request: ScreenerRequest<T>,
): Promise<ScreenerPage<T>> {
  const sold = request.sold ?? null
  const today = (request.cursor === undefined ? undefined : dayOfCursor(request.cursor)) ?? indianDayOf(new Date())
  const compiled = readPermitted(request.type, request.query, sold, today)
  const set = `${request.type}:${compiled.canonical}`
  const notice = noticeOf(compiled.withheld, sold)
  // What is withheld depends on the account's entitlements, whatever the first day of the sale horizon.
  const paged = compiled.withheld === 'none' ? set : `${set}:${JSON.stringify(sold?.entitled)}`
  const from = request.cursor === undefined ? undefined : readCursor(paged, request.limit, request.cursor)
  if (from && request.sort)
    throw new AppError('BAD_REQUEST', 'A cursor continues in the order of identifiers, without a sort.')
  // Checked whether or not the query finds anything.
  if (request.sort) sortedField(request.type, request.sort.field)
  if (!from && request.page * request.limit > offsetRowsMax) throw beyondPages()
  const timeoutMs = request.timeoutMs ?? timeoutMsDefault
  const work = async (tx: Queryable): Promise<ScreenerPage<T>> => {
    const state = await registerState(tx, request.type)
    await refuseUnheldWords(tx, request.type, request.query, compiled.wordPieces, state)
    const read = await withRegisterWords(tx, request.type, compiled, state)
    const total = await countTotal(db, tx, { type: request.type, read, sold, state, timeoutMs })
    const page = from?.page ?? request.page
    const wanted = total > 0 && (from !== undefined || (page - 1) * request.limit < total)
    const place = {
      ...{ type: request.type, read, total },
      offset: from ? 0 : (page - 1) * request.limit,
      // One row more than the page, to see whether another page follows.
      limit: request.limit + 1,
    }
    const only = request.type === 'gst' && wanted && !request.sort ? stateOf(read.node) : undefined
    const start = only === undefined ? undefined : await readStateStart(db, tx, only, state.version)
    const readPage = () =>
      request.sort
        ? readSortedHits<T>(tx, { ...place, sold, sort: request.sort })
        : readHits<T>(tx, { ...place, after: from?.after, registerRows: state.rows, start })
    const found = wanted ? await readPage() : []
    const results = found.slice(0, request.limit)
    const last = results.at(-1)
    const more = found.length > request.limit && last !== undefined
    const isExact = total <= exactCountsMax
    const countsShown = isExact ? 'exact' : await readCountsShown(tx, request.type, compiled.counts, sold)
    const shown = shownCount(countsShown, total)
    return {
      results,
      total: shown,
      countsShown,
      page,
      pages: Math.ceil(shown / request.limit),
      next_cursor:
        more && !request.sort ? writeCursor(paged, request.limit, identifierOf(last), page + 1, today) : null,
      ...(notice === undefined ? {} : { notice }),
      ...(request.show && {
        shown: await readShownValues(tx, request.type, results.map(identifierOf), { show: request.show, sold }),
      }),
    }
  }
  return boundedRead(db, work, timeoutMs)
}
