/**
 * The statements that a source's declaration becomes, for people to read: `panji sql <source>` prints them, and a golden
 * file per source shows a change of them in review. The run is numbered 0 and every column that the newest header may
 * have is there, in the order of its declaration.
 */
import type { Registry } from '../../../config/sources/source.ts'
import { unmatchedRows } from '../check/match.ts'
import { checkStatement } from '../check/statement.ts'
import { mergeStatements } from '../merge/merge-statements.ts'

/** @throws Error for a source that declares no header. */
export function statementsForReview(registry: Registry): string {
  const [generation] = registry.generations
  if (!generation) throw new Error(`${registry.source} declares no header`)
  const positions = new Map(Object.keys(generation.columns).map((field, index) => [field, index + 1] as const))
  const check = checkStatement(registry, {
    stageTable: 'ingest.stage_0',
    positions,
    hasPinDirectory: true,
    hasNicList: true,
    dateOrders: new Map(),
  })
  const fingerprint = `hash_record_extended(ROW(${check.cells.join(', ')}), 0)`
  const merge = mergeStatements(registry, check.coverage, 'ingest.checked_0', 'ingest.unmatched_0')
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['Rows that the register was not last written from', unmatchedRows(registry, 'ingest.stage_0', fingerprint)],
    ['Check', check.select(fingerprint, '')],
    ['Write what is new and what changed', merge.write],
    ['Find what is absent', merge.findClosing],
    ['Close what is absent', merge.close],
    ['Tell rows by their new fingerprint', merge.reprint],
    ['First load: rows', merge.firstLoad.rows('registry.aside')],
    ['First load: history', merge.firstLoad.history('registry.aside')],
  ]
  const columns = [...positions].map(([field, position]) => `--   c${position} ${field}`)
  const head = `-- ${registry.source}, header "${generation.name}". Staged columns:\n${columns.join('\n')}\n`
  return head + parts.map(([title, text]) => `\n-- ${title}\n${text?.trim() ?? ''};\n`).join('')
}
