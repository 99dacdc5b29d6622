/**
 * Attribute filters over the registers: absent parameters do not restrict, text ignores case. A name is searched in
 * stages and ranked (see name-search.ts); without one, records are ordered by identifier.
 */

import type { Answer } from '../../config/fields/answer.ts'
import { shownOn } from '../../config/fields/shown.ts'
import type { Db, Queryable } from '../db/db.ts'
import { selected } from '../db/shown-columns.ts'
import { literal, sql } from '../db/sql.ts'
import { notWithheld } from './details/director.ts'
import { type CompanyHit, type GstHit, type Hits, hitColumns, identifierOf } from './hits.ts'
import { searchByName } from './names/name-search.ts'
import { boundedRead } from './paging/bounded-read.ts'
import { Conditions } from './paging/conditions.ts'
import { readHits } from './paging/hit-page.ts'
import { beyondPages, offsetRowsMax, readCursor, writeCursor } from './paging/page-cursor.ts'
import { readStateStart } from './paging/state-start.ts'
import { registerState, registryVersion, totalOnce } from './paging/total-cache.ts'
import { addReach, asksForContacts, type ReachFilter } from './reachable.ts'
import { registerTables } from './register-table.ts'

interface Paging extends ReachFilter {
  readonly page: number
  readonly limit: number
  /** Continues after an earlier page; `page` is then taken from the cursor. */
  readonly cursor?: string | undefined
}

export interface FilterPage<Hit> {
  readonly results: readonly Hit[]
  /** Exact. */
  readonly total: number
  readonly nextCursor: string | null
}
type Texts<K extends string> = { readonly [key in K]?: string | undefined }

export type CompanyFilter = Paging & Texts<'cin' | 'company' | 'state' | 'city'>
export type GstFilter = Paging &
  Texts<'gstin' | 'tradeName' | 'state'> & {
    /** All matching spellings, in lower case. */
    readonly statuses?: readonly string[] | undefined
  }
export type DirectorFilter = Paging &
  Texts<
    | 'din'
    | 'firstName'
    | 'middleName'
    | 'lastName'
    | 'disqualified'
    | 'residentOfIndia'
    | 'citizenOfIndia'
    | 'nationality'
    | 'bornFrom'
    | 'bornTo'
    | 'state'
    | 'district'
    | 'country'
    | 'postalCode'
  > & {
    /** All matching spellings, in lower case. */
    readonly genders?: readonly string[] | undefined
  }

export type DirectorHit = Answer<'director', 'hit'>

const same = (column: string) => (value: string) => sql`lower(${column}) = lower(${value}::text)`
/** States use the registers' canonical spelling, so that their indexes apply. */
const inState = (value: string) => sql`r.state = ${value}::text`
/** Apostrophes and points are written in several ways, or left out. */
const bare = (text: string) => sql`translate(lower(${text}), ${literal("'’‘`.")}, '')`
const begins = (column: string) => (value: string) => sql`starts_with(${bare(column)}, ${bare(sql`${value}::text`)})`

const directorColumns = selected('r', shownOn('director', 'hit'))

export function filterCompanies(db: Db, filter: CompanyFilter): Promise<FilterPage<CompanyHit>> {
  const conditions = () => {
    const requested = new Conditions()
      .add(filter.cin, (value) => `r.cin = ${value}`)
      .add(filter.state, inState, 'state')
      .add(filter.city, same('r.city'))
    return addReach(requested, 'company', filter)
  }
  return readPage(db, 'company', conditions, filter, { name: filter.company })
}

export function filterGst(db: Db, filter: GstFilter): Promise<FilterPage<GstHit>> {
  const conditions = () => {
    const requested = new Conditions()
      .add(filter.gstin, (value) => `r.gstin = ${value}`)
      .add(filter.state, inState, 'state')
      .add(filter.statuses, (list) => sql`lower(r.status) = ANY (${list}::text[])`, 'status')
    return addReach(requested, 'gst', filter)
  }
  return readPage(db, 'gst', conditions, filter, { name: filter.tradeName, state: filter.state })
}

