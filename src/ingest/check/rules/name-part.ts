/**
 * A part of a person's name, cut from the full name if the source has no such field or its cells are empty. A name of one
 * word is a last name, whichever cell it is in, and so is a middle name without a last name: no CRM accepts a person
 * without one.
 */
import type { NamePart } from '../../../../config/sources/source.ts'
import { sql } from '../../../db/sql.ts'
import type { CheckLayers } from '../layers.ts'
import type { RuleKind, RuleOf } from './rule-kind.ts'

export const namePart: RuleKind<'name-part'> = {
  coverage: ({ part, parts, fullFrom }, { has }) => (has(parts[part]) ? 'covered' : has(fullFrom) ? 'part' : 'absent'),
  // An unchanged name is not split again; parts that a file provided are kept.
  addsNothing: () => sql`t.full_name = c.full_name AND t.last_name IS NOT NULL`,
  sql(layers, column, rule) {
    layers.values.set(column, partOfName(layers, rule))
  },
}

function partOfName(layers: CheckLayers, rule: RuleOf<'name-part'>): string {
  const [first, middle, last] = [
    partOf(layers, rule, 'first'),
    partOf(layers, rule, 'middle'),
    partOf(layers, rule, 'last'),
  ]
  const hasPlaceForLast = layers.has(rule.parts.last) || layers.has(rule.fullFrom)
  switch (rule.part) {
    case 'last':
      return sql`coalesce(${last}, ${middle}, ${first})`
    case 'middle':
      return hasPlaceForLast ? sql`CASE WHEN ${last} IS NOT NULL THEN ${middle} END` : middle
    case 'first':
      return hasPlaceForLast ? sql`CASE WHEN coalesce(${middle}, ${last}) IS NOT NULL THEN ${first} END` : first
  }
}

/** A row that names no last name, or none of its parts, has those of its full name. */
function partOf(layers: CheckLayers, rule: RuleOf<'name-part'>, part: NamePart): string {
  const { parts, fullFrom } = rule
  const cellOf = (of: NamePart) => `places.${layers.field(parts[of])}`
  const own = layers.has(parts[part]) ? cellOf(part) : undefined
  if (!layers.has(fullFrom)) return own ?? 'NULL::text'
  const cut = cutOf(`places.${layers.field(fullFrom)}`, part)
  if (own === undefined) return cut
  const decides = layers.has(parts.last) ? cellOf('last') : own
  return sql`CASE WHEN ${decides} IS NULL AND ${`places.${layers.field(fullFrom)}`} IS NOT NULL THEN ${cut} ELSE ${own} END`
}

function cutOf(full: string, part: NamePart): string {
  switch (part) {
    case 'first':
      return sql`split_part(${full}, ' ', 1)`
    case 'last':
      return sql`CASE WHEN ${full} LIKE '% %' THEN split_part(${full}, ' ', -1) END`
    case 'middle':
      return sql`nullif(btrim(substring(${full} FROM '^\\S+\\s+(.*)\\s+\\S+$')), '')`
  }
}
