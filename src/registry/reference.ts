/** Lookups in the reference lists: codes by prefix, descriptions by words that must all occur, whole ones first. */

import type { Queryable } from '../db/db.ts'
import { sql } from '../db/sql.ts'

export interface Lookup {
  readonly code?: string | undefined
  readonly search?: string | undefined
  readonly limit: number
}
export interface HsnRecord {
  readonly code: string
  readonly description: string
  readonly chapter: number
  readonly section: string | null
}
export interface SacRecord {
  readonly code: string
  readonly description: string
}
export interface NicRecord {
  readonly code: number
  readonly description: string
  readonly section: string | null
  readonly division: number | null
  readonly vintage: number
}

/** Shared by the three lists: $1 code or null, $2 words or null. */
const matching = (byCode: string) => sql`r.closed_on IS NULL
  AND ($1::text IS NULL OR ${byCode})
  AND ($2::text[] IS NULL OR NOT EXISTS (SELECT FROM unnest($2::text[]) AS word WHERE strpos(lower(r.description), word) = 0))`
const byBeginning = 'starts_with(r.code, $1)'
/** Codes of goods have pairs of digits, so an odd number of them may have lost a leading zero in a spreadsheet. */
const byZeroLost = sql`(length($1) % 2 = 1 AND starts_with(r.code, '0' || $1))`
/** Responses and details return NIC codes as numbers, so a code that lost its leading zero must be found, too. */
const byNumber = sql`ltrim(r.code, '0') = ltrim($1, '0')`
/** The text's words, each after one space. */
const spacedOut = (text: string): string => sql`regexp_replace(' ' || ${text}, '[^[:alnum:]]+', ' ', 'g')`
/**
 * How the word matches that matches worst: 0 as a whole word or its plural, 1 as the beginning of one, 2 within one.
 * Null without words. The first eight are enough for an order; no pattern is made of what somebody typed.
 */
const likeness = sql`(SELECT max(CASE
    WHEN strpos(spaced, word || ' ') + strpos(spaced, word || 's ') + strpos(spaced, word || 'es ') > 0 THEN 0
    WHEN strpos(spaced, word) > 0 THEN 1 ELSE 2 END)
  FROM ${spacedOut(sql`lower(r.description) || ' '`)} AS spaced,
    unnest(($2::text[])[1:8]) AS given, rtrim(${spacedOut('given')}) AS word)`
const inOrder = sql`ORDER BY r.code <> $1, ${likeness}, length(r.code), r.code LIMIT $3`

const parametersOf = ({ code, search, limit }: Lookup): unknown[] => [
  code?.replace(/\s+/g, '') ?? null,
  search === undefined ? null : [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))],
  limit,
]

export function lookUpHsn(db: Queryable, lookup: Lookup): Promise<HsnRecord[]> {
  return db.query<HsnRecord>(
    sql`SELECT r.code, r.description, r.chapter, r.section FROM reference.hsn r
     WHERE ${matching(sql`(${byBeginning} OR ${byZeroLost})`)}
     ORDER BY r.code <> $1, NOT ${byBeginning}, ${likeness}, length(r.code), r.code LIMIT $3`,
    parametersOf(lookup),
  )
}

export function lookUpSac(db: Queryable, lookup: Lookup): Promise<SacRecord[]> {
  return db.query<SacRecord>(
    sql`SELECT r.code, r.description FROM reference.sac r WHERE ${matching(byBeginning)} ${inOrder}`,
    parametersOf(lookup),
  )
}

/** The same digits have different meanings in the 2004 and 2008 vintages, so one vintage is searched at a time. */
export function lookUpNic(db: Queryable, lookup: Lookup & { readonly vintage: 2004 | 2008 }): Promise<NicRecord[]> {
  return db.query<NicRecord>(
    sql`SELECT r.code::integer AS code, r.description, r.section, r.division, r.vintage
     FROM reference.nic r WHERE r.vintage = $4 AND ${matching(sql`(${byBeginning} OR ${byNumber})`)}
     ORDER BY r.code <> $1, NOT ${byNumber}, ${likeness}, length(r.code), r.code LIMIT $3`,
    [...parametersOf(lookup), lookup.vintage],
  )
}
