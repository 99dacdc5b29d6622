/**
 * Withholds from a query what a feed sells. A condition that tells something about the day of a record's registration
 * is true of a record of the sale horizon only where the account is entitled to it, and so is its negation. Conditions
 * only ever lose records by this, and whatever the query does with them, it answers the same on whichever of these days
 * such a record was registered.
 *
 * Days are told by dates of registration, and by company identifiers: a CIN holds its year and a running number, LLPINs
 * are given out in order. Prefixes of a CIN before the year, its letters of class, and few whole identifiers tell none.
 */
import { sql } from '../../db/sql.ts'
import { daysAfter } from '../../domain/iso-date.ts'
import { placeKey, type Scope, type SoldRegistrations } from '../../domain/scope.ts'
import { registerTables } from '../register-table.ts'
import { type ComparisonOperator, conditionsIn } from './ast.ts'
import type { Asked, AskedCondition, ScreenerType } from './fields.ts'

/** `none`: no condition of the query is touched. `only`: one of them is true of sold records alone. */
export type Withheld = 'none' | 'some' | 'only'

/** Whether counts would tell by difference what is sold, and are shown rounded; see shown-counts.ts. */
export type CountsShown = 'exact' | 'rounded'

/** More whole identifiers in one query are guesses at a row of numbers. */
const identifiersMax = 10
/** Listing, industry and state: what stands before the year. */
const prefixBeforeYear = /^[LU](\d{1,5}|\d{5}[A-Z]{1,2})?$/
const lettersOfClass = /^(PTC|PLC|FTC|FLC|OPC|GOI|SGC|NPL|GAP|GAT|ULL|ULT)$/

export const dateColumns: Readonly<Record<ScreenerType, string>> = {
  company: 'r.incorporated_on',
  gst: 'r.registered_on',
}

export interface Guard {
  /** The condition's SQL, narrowed where it tells of sold records. */
  narrow(condition: AskedCondition, negated: boolean, sql: string): string
  readonly withheld: () => Withheld
  /** Counts of the query, held beside others, would tell how many records the feed sells; see shown-counts.ts. */
  readonly counts: () => CountsShown
}

export function createGuard(
  type: ScreenerType,
  query: Asked,
  sold: SoldRegistrations | null,
  bind: (value: unknown) => string,
): Guard {
  if (sold === null) {
    return { narrow: (_condition, _negated, sql) => sql, withheld: () => 'none', counts: () => 'exact' }
  }
  const guesses = type === 'company' && identifiersIn(query) > identifiersMax
  let withheld: Withheld = 'none'
  let counts: CountsShown = 'exact'
  let visible: string | undefined
  return {
    narrow(condition, negated, holds) {
      const tells = tellsOf(type, condition, negated, sold.from, guesses)
      if (tells !== 'none' || asksRecentDays(type, condition, negated, sold.from)) counts = 'rounded'
      if (tells === 'none') return holds
      if (withheld !== 'only') withheld = tells
      visible ??= visibleOf(dateColumns[type], sold, bind)
      return sql`(${holds} AND ${visible})`
    },
    withheld: () => withheld,
    counts: () => counts,
  }
}

/** Whether the register holds records that a feed sells and this account is not entitled to: a statement with its values. */
export function asksForSold(
  type: ScreenerType,
  sold: SoldRegistrations,
): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = []
  const visible = visibleOf(dateColumns[type], sold, (value) => `$${values.push(value)}`)
  const from = `$${values.push(sold.from)}`
  const text = sql`SELECT EXISTS (SELECT FROM ${registerTables[type].table} r
    WHERE r.closed_on IS NULL AND ${dateColumns[type]} >= ${from}::date AND NOT ${visible}) AS sold`
  return { text, values }
}

/** True of the records `r` whose registration the account may learn of, by whatever question. */
export const visibleTo = (
  type: ScreenerType,
  sold: SoldRegistrations | null,
  bind: (value: unknown) => string,
): string => (sold === null ? 'true' : visibleOf(dateColumns[type], sold, bind))

/** Records without a day are in no feed, hence never withheld. */
function visibleOf(column: string, { from, entitled }: SoldRegistrations, bind: (value: unknown) => string): string {
  const parts = [sql`${column} IS NULL`, sql`${column} < ${bind(from)}::date`]
  return `(${[...parts, ...entitled.map((scope) => within(column, scope, bind))].join(' OR ')})`
}