export async function filterDirectors(
  db: Db,
  filter: DirectorFilter,
): Promise<{ readonly results: DirectorHit[]; readonly total: number }> {
  const conditions = directorConditions(filter)
  return boundedRead(db, async (tx) => {
    const version = await registryVersion(tx, 'director')
    const total = await totalFor(db, filter, `${version}:director:${conditions.fingerprint}`, async () => {
      const rows = await tx.query<{ total: number }>(conditions.countSql('director'), conditions.values)
      return rows[0]?.total ?? 0
    })
    if (total <= (filter.page - 1) * filter.limit) return { results: [], total }
    const { values } = conditions
    const results = await tx.query<DirectorHit>(
      sql`SELECT ${directorColumns} FROM registry.director r WHERE ${conditions.sql}
       ORDER BY r.din LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, filter.limit, (filter.page - 1) * filter.limit],
    )
    return { results, total }
  })
}

const totalFor = (db: Db, filter: ReachFilter, key: string, count: () => Promise<number>): Promise<number> =>
  asksForContacts(filter) ? count() : totalOnce(db, key, count)

/** Dates of birth are filtered by year only: otherwise a few calls would reveal anyone's birthday. */
function directorConditions(filter: DirectorFilter): Conditions {
  const conditions = new Conditions().require(notWithheld('r.din'))
  // The word index of the full name narrows the rows before the name's parts are compared.
  const words = [filter.firstName, filter.middleName, filter.lastName].filter((part) => part !== undefined)
  if (words.length > 0) conditions.add(words.join(' '), nameHoldsWords)
  return addReach(conditions, 'director', filter)
    .add(filter.din, (value) => `r.din = ${value}`)
    .add(filter.firstName, begins('r.first_name'))
    .add(filter.middleName, begins('r.middle_name'))
    .add(filter.lastName, begins('r.last_name'))
    .add(filter.disqualified, same('r.disqualified'))
    .add(filter.genders, (list) => sql`lower(r.gender) = ANY (${list}::text[])`)
    .add(filter.residentOfIndia, same('r.resident_of_india'))
    .add(filter.citizenOfIndia, same('r.citizen_of_india'))
    .add(filter.nationality, same('r.nationality'))
    .add(filter.bornFrom?.slice(0, 4), (year) => sql`r.born_on >= make_date(${year}::integer, 1, 1)`)
    .add(filter.bornTo?.slice(0, 4), (year) => sql`r.born_on <= make_date(${year}::integer, 12, 31)`)
    .add(filter.state, inState, 'state')
    .add(filter.district, same('r.district'))
    .add(filter.country, same('r.country'))
    .add(filter.postalCode, (value) => `r.pincode = ${value}`)
}

/** Every word as a prefix; quote_literal keeps its characters from being tsquery operators. */
const nameHoldsWords = (value: string): string =>
  sql`to_tsvector('simple', r.name_key) @@ to_tsquery('simple', (
     SELECT coalesce(string_agg(quote_literal(word) || ':*', ' & '), '')
     FROM regexp_split_to_table(registry.name_key(${value}::text), ' ') AS word WHERE word <> ''))`

interface Asked {
  readonly name: string | undefined
  /** For GST registrations, which a state determines a range of in the order of identifiers. */
  readonly state?: string | undefined
}

/** @throws AppError BAD_REQUEST for a page beyond the limit of page numbers or a foreign cursor, QUERY_TOO_EXPENSIVE */
async function readPage<T extends keyof Hits>(
  db: Db,
  entity: T,
  conditions: () => Conditions,
  paging: Paging,
  { name, state }: Asked,
): Promise<FilterPage<Hits[T]>> {
  const { page, limit, cursor } = paging
  const set = `filter:${entity}:${conditions().fingerprint}:${JSON.stringify(name ?? null)}`
  const from = cursor === undefined ? undefined : readCursor(set, limit, cursor)
  if (!from && page * limit > offsetRowsMax) throw beyondPages()
  return boundedRead(db, async (tx) => {
    const register = await registerState(tx, entity)
    const count = (where: Conditions) =>
      totalFor(db, paging, `${register.version}:${entity}:${where.fingerprint}`, async () => {
        return (await tx.query<{ total: number }>(where.countSql(entity), where.values))[0]?.total ?? 0
      })
    // One more than the page, to see whether another page follows.
    const wanted = { limit: limit + 1, offset: from ? 0 : (page - 1) * limit, after: from?.after }
    const inOrder = async () => {
      const total = await count(conditions())
      if (total <= wanted.offset) return { found: [], total }
      const start = state === undefined ? undefined : await readStateStart(db, tx, state, register.version)
      const { sql: condition, values } = conditions()
      const read = { condition, values }
      const rows = { total, registerRows: register.rows }
      return { found: await readHits(tx, { type: entity, read, start, ...wanted, ...rows }), total }
    }
    const byName = async (requested: string) => {
      const { ids, total } = await searchByName(tx, { entity, name: requested, conditions, ...wanted }, count)
      return { found: await named(tx, entity, ids), total }
    }
    const { found, total } = await (name === undefined ? inOrder() : byName(name))
    const results = found.slice(0, limit)
    const last = results.at(-1)
    const more = found.length > limit && last !== undefined
    const nextCursor = more ? writeCursor(set, limit, identifierOf(last), (from?.page ?? page) + 1) : null
    return { results, total, nextCursor }
  })
}

function named<T extends keyof Hits>(tx: Queryable, entity: T, ids: readonly string[]): Promise<Hits[T][]> {
  const { table, key } = registerTables[entity]
  return tx.query<Hits[T]>(
    sql`SELECT ${hitColumns[entity]} FROM unnest($1::text[]) WITH ORDINALITY AS hit (id, place)
     JOIN ${table} r ON ${key} = hit.id ORDER BY hit.place`,
    [ids],
  )
}
