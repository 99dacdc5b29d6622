/**
 * Records per industry without scanning the register: counts that every change of the register updates, queried like
 * its rows. They are broken down by state, status and industry: for a company the description of its NIC code, for a
 * GST registration its HSN codes (a record may have several) and their headings.
 */
import { literal, sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'

const placeAndStatus: ReadonlySet<string> = new Set(['state', 'status'])
/** Digits of a heading, as in migrations/functions/feed.counted_industries.sql. */
const headingDigits = 4

/**
 * A table `r` with the register's column names, each row of which represents `records` records.
 * @param asked columns of the register.
 * @returns undefined if the counts are not broken down by these.
 */
export function industryRecords(dataset: EntityType, requested: Iterable<string>): string | undefined {
  if (dataset !== 'company') return undefined
  const isCounted = [...requested].every((column) => column === 'nic_description' || placeAndStatus.has(column))
  return isCounted ? countsOf(dataset, 'nic_description') : undefined
}

/** As industryRecords, with a `heading` of this many digits instead of codes: a record is in one row per heading. */
export function headingRecords(dataset: EntityType, digits: number, requested: Iterable<string>): string | undefined {
  if (dataset !== 'gst' || digits !== headingDigits) return undefined
  return [...requested].every((column) => placeAndStatus.has(column)) ? countsOf(dataset, 'heading') : undefined
}

/** A condition on HSN codes: equal to one of them, or a prefix. */
export interface CodeAsked {
  readonly code: string
  readonly isBeginning: boolean
}

/**
 * As industryRecords, for the registrations with one code or a code of one heading: the rows contain only these.
 * @param asked further columns.
 * @param bind binds a value and returns its placeholder.
 */
export function codeRecords(
  dataset: EntityType,
  { code, isBeginning }: CodeAsked,
  requested: Iterable<string>,
  bind: (value: unknown) => string,
): string | undefined {
  const isCounted = [...requested].every((column) => placeAndStatus.has(column))
  if (dataset !== 'gst' || !isCounted || (isBeginning && !isHeading(code))) return undefined
  return sql`(SELECT state, status, ARRAY[industry] AS hsn_codes, records FROM feed.industry_count
      WHERE dataset = ${literal(isBeginning ? 'gst' : 'gst_code')} AND industry = ${bind(code)}) AS r`
}

const isHeading = (code: string): boolean => /^\d+$/.test(code) && code.length === headingDigits

const countsOf = (dataset: EntityType, industry: string): string =>
  sql`(SELECT state, status, industry AS ${industry}, records FROM feed.industry_count WHERE dataset = ${literal(dataset)}) AS r`
