/** The description in the NIC list for the industry digits; the source's own text if the list has none. */

import type { Source } from '../../../../config/sources/source.ts'
import { sql } from '../../../db/sql.ts'
import { elseInferred } from '../coverage.ts'
import type { CheckLayers } from '../layers.ts'
import { digitsOf, vintageOf } from './derivations.ts'
import type { RuleKind, RuleOf } from './rule-kind.ts'

export const nicDescription: RuleKind<'nic-description'> = {
  coverage(rule, { source, has }) {
    const { code, vintage } = rulesOfDigits(source)
    return elseInferred(has(rule.from) && has(code?.prefer) && has(vintage?.dateFrom))
  },
  sql(layers, column, rule, { source }) {
    layers.values.set(column, describedBy(layers, rule, source))
  },
}

/** The digits are described, so the description is covered as far as the digits are. */
function rulesOfDigits(source: Source): {
  readonly code: RuleOf<'derived'> | undefined
  readonly vintage: RuleOf<'nic-vintage'> | undefined
} {
  const rules = Object.values(source.columns)
  const code = rules.find((other) => other.kind === 'derived' && other.by === 'nic-code') as
    | RuleOf<'derived'>
    | undefined
  return { code, vintage: rules.find((other) => other.kind === 'nic-vintage') }
}

function describedBy(layers: CheckLayers, rule: RuleOf<'nic-description'>, source: Source): string {
  const own = `places.${layers.field(rule.from)}`
  const { code, vintage } = rulesOfDigits(source)
  if (!layers.hasNicList || !code || !vintage) return own
  const alias = rule.level === 'division' ? 'nic_division' : 'nic_sub_class'
  const digits = digitsOf(layers, code.from, code.prefer)
  layers.joins.set(
    alias,
    sql`LEFT JOIN reference.nic ${alias} ON ${alias}.closed_on IS NULL AND ${alias}.id =
       ${vintageOf(layers, vintage.from, vintage.dateFrom)} || ':' || ${rule.level === 'division' ? sql`left(${digits}, 2)` : digits}`,
  )
  layers.joined.set(alias, `${alias}.description`)
  return sql`coalesce(places.${alias}, ${own})`
}
