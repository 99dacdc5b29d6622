/**
 * Several values in one cell: trimmed members in their order, each once; an empty cell is an empty list. Codes of goods and of services
 * are kept as their reference list writes them, a zero that a spreadsheet took given back; what is no such code stays as it came.
 */

import type { ListedCodes } from '../../../../config/sources/source.ts'
import { literal, sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'

/** What a list has: most files write codes as they should be, and only others are worth reading. */
const asListed: Readonly<Record<ListedCodes, (part: string) => string>> = {
  // Codes of services stand among those of goods; one or three digits are a chapter or a heading without its zero.
  hsn: (part) => sql`CASE WHEN ${part} ~ '^(?:[0-9]{2}){1,4}$' THEN ${part}
        ELSE coalesce(ingest.hsn_code(${part}), ingest.sac_code(${part}), ingest.hsn_code('0' || ${part}), ${part}) END`,
  sac: (part) => sql`coalesce(ingest.sac_code(${part}), ${part})`,
}

export const list: RuleKind<'list'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    const cell = rule.codes ? sql`translate(places.${field}, ',', ${literal(rule.separator)})` : sql`places.${field}`
    const read = rule.codes ? asListed[rule.codes] : (part: string) => part
    layers.values.set(
      column,
      // A cell that names one is spared the statement of its own, which costs microseconds a row.
      sql`CASE WHEN places.${field} IS NULL THEN '{}'::text[]
      WHEN strpos(${cell}, ${literal(rule.separator)}) = 0 THEN array_remove(ARRAY[${read(`btrim(${cell})`)}], '')
      ELSE ARRAY(
        SELECT ${read('btrim(part)')} FROM unnest(string_to_array(${cell}, ${literal(rule.separator)})) WITH ORDINALITY AS parts(part, position)
        WHERE btrim(part) <> '' GROUP BY 1 ORDER BY min(position)) END`,
    )
    if (!rule.codes) return
    layers.repaired.push({ kind: 'space_in_code', when: sql`checked.${field} ~ '[0-9]\\s+[0-9]'` })
    if (rule.codes === 'hsn')
      layers.repaired.push({
        kind: 'lost_leading_zero',
        when: sql`checked.${field} ~ '(?<![0-9])[1-9](?:[0-9]{2}){0,3}(?![0-9])'`,
      })
  },
}
