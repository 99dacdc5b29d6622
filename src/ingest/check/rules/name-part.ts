/**
 * A part of a person's name, cut from the full name if the source has no such field. A name of one word is a last name,
 * whichever cell it is in: no CRM accepts a person without one.
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
  if (rule.part === 'last') {
    return sql`coalesce(${last}, CASE WHEN ${middle} IS NULL THEN ${first} WHEN ${first} IS NULL THEN ${middle} END)`
  }
  const hasPlaceForLast = layers.has(rule.parts.last) || layers.has(rule.fullFrom)
  const [own, other] = rule.part === 'first' ? [first, middle] : [middle, first]
  return hasPlaceForLast ? sql`CASE WHEN coalesce(${other}, ${last}) IS NOT NULL THEN ${own} END` : own
}

function partOf(layers: CheckLayers, { parts, fullFrom }: RuleOf<'name-part'>, part: NamePart): string {
  if (layers.has(parts[part])) return `places.${layers.field(parts[part])}`
  const full = `places.${layers.field(fullFrom)}`
  switch (part) {
    case 'first':
      return sql`split_part(${full}, ' ', 1)`
    case 'last':
      return sql`CASE WHEN ${full} LIKE '% %' THEN split_part(${full}, ' ', -1) END`
    case 'middle':
      return sql`nullif(btrim(substring(${full} FROM '^\\S+\\s+(.*)\\s+\\S+$')), '')`
  }
}
