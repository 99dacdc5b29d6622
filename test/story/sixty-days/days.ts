/** What happens in these days: what each import brings, what accounts ask for, and what they do. Written down beside the product, for the recomputation. */
import fc from 'fast-check'
import type { Db } from '../../../src/db/db.ts'
import { cinOf, type SnapshotRow } from '../../support/company-snapshots.ts'
import type { TestDatabase } from '../../support/database.ts'
import type { Draw } from '../../support/draw.ts'
import { figure } from '../../support/figures.ts'

/** The long run lives all sixty. */
export const days = figure(15, 60)
export const accounts = 30
/** That of the properties, so that `PANJI_PROPERTY_SEED` lives other days. */
export const storySeed = fc.readConfigureGlobal().seed ?? Math.floor(Math.random() * 2 ** 31)

export interface Wish {
  readonly account: number
  readonly source: 'screener' | 'feed'
  readonly least: number
  readonly most: number
  readonly hasMobile: boolean
  readonly buys: boolean
  readonly budget: { readonly day: number; readonly month: number; readonly run: number } | null
  readonly prefer: 'newest' | 'paidUpCapital desc' | 'paidUpCapital asc'
}

/** Of thirty accounts every third has two; some only want to know. */
export function wishes(draw: Draw['below']): Wish[] {
  return Array.from({ length: accounts }, (_, account) => account)
    .flatMap((account) => (account % 3 === 0 ? [account, account] : [account]))
    .map((account, n) => {
      const least = 100_000 + draw(4) * 100_000
      const day = 1 + draw(4)
      return {
        account,
        source: n % 4 === 0 ? 'feed' : 'screener',
        ...{ least, most: least + 200_000 + draw(4) * 100_000, hasMobile: n % 5 === 0, buys: n % 9 !== 8 },
        budget: n % 9 === 8 ? null : { day, month: Math.max(day, 4 + draw(30)), run: Math.min(day + draw(2), 4) },
        prefer: (['newest', 'paidUpCapital desc', 'paidUpCapital asc'] as const)[n % 3] ?? 'newest',
      }
    })
}

export interface Arrival extends SnapshotRow {
  readonly capital: number
  readonly month: string
  /** Of a record that comes for the first time. */
  readonly reach?: 'mobile' | 'email' | 'none'
}

/** New companies and some that change; never the same twice in one import. */
export function arrivals(draw: Draw['below'], lastSerial: number): Arrival[] {
  const month = () => String(1 + draw(12)).padStart(2, '0')
  const news = Array.from({ length: 4 + draw(6) }, (_, index) => ({
    ...{ n: lastSerial + 1 + index, capital: 100_000 * (1 + draw(9)), month: month() },
    reach: (['mobile', 'mobile', 'email', 'none'] as const)[draw(4)] ?? ('none' as const),
  }))
  const changed = new Map(
    lastSerial === 0 ? [] : Array.from({ length: 3 }, () => [1 + draw(lastSerial), 100_000 * (1 + draw(9))] as const),
  )
  return [...news, ...[...changed].map(([n, capital]) => ({ n, capital, month: month() }))]
}

export async function makeNotes(db: Db): Promise<void> {
  await db.execute(`CREATE SCHEMA story
    CREATE TABLE arrival (day integer, cin text, capital bigint, registered_on date, PRIMARY KEY (day, cin))
    CREATE TABLE reach (cin text PRIMARY KEY, mobile boolean, email boolean)
    CREATE TABLE wish (standing_order_id uuid PRIMARY KEY, account_id uuid, source text, least bigint, most bigint, has_mobile boolean,
      buys boolean, budget_day integer, budget_month integer, budget_run integer, prefer text, place integer)
    CREATE TABLE import (day integer PRIMARY KEY, run_id bigint)
    CREATE TABLE is_on (day integer, standing_order_id uuid, PRIMARY KEY (day, standing_order_id))
    CREATE TABLE given (day integer, account_id uuid, credits integer)
    CREATE TABLE decided (run_id bigint PRIMARY KEY, approved boolean)
    CREATE TABLE over (run_id bigint PRIMARY KEY, day integer)
    CREATE TABLE purchase (order_id uuid PRIMARY KEY, day integer, place bigint GENERATED ALWAYS AS IDENTITY)`)
}

export const registeredOn = ({ n, month }: Arrival): string => `2019-${month}-0${(n % 9) + 1}`

export async function noteArrivals(db: Db, day: number, rows: readonly Arrival[]): Promise<void> {
  await db.execute('INSERT INTO story.arrival SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::date[])', [
    ...[day, rows.map(({ n }) => cinOf(n)), rows.map(({ capital }) => capital), rows.map(registeredOn)],
  ])
  const known = rows.filter(({ reach }) => reach !== undefined)
  await db.execute('INSERT INTO story.reach SELECT * FROM unnest($1::text[], $2::boolean[], $3::boolean[])', [
    known.map(({ n }) => cinOf(n)),
    known.map(({ reach }) => reach === 'mobile'),
    known.map(({ reach }) => reach === 'email'),
  ])
}

/** A day passes for everything: only the clock can do that, so the guards are left out for once. */
export async function letADayPass({ db }: TestDatabase): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    for (const [table, columns] of Object.entries({
      'orders.purchase': ['created_at', 'paid_at'],
      'orders.standing_order': ['created_at', 'state_at', 'approved_at', 'active_since'],
      'orders.standing_run': ['created_at', 'finished_at', 'decided_at', 'tried_at'],
      'orders.standing_match': ['found_at'],
      'ingest.run': ['created_at', 'started_at', 'finished_at'],
    })) {
      const earlier = columns.map((column) => `${column} = ${column} - interval '1 day'`)
      await tx.execute(`UPDATE ${table} SET ${earlier.join(', ')}`)
    }
    await tx.execute('DELETE FROM access.daily_usage')
  })
}
