/**
 * Reads the codes of goods and of services, which are in separate columns: a record fills either pair. Codes are
 * repaired only if their grammar proves what was lost; the check rejects the rest.
 */

import { hsnSections } from '../../../../config/hsn-sections.ts'
import { literal, sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { CheckLayers } from '../layers.ts'
import type { RuleKind } from './rule-kind.ts'

export const tariff: RuleKind<'tariff'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.hsn) || has(rule.sac)),
  sql(layers, column, rule) {
    const [hsn, sac] = [layers.field(rule.hsn), layers.field(rule.sac)]
    switch (rule.part) {
      case 'kind':
        layers.values.set(column, sql`CASE WHEN places.${sac} IS NULL THEN 'hsn' ELSE 'sac' END`)
        return
      case 'code':
        addCode(layers, column, hsn, sac)
        return
      case 'chapter':
        layers.values.set(column, chapterOf(layers, hsn))
        return
      case 'section': {
        const cases = hsnSections.map(
          ([name, from, to]) => sql`WHEN ${chapterOf(layers, hsn)} BETWEEN ${from} AND ${to} THEN ${literal(name)}`,
        )
        layers.values.set(column, sql`CASE ${cases.join(' ')} END`)
        return
      }
      case 'description': {
        const words = sql`coalesce(places.${hsn}, places.${sac})`
        // The list itself writes the levels of its hierarchy with a dash in other rows.
        layers.values.set(column, sql`coalesce(regexp_replace(${words}, '\\s*~\\s*', ' - ', 'g'), '')`)
        layers.repaired.push(
          { kind: 'hierarchy_mark', when: sql`strpos(coalesce(checked.${hsn}, checked.${sac}), '~') > 0` },
          // A code is useful without a description; the portal's list has a dash for some.
          { kind: 'description_absent', when: `checked.${column} = ''` },
        )
        return
      }
    }
  },
}

/** Null for services: their chapter 99 is not in the Harmonized System. */
function chapterOf(layers: CheckLayers, hsn: string): string {
  return sql`left(places.${layers.prepare('hsn_code', sql`ingest.hsn_code(${hsn})`)}, 2)::smallint`
}

function addCode(layers: CheckLayers, column: string, hsn: string, sac: string): void {
  const goods = layers.prepare('hsn_code', sql`ingest.hsn_code(${hsn})`)
  const services = layers.prepare('sac_code', sql`ingest.sac_code(${sac})`)
  layers.values.set(
    column,
    sql`CASE WHEN places.${sac} IS NULL THEN places.${goods} WHEN places.${hsn} IS NULL THEN places.${services} END`,
  )
  layers.faults.push({
    code: 'tariff_code_malformed',
    when: sql`checked.${column} IS NULL`,
    message: sql`coalesce('"' || left(concat_ws('" and "', checked.${hsn}, checked.${sac}), 80) || '"', 'an empty cell') || ' is not one code of goods (2, 4, 6 or 8 digits, chapters 01 to 98) or of services (2, 4 or 6 digits from 99 on)'`,
  })
  const digits = sql`length(regexp_replace(checked.${hsn}, '\\s|\\.0+$', '', 'g'))`
  layers.repaired.push(
    { kind: 'lost_leading_zero', when: sql`${digits} < length(checked.${column})` },
    { kind: 'space_in_code', when: sql`coalesce(checked.${hsn}, checked.${sac}) ~ '\\s'` },
  )
}
