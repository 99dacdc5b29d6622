/**
 * Records of each industry without a walk through their register: the counts that every change of it moves, asked like its rows.
 * They tell states, statuses and industries apart: of a company the words of its NIC code, of a GST registration its HSN codes, of which one
 * record has several, and their headings.
 */
import { literal, sql } from '../../db/sql.ts'
import type { EntityType } from '../../domain/identity.ts'

const placeAndStatus: ReadonlySet<string> = new Set(['state', 'status'])
/** The digits of a heading, as in migrations/functions/feed.counted_industries.sql. */
const headingDigits = 4

/**
 * A table `r` under the column names of the register, each row of which stands for so many `records`.
 * @param asked columns of the register. @returns undefined where the counts do not tell these apart.
 */
export function industryRecords(dataset: EntityType, asked: Iterable<string>): string | undefined {
  if (dataset !== 'company') return undefined
  const isTold = [...asked].every((column) => column === 'nic_description' || placeAndStatus.has(column))
  return isTold ? countsOf(dataset, 'nic_description') : undefined
}

/** As industryRecords, with a `heading` of so many digits in place of codes: a record stands in a row for each of its headings. */
export function headingRecords(dataset: EntityType, digits: number, asked: Iterable<string>): string | undefined {
  if (dataset !== 'gst' || digits !== headingDigits) return undefined
  return [...asked].every((column) => placeAndStatus.has(column)) ? countsOf(dataset, 'heading') : undefined
}

/** What is asked of HSN codes: one of them, or the beginning that one of them has. */
export interface CodeAsked {
  readonly code: string
  readonly isBeginning: boolean
}

/**
 * As industryRecords, of the registrations that hold one code or one of its heading: each row holds that alone.
 * @param asked further columns. @param bind binds a value and names its place.
 */
export function codeRecords(
  dataset: EntityType,
  { code, isBeginning }: CodeAsked,
  asked: Iterable<string>,
  bind: (value: unknown) => string,
): string | undefined {
  const isTold = [...asked].every((column) => placeAndStatus.has(column))
  if (dataset !== 'gst' || !isTold || (isBeginning && !isHeading(code))) return undefined
  return sql`(SELECT state, status, ARRAY[industry] AS hsn_codes, records FROM feed.industry_count
      WHERE dataset = ${literal(isBeginning ? 'gst' : 'gst_code')} AND industry = ${bind(code)}) AS r`
}

const isHeading = (code: string): boolean => /^\d+$/.test(code) && code.length === headingDigits

const countsOf = (dataset: EntityType, industry: string): string =>
  sql`(SELECT state, status, industry AS ${industry}, records FROM feed.industry_count WHERE dataset = ${literal(dataset)}) AS r`
