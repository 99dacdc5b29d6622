/** The word of a vocabulary; an unknown one is kept as is. */
import { sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'
import { joinWord } from './vocabulary-joins.ts'

export const word: RuleKind<'word'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    const field = layers.field(rule.from)
    const alias = `word_${column}`
    layers.joined.set(
      alias,
      sql`coalesce(${joinWord(layers, alias, rule.vocabulary, `prepared.${field}`)}, prepared.${field})`,
    )
    layers.values.set(column, `places.${alias}`)
  },
}
