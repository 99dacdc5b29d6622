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

/** Sample registration days: a query's result can change only at the days that it names. */
export type Days = readonly string[]

export interface Guard {
  readonly days: Days
  /** Those of `days` on which a record can satisfy all terms of an AND: its conditions apply to no other records. */
  meeting(joined: ResolvedQuery, negated: boolean, days: Days): Days
  /**
   * The condition's SQL, restricted if it reveals sold records.
   * @param days registration days of the records that the condition applies to.
   */
  narrow(condition: ResolvedCondition, negated: boolean, days: Days, sql: string): string
  readonly withheld: () => Withheld
  /** Whether comparing counts of the query would reveal how many records the feed sells; see shown-counts.ts. */
  readonly counts: () => CountsShown
}

const open: Guard = {
  days: [],
  meeting: (_joined, _negated, days) => days,
  narrow: (_condition, _negated, _days, holds) => holds,
  withheld: () => 'none',
  counts: () => 'exact',
}

export function createGuard(
  type: ScreenerType,
  query: ResolvedQuery,
  sold: SoldRegistrations | null,
  bind: (value: unknown) => string,
): Guard {
  if (sold === null) return open
  const { from } = sold
  const since = daysAfter(from, -366)
  const guesses = type === 'company' && identifiersIn(query) > identifiersMax
  const dated = new Map(
    conditionsIn(query)
      .filter(isDated(type))
      .map((each) => [each, readDays(each)]),
  )
  const named = [...dated.values()].flatMap((each) => each.named)
  const canHold = (node: ResolvedQuery, negated: boolean, day: string): boolean => {
    if ('term' in node) return canHold(node.term, !negated, day)
    if (!('terms' in node)) return dated.get(node)?.holds(day) !== negated
    return (node.kind === 'and') === negated
      ? node.terms.some((term) => canHold(term, negated, day))
      : node.terms.every((term) => canHold(term, negated, day))
  }
  const meeting = (node: ResolvedQuery, negated: boolean, days: Days) =>
    days.filter((day) => canHold(node, negated, day))
  let withheld: Withheld = 'none'
  let counts: CountsShown = 'exact'
  let visible: string | undefined
  return {
    days: [...new Set(['1600-01-01', since, from, '9999-12-31', ...named].flatMap(aroundDay))],
    meeting,
    narrow(condition, negated, days, holds) {
      const met = meeting(condition, negated, days)
      const reveals =
        dated.has(condition) || revealsDayByNumber(type, condition, guesses) ? withheldOn(met, from) : 'none'
      // Also for the year before the sale horizon: all records minus these would be the sold ones.
      if (reveals !== 'none' || (dated.has(condition) && met.some((day) => day >= since))) counts = 'rounded'
      if (reveals === 'none') return holds
      if (withheld !== 'only') withheld = reveals
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

/** Whether a condition that holds on these days only is true for sold records, and for others. */
function withheldOn(days: Days, from: string): Withheld {
  if (!days.some((day) => day >= from)) return 'none'
  return days.some((day) => day < from) ? 'some' : 'only'
}

/** True for a condition on an identifier that depends on its year or its serial number. */
function revealsDayByNumber(type: ScreenerType, condition: ResolvedCondition, guesses: boolean): boolean {
  if (type !== 'company' || condition.field.known.kind !== 'identifier') return false
  switch (condition.kind) {
    case 'match': {
      const text = condition.value.value.trim().toUpperCase()
      return !(condition.op === 'STARTS_WITH' ? prefixBeforeYear.test(text) : lettersOfClass.test(text))
    }
    case 'compare':
    case 'in':
      return guesses
    case 'between':
    case 'null':
      return false
  }
}

const isDated = (type: ScreenerType) => (condition: ResolvedCondition) =>
  condition.field.known.column === dateColumns[type]

const aroundDay = (day: string): Days => [daysAfter(day, -1), day, daysAfter(day, 1)]

const comparisons: Readonly<Record<ComparisonOperator, (day: string, named: string) => boolean>> = {
  '==': (day, named) => day === named,
  '!=': (day, named) => day !== named,
  '>': (day, named) => day > named,
  '>=': (day, named) => day >= named,
  '<': (day, named) => day < named,
  '<=': (day, named) => day <= named,
}

interface MatchingDays {
  readonly named: Days
  holds(day: string): boolean
}

function readDays(condition: ResolvedCondition): MatchingDays {
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
    case 'null':
      return { named: [], holds: () => condition.negated }
    case 'match':
      throw new Error('a date takes no match')
  }
}

const identifiersIn = (node: ResolvedQuery): number =>
  conditionsIn(node)
    .filter(({ field }) => field.name === 'CIN')
    .reduce((sum, each) => sum + (each.kind === 'compare' ? 1 : each.kind === 'in' ? each.values.length : 0), 0)
