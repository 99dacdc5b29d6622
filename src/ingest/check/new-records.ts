/**
 * A record that the register does not have cannot be made from a file without a column that it needs: such a row becomes a reject, while
 * records that are known are refreshed. Under the source's lock nobody adds or removes records between this and the merge.
 */
import type { ColumnRule, Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Coverage } from './coverage.ts'

const isRequired = (rule: ColumnRule): boolean =>
  rule.kind === 'full-name' || ('required' in rule && rule.required === true)

/** Columns without which a record means nothing, and of which the file says nothing. */
export const lackedColumns = (source: Source, coverage: ReadonlyMap<string, Coverage>): string[] =>
  Object.entries(source.columns).flatMap(([column, rule]) =>
    isRequired(rule) && coverage.get(column) === 'absent' ? [column] : [],
  )

/** Of the checked table, once of several rows of a record the last one is left. */
export async function rejectNewRecords(
  tx: Tx,
  source: Source,
  { table, coverage }: { readonly table: string; readonly coverage: ReadonlyMap<string, Coverage> },
): Promise<void> {
  const lacked = lackedColumns(source, coverage).map((column) => column.replaceAll('_', ' '))
  if (lacked.length === 0) return
  await tx.execute(
    sql`UPDATE ${table} c SET fault = 'value_missing',
            fault_message = c.${source.key} || ${literal(` is new, and the file has no column of its ${lacked.join(', ')}`)}
     WHERE c.fault IS NULL AND NOT EXISTS (SELECT FROM ${source.table} t WHERE t.${source.key} = c.${source.key})`,
  )
}
