/**
 * The statements generated from a source's declaration, for review: `panji sql <source>` prints them, and a golden file
 * per source shows their changes in diffs. The run has number 0, and every column that the newest header may have is
 * included, in the order of its declaration.
 */

import type { Source } from '../../../config/sources/source.ts'
import { unmatchedRows } from '../check/match.ts'
import { contentOf } from '../check/plan-check.ts'
import { checkStatement } from '../check/statement.ts'
import { absentStatement } from '../merge/statements/absent.ts'
import { closeStatement } from '../merge/statements/close.ts'
import { confirmStatement } from '../merge/statements/confirm.ts'
import { firstLoadStatements } from '../merge/statements/first-load.ts'
import { refreshFingerprints } from '../merge/statements/refresh-fingerprints.ts'
import { mergeTarget } from '../merge/statements/target.ts'
import { writeStatement } from '../merge/statements/write.ts'
import { breakLists } from './break-lists.ts'

/** @throws Error for a source that declares no header. */
export function statementsForReview(source: Source): string {
  const [generation] = source.generations
  if (!generation) throw new Error(`${source.name} declares no header`)
  const positions = new Map(Object.keys(generation.columns).map((field, index) => [field, index + 1] as const))
  const check = checkStatement(source, {
    stageTable: 'ingest.stage_0',
    positions,
    hasPinDirectory: true,
    hasNicList: true,
    dateOrders: new Map(),
  })
  const fingerprint = contentOf(positions)
  const target = mergeTarget(source, check.coverage, 'ingest.checked_0')
  const firstLoad = firstLoadStatements(target)
  const parts: readonly (readonly [string, string])[] = [
    [
      'Rows that the register was not last written from',
      unmatchedRows(source, { table: 'ingest.stage_0', fingerprint }),
    ],
    ['Check', check.select(fingerprint, '')],
    ['Write what is new and what changed', writeStatement(target)],
    [
      'Find what is absent',
      absentStatement(source, target.checked, { asOf: ':as_of', scopes: ':scopes' }, 'ingest.unmatched_0'),
    ],
    ['Close what is absent', closeStatement(source)],
    ['Store the new fingerprints', refreshFingerprints(target)],
    ['Delta: store the day of what it found as it is', confirmStatement(target)],
    ['First load: rows', firstLoad.rows('registry.shadow')],
    ...(firstLoad.history === undefined ? [] : [['First load: history', firstLoad.history] as const]),
  ]
  const columns = [...positions].map(([field, position]) => `--   c${position} ${field}`)
  const head = `-- ${source.name}, header "${generation.name}". Staged columns:\n${columns.join('\n')}\n`
  return head + parts.map(([title, text]) => `\n-- ${title}\n${breakLists(text.trim())};\n`).join('')
}