function within(column: string, scope: Scope, bind: (value: unknown) => string): string {
  const { from, to, states, districts, pincodes } = scope
  const bounds = [
    ...(from === null ? [] : [sql`${column} >= ${bind(from)}::date`]),
    ...(to === null ? [] : [sql`${column} <= ${bind(to)}::date`]),
    ...(states === null ? [] : [sql`r.state = ANY (${bind(states)}::text[])`]),
    ...(districts === null ? [] : [sql`lower(r.district) = ANY (${bind(districts.map(placeKey))}::text[])`]),
    ...(pincodes === null ? [] : [sql`r.pincode = ANY (${bind(pincodes)}::text[])`]),
  ]
  return bounds.length === 0 ? 'true' : `(${bounds.join(' AND ')})`
}

function tellsOf(
  type: ScreenerType,
  condition: AskedCondition,
  negated: boolean,
  from: string,
  guesses: boolean,
): Withheld {
  const { known: field } = condition.field
  if (field.column === dateColumns[type]) return daysOf(condition, negated, from)
  if (type !== 'company' || field.kind !== 'identifier') return 'none'
  switch (condition.kind) {
    case 'match': {
      const text = condition.value.value.trim().toUpperCase()
      const isOpen = condition.op === 'STARTS_WITH' ? prefixBeforeYear.test(text) : lettersOfClass.test(text)
      return isOpen ? 'none' : 'some'
    }
    case 'compare':
    case 'in':
      return guesses ? 'some' : 'none'
    case 'between':
    case 'null':
      return 'none'
  }
}

/**
 * Which days satisfy a condition on a date. Its truth changes nowhere but at the days that it names, so it is enough to
 * try these, their neighbours and the ends.
 */
function daysOf(condition: AskedCondition, negated: boolean, from: string): Withheld {
  if (condition.kind === 'null') return condition.negated === negated ? 'none' : 'some'
  const satisfying = satisfyingDays(condition, negated, ['1600-01-01', from, '9999-12-31'])
  if (!satisfying.some((day) => day >= from)) return 'none'
  return satisfying.some((day) => day < from) ? 'some' : 'only'
}

/** True where a day of the year before the sale horizon satisfies it: all records less these would be those that are sold. */
function asksRecentDays(type: ScreenerType, condition: AskedCondition, negated: boolean, from: string): boolean {
  if (condition.field.known.column !== dateColumns[type] || condition.kind === 'null') return false
  const since = daysAfter(from, -366)
  return satisfyingDays(condition, negated, [since, from]).some((day) => day >= since)
}

function satisfyingDays(condition: DayCondition, negated: boolean, ends: readonly string[]) {
  const { named, holds } = readDays(condition)
  const tried = [...ends, ...named].flatMap((day) => [daysAfter(day, -1), day, daysAfter(day, 1)])
  return tried.filter((day) => holds(day) !== negated)
}

const comparisons: Readonly<Record<ComparisonOperator, (day: string, named: string) => boolean>> = {
  '==': (day, named) => day === named,
  '!=': (day, named) => day !== named,
  '>': (day, named) => day > named,
  '>=': (day, named) => day >= named,
  '<': (day, named) => day < named,
  '<=': (day, named) => day <= named,
}

type DayCondition = Exclude<AskedCondition, { kind: 'null' }>

interface Days {
  readonly named: readonly string[]
  holds(day: string): boolean
}

function readDays(condition: DayCondition): Days {
  switch (condition.kind) {
    case 'compare': {
      const { op, value } = condition
      return { named: [value.value], holds: (day) => comparisons[op](day, value.value) }
    }
    case 'in': {
      const listed = new Set(condition.values.map(({ value }) => value))
      return { named: [...listed], holds: (day) => listed.has(day) !== condition.negated }
    }
    case 'between': {
      const [low, high] = [condition.low.value, condition.high.value]
      return { named: [low, high], holds: (day) => day >= low && day <= high }
    }
    case 'match':
      throw new Error('a date takes no match')
  }
}

const identifiersIn = (node: Asked): number =>
  conditionsIn(node)
    .filter(({ field }) => field.name === 'CIN')
    .reduce((sum, each) => sum + (each.kind === 'compare' ? 1 : each.kind === 'in' ? each.values.length : 0), 0)
