/**
 * Several values in one cell: trimmed, in order, without duplicates; an empty cell is an empty list. Codes of goods and
 * services are stored as their reference list writes them, restoring a zero that a spreadsheet stripped; an unknown
 * code is kept as is.
 */

import type { ListedCodes } from '../../../../config/sources/source.ts'
import { literal, sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { Repair } from '../layers.ts'
import type { RuleKind } from './rule-kind.ts'

/** Pairs of digits: most files write codes so, and only other cells are worth reading. */
const pairs = '(?:[0-9]{2}){1,4}'

/**
 * Codes of services may also be among those of goods; one or three digits are a chapter or heading without its leading
 * zero.
 */
const codeIn: Readonly<Record<ListedCodes, (part: string) => string>> = {
  hsn: (part) => sql`ingest.hsn_code(${part}), ingest.sac_code(${part}), ingest.hsn_code('0' || ${part})`,
  sac: (part) => sql`ingest.sac_code(${part})`,
}

const asListed = (codes: ListedCodes, part: string): string =>
  sql`CASE WHEN ${part} ~ ${literal(`^${pairs}$`)} THEN ${part} ELSE coalesce(${codeIn[codes](part)}, ${part}) END`

export const list: RuleKind<'list'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    const cell = rule.codes ? sql`translate(places.${field}, ',', ${literal(rule.separator)})` : sql`places.${field}`
    const read = (part: string) => (rule.codes ? asListed(rule.codes, part) : part)
    layers.values.set(
      column,
      // A cell with a single value avoids the subselect, which costs microseconds per row.
      sql`CASE WHEN places.${field} IS NULL THEN '{}'::text[]
      WHEN strpos(${cell}, ${literal(rule.separator)}) = 0 THEN array_remove(ARRAY[${read(sql`btrim(places.${field})`)}], '')
      ELSE ARRAY(
        SELECT ${read('btrim(part)')} FROM unnest(string_to_array(${cell}, ${literal(rule.separator)})) WITH ORDINALITY AS parts(part, position)
        WHERE btrim(part) <> '' GROUP BY 1 ORDER BY min(position)) END`,
    )
    if (rule.codes) layers.repaired.push(repairOf(rule.codes, sql`checked.${field}`))
  },
}

/** Plain cells cost one comparison; a cell is counted once per kind. */
function repairOf(codes: ListedCodes, cell: string): Repair {
  const kinds = [sql`CASE WHEN ${cell} ~ '[0-9]\\s+[0-9]' THEN 'space_in_code' END`]
  if (codes === 'hsn')
    kinds.push(sql`CASE WHEN ${cell} ~ '(?<![0-9])[1-9](?:[0-9]{2}){0,3}(?![0-9])' THEN 'lost_leading_zero' END`)
  return {
    kind: { sql: sql`nullif(concat_ws(' ', ${kinds.join(', ')}), '')` },
    when: sql`${cell} !~ ${literal(`^${pairs}(?:[;,] ?${pairs})*$`)}`,
  }
}
