/** What an identifier implies, over the layer `places`. */

import type { Source } from '../../../../config/sources/source.ts'
import { sql } from '../../../db/sql.ts'
import { elseInferred } from '../coverage.ts'
import type { CheckLayers } from '../layers.ts'
import { digitsOf, identifierIn } from './derivations.ts'
import type { RuleKind, RuleOf } from './rule-kind.ts'
import { joinWord } from './vocabulary-joins.ts'

export const derived: RuleKind<'derived'> = {
  coverage: (rule, { has }) =>
    rule.by === 'nic-code' || rule.by === 'main-division' || rule.by === 'listing'
      ? elseInferred(has(rule.prefer))
      : 'covered',
  sql(layers, column, rule, { source }) {
    layers.values.set(column, derivedValue(layers, rule, source))
  },
}

function derivedValue(layers: CheckLayers, rule: RuleOf<'derived'>, source: Source): string {
  const id = `places.${identifierIn(layers, rule.from)}`
  switch (rule.by) {
    case 'company-type':
      return sql`ingest.company_type(${id})`
    case 'gstin-kind':
      return sql`ingest.gstin_kind(${id})`
    case 'gstin-pan':
      return sql`ingest.gstin_pan(${id})`
    case 'gstin-state-code':
      return sql`left(${id}, 2)`
    case 'listing': {
      const stated = joinedWord(layers, rule.prefer, 'listing')
      return sql`coalesce(${stated}CASE WHEN length(${id}) = 21 THEN CASE left(${id}, 1) WHEN 'L' THEN 'Listed' ELSE 'Unlisted' END END)`
    }
    case 'nic-code':
      return sql`${nicDigits(layers, rule.from, rule.prefer)}::integer`
    case 'main-division':
      return sql`left(${nicDigits(layers, rule.from, rule.prefer)}, 2)`
    default:
      throw new Error(`${source.name}: unknown derivation`)
  }
}

function joinedWord(layers: CheckLayers, from: string | undefined, vocabulary: string): string {
  if (from === undefined || !layers.has(from)) return ''
  const field = layers.field(from)
  const alias = `word_${vocabulary}`
  layers.joined.set(
    alias,
    sql`coalesce(${joinWord(layers, alias, vocabulary, `prepared.${field}`)}, prepared.${field})`,
  )
  return `places.${alias}, `
}

function nicDigits(layers: CheckLayers, from: string, prefer: string | undefined): string {
  layers.joined.set('nic_digits', digitsOf(layers, from, prefer))
  return 'places.nic_digits'
}
