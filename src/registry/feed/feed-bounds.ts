/**
 * What bounds the rows of a feed: the scopes that an account may see, as parts that share no row, and what its caller asks
 * for within them.
 */
import { sql } from '../../db/sql.ts'
import { parseCompanyId } from '../../domain/company-id.ts'
import { parseDin } from '../../domain/din.ts'
import type { EntityType } from '../../domain/identity.ts'
import { placeKey, type Scope } from '../../domain/scope.ts'
import { mayOverlap, simplestUnion } from '../../domain/scope-union.ts'
import type { CountedColumn } from '../counts/counted-records.ts'
import type { Edge } from '../counts/periods.ts'

/** A condition on a row `f` of the feed; `null` where it does not apply. */
export interface FeedBound {
  /** Two bounds of one name have the same SQL. */
  readonly name: string
  readonly sql: (...parameters: readonly string[]) => string
  readonly values: readonly unknown[] | null
  /** Whatever its values are, an index holds the rows within it in the order of the page. */
  readonly keepsOrder?: true
  /** Of a list of places: the column that holds them, of each of which an index holds the rows in that order. */
  readonly placedBy?: string
  /** Leaves out what other parts hold, which matters where rows are counted, and not where they are merged. */
  readonly separates?: true
  /** It asks for nothing but these columns of the counts of a register, see counted-feed.ts. */
  readonly counted?: readonly CountedColumn[]
  /** The days at which its answer changes. */
  readonly edges?: readonly Edge[]
  /** It leaves out so few records that these are taken off the counts one by one. */
  readonly leavesFew?: true
}

/** What the caller asks for; `today` ends every feed: what is registered as of a later day is not registered yet. The state, as those of the scopes, in the spelling of src/domain/states.ts. */
export interface FeedFilter {
  /** In India. */
  readonly today: string
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly search?: string | undefined
  readonly state?: string | undefined
  readonly districts?: readonly string[] | undefined
  readonly pincodes?: readonly string[] | undefined
  /** In lower case, every spelling that is meant. */
  readonly statuses?: readonly string[] | undefined
  readonly businessTypes?: readonly string[] | undefined
}

/** How many places are read by themselves, each with as many rows as a page needs; beyond, all of them are read at once. */
const placedRowsMax = 20_000

/**
 * The newest rows within bounds, of which at most one list is of places: the newest of each place by its index. Without
 * such a list it is a plain select, which the index of days or of a state answers.
 */
export interface NewestPlan {
  readonly place: (FeedBound & { readonly placedBy: string }) | undefined
  readonly others: readonly FeedBound[]
}

/** @param rows that each place must give. The lists of a part go before those of the caller, the finest ones first. */
export function newestPlan(part: readonly FeedBound[], common: readonly FeedBound[], rows: number): NewestPlan {
  const all = [...applied(part).filter(({ separates }) => separates !== true), ...applied(common)]
  const places = all.filter((bound): bound is FeedBound & { placedBy: string } => bound.placedBy !== undefined)
  const finest = ['pincodes', 'districts', 'states'].map((name) => places.find((bound) => bound.name === name))
  const place = finest.find((bound) => bound !== undefined && placesIn(bound) * rows <= placedRowsMax)
  return { place, others: all.filter((bound) => bound !== place) }
}

const placesIn = ({ values }: FeedBound): number => (Array.isArray(values?.[0]) ? values[0].length : 1)

/** Those that have values to compare with. */
export const applied = (bounds: readonly FeedBound[]): FeedBound[] => bounds.filter(({ values }) => values !== null)

/**
 * One select per part, of rows within its bounds and the common ones.
 * @param columns of a row `f`. @param parameter binds a value and names its place.
 */
export function partSelects(
  dataset: EntityType,
  columns: string,
  common: readonly FeedBound[],
  parts: readonly (readonly FeedBound[])[],
  parameter: (value: unknown) => string,
): string[] {
  const conditions = conditionsOf(common, parameter)
  return parts.map(
    (part) => sql`SELECT ${columns} FROM feed.${dataset} f WHERE true${conditions}${conditionsOf(part, parameter)}`,
  )
}

/** Of those that apply, each after an `AND`. @param parameter binds a value and names its place. */
export const conditionsOf = (bounds: readonly FeedBound[], parameter: (value: unknown) => string): string =>
  applied(bounds)
    .map((bound) => sql` AND ${bound.sql(...(bound.values ?? []).map(parameter))}`)
    .join('')

/**
 * States come in the one spelling of src/domain/states.ts, which the index of the feed answers; other places in lower case.
 */
export function filterBounds(dataset: EntityType, filter: FeedFilter): FeedBound[] {
  const { today, from, to, state, districts, pincodes, statuses, businessTypes } = filter
  const search = filter.search?.trim() || null
  return [
    notBefore(from),
    to !== undefined && to <= today ? notAfter(to) : untilToday(today),
    inState(state),
    inDistricts(districts),
    inPincodes(pincodes),
    {
      name: 'status',
      sql: (list) => sql`lower(f.status) = ANY (${list}::text[])`,
      values: given(statuses),
      counted: ['status'],
    },
    {
      name: 'business',
      sql: (list) => sql`lower(f.business_type) = ANY (${list}::text[])`,
      values: given(businessTypes),
      counted: ['business_type'],
    },
    { name: 'search', sql: isNamed(dataset), values: search === null ? null : [search, identifierOf(dataset, search)] },
  ]
}

