/**
 * The registrar of companies, in one spelling: `RoC-Chennai`, `ROC CHENNAI` and `Chennai` are one partition of the
 * register.
 */
import { sql } from '../../../db/sql.ts'
import { coveredIf } from '../coverage.ts'
import type { RuleKind } from './rule-kind.ts'
import { joinWord } from './vocabulary-joins.ts'

export const registrar: RuleKind<'registrar'> = {
  coverage: (rule, { has }) => coveredIf(has(rule.from)),
  sql(layers, column, rule) {
    const cell = `prepared.${layers.field(rule.from)}`
    const alias = `word_${column}`
    // A registrar that the table does not know yet is spelled like the others, whatever the file's case.
    const place = sql`regexp_replace(${cell}, '^roc[-.\\s]+', '', 'i')`
    layers.joined.set(
      alias,
      sql`coalesce(${joinWord(layers, alias, 'registrar', cell)},
                CASE WHEN ${cell} ~* '^roc[-.\\s]' THEN 'ROC ' || ingest.title_case(${place}) ELSE ${cell} END)`,
    )
    layers.values.set(column, `places.${alias}`)
  },
}
