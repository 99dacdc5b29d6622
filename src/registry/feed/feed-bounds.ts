/** The filters of a feed's rows: the scopes that an account may see, as disjoint parts, and the caller's own filter. */
import { sql } from '../../db/sql.ts'
import { registerSpelling } from '../../domain/entity-identifier.ts'
import type { EntityType } from '../../domain/identity.ts'
import { placeKey, type Scope } from '../../domain/scope.ts'
import { mayOverlap, simplestUnion } from '../../domain/scope-union.ts'
import type { CountedColumn } from '../counts/counted-records.ts'
import type { Edge } from '../counts/periods.ts'

/** A condition on a row `f` of the feed; `values` is `null` if it does not apply. */
export interface FeedBound {
  /** Filters with the same name have the same SQL. */
  readonly name: string
  readonly sql: (...parameters: readonly string[]) => string
  readonly values: readonly unknown[] | null
  /** For any values, an index returns the matching rows in the order of the page. */
  readonly keepsOrder?: true
  /**
   * For a list of places: the column of the places. For each place, an index returns its rows in the order of the page.
   */
  readonly placedBy?: string
  /** Excludes rows of other parts. Needed if rows are counted, not if they are merged. */
  readonly separates?: true
  /** Needs only these columns of a register's counts, see counted-feed.ts. */
  readonly counted?: readonly CountedColumn[]
  /** The days at which its result changes. */
  readonly edges?: readonly Edge[]
  /** Excludes so few records that they are subtracted from the counts one by one. */
  readonly leavesFew?: true
}

/**
 * The caller's filter. `today` ends every feed: records with a later registration day are not registered yet. State and
 * scopes use the spelling of src/domain/states.ts.
 */
export interface FeedFilter {
  /** Day in India. */
  readonly today: string
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly search?: string | undefined
  readonly state?: string | undefined
  readonly districts?: readonly string[] | undefined
  readonly pincodes?: readonly string[] | undefined
  /** All matching spellings, in lower case. */
  readonly statuses?: readonly string[] | undefined
  readonly businessTypes?: readonly string[] | undefined
}

/** Up to this many rows, places are read individually, each with as many rows as a page needs; beyond, all at once. */
const placedRowsMax = 20_000

/**
 * Plan for the newest rows within filters, of which at most one is a list of places: the newest rows of each place, by
 * its index. Without such a list it is a plain select, served by the index of days or of a state.
 */
export interface NewestPlan {
  readonly place: (FeedBound & { readonly placedBy: string }) | undefined
  readonly others: readonly FeedBound[]
}

/** @param rows that each place must provide. A part's lists take precedence over the caller's, the finest first. */
export function newestPlan(part: readonly FeedBound[], common: readonly FeedBound[], rows: number): NewestPlan {
  const all = [...applied(part).filter(({ separates }) => separates !== true), ...applied(common)]
  const places = all.filter((bound): bound is FeedBound & { placedBy: string } => bound.placedBy !== undefined)
  const finest = ['pincodes', 'districts', 'states'].map((name) => places.find((bound) => bound.name === name))
  const place = finest.find((bound) => bound !== undefined && placesIn(bound) * rows <= placedRowsMax)
  return { place, others: all.filter((bound) => bound !== place) }
}

const placesIn = ({ values }: FeedBound): number => (Array.isArray(values?.[0]) ? values[0].length : 1)

/** The filters that have values. */
export const applied = (bounds: readonly FeedBound[]): FeedBound[] => bounds.filter(({ values }) => values !== null)

/**
 * One select per part, of rows within its filters and the common ones.
 * @param columns of a row `f`.
 * @param parameter binds a value and returns its placeholder.
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

/**
 * The applicable conditions, each after an `AND`.
 * @param parameter binds a value and returns its placeholder.
 */
export const conditionsOf = (bounds: readonly FeedBound[], parameter: (value: unknown) => string): string =>
  applied(bounds)
    .map((bound) => sql` AND ${bound.sql(...(bound.values ?? []).map(parameter))}`)
    .join('')

/**
 * States use the canonical spelling of src/domain/states.ts, so that the feed's index applies; other places are in
 * lower case.
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
    {
      name: 'search',
      sql: isNamed(dataset),
      values: search === null ? null : [search, registerSpelling(dataset, search)],
    },
  ]
}

/** The scopes as disjoint parts: each excludes earlier ones that may overlap. */
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
    // An index returns the newest rows of one state in order.
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

/** Also true for a row whose state, district or pincode is unknown: no condition on it is false. */
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
/** Few rows of a register have a future day. */
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
 * The identifier, a piece of the name, or all its words in any order: RAMESH SHARMA also finds Ramesh Kumar Sharma.
 * Most GST registrations have two names, and only the trade name has a key.
 */
const isNamed = (dataset: EntityType) => (text: string, identifier: string) => {
  const key = sql`registry.name_key(${text})`
  const holdsWords = (name: string) =>
    sql`' ' || ${name} || ' ' LIKE ALL (ARRAY(SELECT '% ' || word || ' %' FROM string_to_table(${key}, ' ') AS word))`
  // A single word of a key is already a piece of it.
  const byKey = sql`strpos(f.name_key, ${key}) > 0 OR ${key} LIKE '% %' AND ${holdsWords('f.name_key')}`
  const legal = 'lower(f.legal_name)'
  const legally = sql` OR strpos(${legal}, lower(${text})) > 0 OR ${key} <> '' AND ${holdsWords(legal)}`
  return sql`(f.identifier = ${identifier}
    OR CASE WHEN ${key} = '' THEN strpos(lower(f.name), lower(${text})) > 0 ELSE ${byKey} END${dataset === 'gst' ? legally : ''})`
}
