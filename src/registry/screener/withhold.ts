/**
 * Withholds from a query what a feed sells. A condition that depends on a record's registration day is true for a
 * record of the sale horizon only if the account is entitled to it, and so is its negation. This can only remove
 * records, and whatever the query does with its conditions, its result does not depend on which of these days such a
 * record was registered.
 *
 * The day can be inferred from registration dates and from company identifiers: a CIN contains its year and a serial
 * number, and LLPINs are assigned in order. Prefixes of a CIN before the year, its class letters, and a few complete
 * identifiers reveal nothing.
 */
import { sql } from '../../db/sql.ts'
import { daysAfter } from '../../domain/iso-date.ts'
import { placeKey, type Scope, type SoldRegistrations } from '../../domain/scope.ts'
import { registerTables } from '../register-table.ts'
import { type ComparisonOperator, conditionsIn } from './ast.ts'
import type { ResolvedCondition, ResolvedQuery, ScreenerType } from './fields.ts'

/** `none`: no condition of the query is restricted. `only`: one of them is true for sold records alone. */
export type Withheld = 'none' | 'some' | 'only'

/** Whether differences of counts would reveal what is sold, so that counts are rounded; see shown-counts.ts. */
export type CountsShown = 'exact' | 'rounded'

/** More complete identifiers in one query are guesses at a range of numbers. */
const identifiersMax = 10
/** Listing, industry and state: what precedes the year. */
const prefixBeforeYear = /^[LU](\d{1,5}|\d{5}[A-Z]{1,2})?$/
const lettersOfClass = /^(PTC|PLC|FTC|FLC|OPC|GOI|SGC|NPL|GAP|GAT|ULL|ULT)$/

export const dateColumns: Readonly<Record<ScreenerType, string>> = {
  company: 'r.incorporated_on',
  gst: 'r.registered_on',
}

export interface Guard {
  /** The condition's SQL, restricted if it reveals sold records. */
  narrow(condition: ResolvedCondition, negated: boolean, sql: string): string
  readonly withheld: () => Withheld
  /** Whether comparing counts of the query would reveal how many records the feed sells; see shown-counts.ts. */
  readonly counts: () => CountsShown
}

export function createGuard(
  type: ScreenerType,
  query: ResolvedQuery,
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
      const revealed = revealedBy(type, condition, negated, sold.from, guesses)
      if (revealed !== 'none' || asksRecentDays(type, condition, negated, sold.from)) counts = 'rounded'
      if (revealed === 'none') return holds
      if (withheld !== 'only') withheld = revealed
      visible ??= visibleOf(dateColumns[type], sold, bind)
      return sql`(${holds} AND ${visible})`
    },
    withheld: () => withheld,
    counts: () => counts,
  }
}

/**
 * Whether the register has records that a feed sells and this account is not entitled to: a statement with its values.
 */
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

/** True for the records `r` whose registration the account may see, whatever the query. */
export const visibleTo = (
  type: ScreenerType,
  sold: SoldRegistrations | null,
  bind: (value: unknown) => string,
): string => (sold === null ? 'true' : visibleOf(dateColumns[type], sold, bind))

/** Records without a day are in no feed, so they are never withheld. */
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

function revealedBy(
  type: ScreenerType,
  condition: ResolvedCondition,
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
 * The days that a date condition matches. Its result changes only at the days that it names, so it suffices to try
 * these, their neighbours and the ends.
 */
function daysOf(condition: ResolvedCondition, negated: boolean, from: string): Withheld {
  if (condition.kind === 'null') return condition.negated === negated ? 'none' : 'some'
  const satisfying = satisfyingDays(condition, negated, ['1600-01-01', from, '9999-12-31'])
  if (!satisfying.some((day) => day >= from)) return 'none'
  return satisfying.some((day) => day < from) ? 'some' : 'only'
}

/** True if it matches a day of the year before the sale horizon: all records minus these would be the sold ones. */
function asksRecentDays(type: ScreenerType, condition: ResolvedCondition, negated: boolean, from: string): boolean {
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

type DayCondition = Exclude<ResolvedCondition, { kind: 'null' }>

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

const identifiersIn = (node: ResolvedQuery): number =>
  conditionsIn(node)
    .filter(({ field }) => field.name === 'CIN')
    .reduce((sum, each) => sum + (each.kind === 'compare' ? 1 : each.kind === 'in' ? each.values.length : 0), 0)
