/**
 * What a standing order looks for, as a condition over a record `r` and its bound values: its query and its conditions,
 * restricted to what the account may see. A record that appeared last night is what the feeds sell, however a query is
 * worded.
 */
import { inactiveStatuses } from '../../config/inactive-statuses.ts'
import { soldRegistrations } from '../access/sold-registrations.ts'
import type { Queryable } from '../db/db.ts'
import { readToday } from '../db/read-today.ts'
import { sql } from '../db/sql.ts'
import type { SoldRegistrations } from '../domain/scope.ts'
import { type RegisterState, registerState } from '../registry/paging/total-cache.ts'
import { aboutAccount, actingAccount } from '../registry/screener/acting-account.ts'
import { boardField } from '../registry/screener/board-field.ts'
import { fieldNamed } from '../registry/screener/fields.ts'
import { ways } from '../registry/screener/reach-fields.ts'
import { readQuery } from '../registry/screener/read.ts'
import { withRegisterWords } from '../registry/screener/register-words.ts'
import { visibleTo } from '../registry/screener/withhold.ts'
import type { StandingQuery } from './standing-order.ts'

export interface Matcher {
  readonly condition: string
  /** The same as of before an import that changed what belongs to a record `r`, and not the record itself. */
  readonly before: Readonly<Record<Related, string>>
  readonly values: readonly unknown[]
}

/** What is imported separately from the register itself, and may decide whether a record matches. */
export type Related = 'contact' | 'directorship'

export const asksAbout: Readonly<Record<Related, (of: StandingQuery) => boolean>> = {
  contact: ({ hasMobile, hasEmail, query }) =>
    hasMobile || hasEmail || ways.some((way) => query?.includes(`has_${way}`)),
  directorship: ({ query }) => query?.includes(boardField.name) === true,
}

interface Holder {
  readonly accountId: string
  readonly isEnterprise: boolean
}

/** Shared by all matchers of one evaluation. */
export interface MatcherFacts {
  readonly today: string
  readonly state: RegisterState
  /** By account, as far as they have been read. */
  readonly sold: Map<string, SoldRegistrations | null>
}

/** @param queries of one register. */
export async function readFacts(tx: Queryable, [standingQuery]: readonly StandingQuery[]): Promise<MatcherFacts> {
  return {
    today: await readToday(tx),
    state: await registerState(tx, standingQuery?.type ?? 'company'),
    sold: new Map(),
  }
}

/** For its account as it is now. @throws AppError QUERY_SYNTAX if the query is no longer valid. */
export async function buildMatcherFor(
  tx: Queryable,
  order: StandingQuery & { readonly accountId: string },
): Promise<Matcher> {
  const [holder] = await tx.query<Holder>(
    'SELECT account_id AS "accountId", is_enterprise AS "isEnterprise" FROM access.account WHERE account_id = $1',
    [order.accountId],
  )
  if (!holder) throw new Error('a standing order has an account')
  return buildMatcher(tx, order, holder)
}

/** @throws AppError QUERY_SYNTAX if the query is no longer valid. */
export async function buildMatcher(
  tx: Queryable,
  standingQuery: StandingQuery,
  holder: Holder,
  known?: MatcherFacts,
): Promise<Matcher> {
  const { type } = standingQuery
  const facts = known ?? (await readFacts(tx, [standingQuery]))
  const earlier = facts.sold.get(holder.accountId)
  const sold = earlier === undefined ? await soldRegistrations(tx, holder, type, facts.today) : earlier
  facts.sold.set(holder.accountId, sold)
  const read = standingQuery.query === null ? undefined : readQuery(type, standingQuery.query, sold, facts.today)
  const values = [...(read ? (await withRegisterWords(tx, type, read, facts.state)).values : [])]
  const bind = (value: unknown) => `$${values.push(value)}`
  const flags = [...(standingQuery.hasMobile ? ['has_mobile'] : []), ...(standingQuery.hasEmail ? ['has_email'] : [])]
  const parts = [
    ...(read ? [`(${read.condition})`] : []),
    ...flags.map((name) => columnOf(standingQuery.type, name)),
    ...(standingQuery.activeOnly ? [sql`(r.status = ANY (${bind(inactiveStatuses[type])}::text[])) IS NOT TRUE`] : []),
    ...(standingQuery.source === 'watchlist'
      ? [
          sql`EXISTS (SELECT FROM access.watchlist_entity listed
            WHERE listed.watchlist_id = ${bind(standingQuery.watchlistId)}::uuid AND listed.identifier = ${keys[type]})`,
        ]
      : []),
    visibleTo(type, sold, bind),
  ]
  const condition = parts.join(' AND ')
  const account = condition.includes(actingAccount) ? bind(holder.accountId) : ''
  const forHolder = (text: string) => aboutAccount(text, account)
  const before = {
    contact: forHolder(beforeContacts(type, condition)),
    directorship: forHolder(beforeSeats(condition)),
  }
  return { condition: forHolder(condition), before, values }
}

export const keys = { company: 'r.cin', gst: 'r.gstin' } as const

/** Of contacts marked by `new_mobile`, `new_email` and `new_website` of `r`. */
const beforeContacts = (type: StandingQuery['type'], condition: string): string =>
  ways.reduce((text, way) => {
    const known = columnOf(type, `has_${way}`)
    // A function, because dollar signs in a replacement string have a special meaning.
    return text.replaceAll(known, () => sql`(${known} AND NOT r.new_${way})`)
  }, condition)

/** `board_before` of `r` is what its board was. */
const beforeSeats = (condition: string): string => condition.replaceAll(boardField.column, 'r.board_before')

function columnOf(type: StandingQuery['type'], name: string): string {
  const field = fieldNamed(type, name)
  if (!field) throw new Error(`${type} has no field ${name}`)
  return field.column
}