/** The scopes as parts that share no row: each leaves out what an earlier one holds, where they may overlap. */
export function partsOf(scopes: readonly Scope[]): FeedBound[][] {
  const union = simplestUnion(scopes)
  if (union.length === 0) return [[{ name: 'nothing', sql: () => 'false', values: [], counted: [] }]]
  return union.map((scope, index) => [
    ...boundsOf(scope),
    ...union
      .slice(0, index)
      .filter((earlier) => mayOverlap(earlier, scope))
      .map((earlier) => outside(boundsOf(earlier))),
  ])
}

function boundsOf({ states, districts, pincodes, from, to }: Scope): FeedBound[] {
  const [state, ...further] = states ?? []
  return [
    notBefore(from),
    notAfter(to),
    // An index holds the newest of one state, in order.
    further.length === 0
      ? inState(state)
      : {
          name: 'states',
          sql: (list) => sql`f.state = ANY (${list}::text[])`,
          values: given(states && [...new Set(states)]),
          placedBy: 'f.state',
          counted: ['state'],
        },
    inDistricts(districts),
    inPincodes(pincodes),
  ]
}

/** True also of a row whose state, district or pincode is not known, of which no condition on it is false. */
function outside(bounds: readonly FeedBound[]): FeedBound {
  const applied = bounds.filter(({ values }) => values !== null)
  return {
    name: 'outside',
    separates: true,
    sql: (...parameters) => {
      const rest = [...parameters]
      const conditions = applied.map(({ sql, values }) => sql(...rest.splice(0, values?.length ?? 0)))
      return sql`(${conditions.join(' AND ') || 'true'}) IS NOT TRUE`
    },
    values: applied.flatMap(({ values }) => values ?? []),
    ...(applied.every(({ counted }) => counted) && { counted: applied.flatMap(({ counted }) => counted ?? []) }),
    edges: applied.flatMap(({ edges }) => edges ?? []),
  }
}

type Given<T> = T | null | undefined

const notBefore = (day: Given<string>): FeedBound => ({
  name: 'from',
  sql: (from) => sql`f.registered_on >= ${from}::date`,
  values: given(day),
  keepsOrder: true,
  counted: ['period'],
  edges: day ? [{ day, side: 'before' }] : [],
})
const notAfter = (day: Given<string>): FeedBound => ({
  name: 'to',
  sql: (to) => sql`f.registered_on <= ${to}::date`,
  values: given(day),
  keepsOrder: true,
  counted: ['period'],
  edges: day ? [{ day, side: 'after' }] : [],
})
/** No register holds many days that have not come. */
const untilToday = (today: string): FeedBound => ({
  name: 'today',
  sql: (day) => sql`f.registered_on <= ${day}::date`,
  values: [today],
  keepsOrder: true,
  counted: [],
  leavesFew: true,
})
const inState = (state: Given<string>): FeedBound => ({
  name: 'state',
  sql: (name) => `f.state = ${name}`,
  values: given(state),
  keepsOrder: true,
  counted: ['state'],
})
const inDistricts = (names: Given<readonly string[]>): FeedBound => ({
  name: 'districts',
  sql: (list) => sql`lower(f.district) = ANY (${list}::text[])`,
  values: given(names && [...new Set(names.map(placeKey))]),
  placedBy: 'lower(f.district)',
})
const inPincodes = (pincodes: Given<readonly string[]>): FeedBound => ({
  name: 'pincodes',
  sql: (list) => sql`f.pincode = ANY (${list}::text[])`,
  values: given(pincodes && [...new Set(pincodes)]),
  placedBy: 'f.pincode',
})
const given = (value: unknown): readonly unknown[] | null => (value === null || value === undefined ? null : [value])
/**
 * The identifier, a piece of the name, or all its words in any order: RAMESH SHARMA is found as Ramesh Kumar Sharma, too.
 * Most registrations for GST have two names, of which the trade name alone has a key.
 */
const isNamed = (dataset: EntityType) => (text: string, identifier: string) => {
  const key = sql`registry.name_key(${text})`
  const holdsWords = (name: string) =>
    sql`' ' || ${name} || ' ' LIKE ALL (ARRAY(SELECT '% ' || word || ' %' FROM string_to_table(${key}, ' ') AS word))`
  // A single word of a key is a piece of it already.
  const byKey = sql`strpos(f.name_key, ${key}) > 0 OR ${key} LIKE '% %' AND ${holdsWords('f.name_key')}`
  const legal = 'lower(f.legal_name)'
  const legally = sql` OR strpos(${legal}, lower(${text})) > 0 OR ${key} <> '' AND ${holdsWords(legal)}`
  return sql`(f.identifier = ${identifier}
    OR CASE WHEN ${key} = '' THEN strpos(lower(f.name), lower(${text})) > 0 ELSE ${byKey} END${dataset === 'gst' ? legally : ''})`
}

/** The search text in the canonical spelling of an identifier, in case it is one. */
function identifierOf(dataset: EntityType, search: string): string {
  if (dataset === 'director') return parseDin(search) ?? search
  if (dataset === 'company') return parseCompanyId(search)?.value ?? search.toUpperCase()
  return search.toUpperCase()
}
