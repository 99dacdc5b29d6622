/**
 * A new record cannot be created from a file that lacks a required column: such a row becomes a reject, while known
 * records are updated. Under the source's lock, no records are added or removed between this check and the merge.
 */
import type { ColumnRule, Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { literal, sql } from '../../db/sql.ts'
import type { Coverage } from './coverage.ts'

const isRequired = (rule: ColumnRule): boolean =>
  rule.kind === 'full-name' || ('required' in rule && rule.required === true)

/** Required columns that the file does not provide. */
export const lackedColumns = (source: Source, coverage: ReadonlyMap<string, Coverage>): string[] =>
  Object.entries(source.columns).flatMap(([column, rule]) =>
    isRequired(rule) && coverage.get(column) === 'absent' ? [column] : [],
  )

/** Called on the checked table when only one row per record is left. */
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
