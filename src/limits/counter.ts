/**
 * Counters in PostgreSQL: an account's usage per UTC day, by kind.
 *
 * Invariant: the units taken in a day never exceed the limit. The insert or update of the counter's row decides on its
 * newest version, so N concurrent calls in any number of processes are exact, and each takes all of its units or none.
 * `src/access/admit.sql` counts the requests of a minute and a day in the same tables, as part of the admission.
 */
import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'

export interface UsageRow {
  readonly used: number
  /** UTC day by the database's clock. */
  readonly day: string
  readonly resetAt: Date
}

export interface Taking {
  /** Kind in `access.daily_usage`. */
  readonly kind: string
  readonly amount: number
  /** null: no limit. */
  readonly most: number | null
}

const today = 'runtime.limit_day(now())'
/** The day of a reading, and when it ends. */
export const usageClock = sql`${today} AS day, date_bin('1 day', now(), '1970-01-01T00:00:00Z') + interval '24 hours' AS "resetAt"`
/** Reads a counter of the account $1. @param kind the expression of its kind. */
export const readingText = (kind: string): string => sql`SELECT coalesce((SELECT used FROM access.daily_usage
           WHERE account_id = $1 AND kind = ${kind} AND day = ${today}), 0) AS used, ${usageClock}`
const readStatement = { name: 'budget-read', text: readingText('$2') }
/**
 * The account is locked before its counters, as in an erasure, so that the two cannot deadlock; counters in the order
 * of their kinds. A counter without a limit stops at the largest integer instead of failing.
 */
const takeStatement = {
  name: 'budget-take',
  text: sql`INSERT INTO access.daily_usage AS d (account_id, kind, day, used, taken)
         SELECT account_id, asked.kind, ${today}, asked.amount, asked.amount
         FROM access.account, unnest($2::text[], $3::integer[], $4::integer[]) AS asked (kind, amount, most)
         WHERE account_id = $1 AND erased_at IS NULL AND (asked.most IS NULL OR asked.amount <= asked.most)
         ORDER BY asked.kind FOR KEY SHARE OF account
         ON CONFLICT (account_id, kind, day) DO UPDATE
           SET used = least(d.used::bigint + excluded.taken, 2147483647)::integer, taken = excluded.taken
           WHERE NOT EXISTS (
             SELECT FROM unnest($2::text[], $4::integer[]) AS asked (kind, most)
             WHERE asked.kind = d.kind AND d.used::bigint + excluded.taken > asked.most)
         RETURNING d.kind, used, ${usageClock}`,
}

export async function readCount(db: Queryable, accountId: string, kind: string): Promise<UsageRow> {
  const [row] = await db.query<UsageRow>(readStatement, [accountId, kind])
  if (!row) throw new Error('the counter statement must return one row')
  return row
}

/** @returns the counters that had units left; none for an erased account. */
export const takeCounts = (
  db: Queryable,
  accountId: string,
  takings: readonly Taking[],
): Promise<(UsageRow & { readonly kind: string })[]> =>
  db.query(takeStatement, [
    accountId,
    takings.map(({ kind }) => kind),
    takings.map(({ amount }) => amount),
    takings.map(({ most }) => most),
  ])

/** Takes all that is left up to `most`. */
export async function exhaustCount(db: Queryable, accountId: string, kind: string, most: number): Promise<void> {
  await db.execute(
    sql`INSERT INTO access.daily_usage AS d (account_id, kind, day, used)
     SELECT account_id, $2, ${today}, $3 FROM access.account WHERE account_id = $1 AND erased_at IS NULL FOR KEY SHARE
     ON CONFLICT (account_id, kind, day) DO UPDATE SET used = greatest(d.used, $3)`,
    [accountId, kind, most],
  )
}

/** Serialises callers that count by any of the names until their transactions end, so that none bypasses the count. */
export async function countInTurn(tx: Queryable, names: readonly string[]): Promise<void> {
  await tx.execute(
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT hashtextextended(name, 0) AS key FROM unnest($1::text[]) AS name ORDER BY key) AS ordered`,
    [names],
  )
}
