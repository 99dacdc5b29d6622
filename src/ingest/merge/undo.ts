/**
 * Undoes runs: restores the register, its derived columns and its partitions to their state before the first of them,
 * with its own history, in the caller's one transaction under the source's lock. Their changes and those of this run
 * cancel each other out in reads of the past.
 */
import { sources } from '../../../config/sources/index.ts'
import type { Source } from '../../../config/sources/source.ts'
import type { Tx } from '../../db/db.ts'
import { holdSource } from '../run/claim.ts'
import { expectManyRows } from '../run/many-rows.ts'
import { raiseVersion } from '../run/register-version.ts'
import { restoreScopes } from '../run/scopes.ts'
import { finishedStatuses } from '../run/transitions.ts'
import { dropWorkTables } from '../run/work-tables.ts'
import { forgetConfirmations } from './statements/confirm.ts'
import { findUndoing, restoreStatement, withdrawStatement } from './statements/undo.ts'
import { hasDescriptions, withdrawDescriptionsStatement } from './statements/withdraw-descriptions.ts'
import { hasPlaces, withdrawPlacesStatement } from './statements/withdraw-places.ts'

export interface UndoInput {
  /** Id of the undoing run. */
  readonly runId: number
  readonly asOf: string
  /** The runs to undo. */
  readonly undoes: readonly number[]
  readonly reached: (point: string) => Promise<void>
}

export interface UndoCounts {
  /** Records that left the register, since one of the runs had inserted them. */
  readonly withdrawn: number
  /** Records that got their earlier values back, including those closed again. */
  readonly restored: number
  readonly closed: number
  /** Records of other registers that lost what only the list had provided. */
  readonly elsewhere: number
}

interface Withdrawal {
  readonly reader: Source
  readonly statement: string
}

/** What a list provides to the records of registers. */
function withdrawals({ entity }: Source): Withdrawal[] {
  if (entity === 'pincode')
    return sources.filter(hasPlaces).map((reader) => ({ reader, statement: withdrawPlacesStatement(reader) }))
  if (entity === 'nic')
    return sources
      .filter(hasDescriptions)
      .map((reader) => ({ reader, statement: withdrawDescriptionsStatement(reader) }))
  return []
}

/** @throws AppError RUN_IN_PROGRESS while a register that loses places or descriptions is being imported. */
export async function undo(tx: Tx, source: Source, { runId, asOf, undoes, reached }: UndoInput): Promise<UndoCounts> {
  const others = withdrawals(source)
  // A run may have read the list, and would write what it says after that was withdrawn.
  for (const { reader } of others) {
    await holdSource(tx, reader.name)
    await dropChecked(tx, reader, { list: source.name, runId })
  }
  await expectManyRows(tx)
  await tx.execute(
    `CREATE TEMPORARY TABLE undoing (record_key text PRIMARY KEY, first_change bigint NOT NULL, entered boolean NOT NULL)
     ON COMMIT DROP`,
  )
  await tx.execute(findUndoing(source), [undoes])
  await tx.execute('ANALYZE undoing')
  const [gone] = await tx.query<{ rows: number }>(withdrawStatement(source), [runId, asOf])
  await reached('undo-withdrawn')
  const [back] = await tx.query<{ rows: number; closed: number }>(restoreStatement(source), [runId, asOf, undoes])
  await reached('undo-restored')
  let elsewhere = 0
  for (const each of others) elsewhere += await withdraw(tx, each, runId, asOf)
  await restoreScopes(tx, source.name, undoes)
  await tx.execute(forgetConfirmations(source), [undoes])
  await tx.execute('UPDATE ingest.run SET undone_by = $1 WHERE run_id = ANY ($2::bigint[])', [runId, undoes])
  const withdrawn = gone?.rows ?? 0
  const restored = back?.rows ?? 0
  if (withdrawn + restored > 0) await raiseVersion(tx, source, runId)
  return { withdrawn, restored, closed: back?.closed ?? 0, elsewhere }
}

/**
 * What runs that need approval, or were approved, have checked by the list; they check their files again. Their
 * previews say so, and no longer count as approved.
 */
async function dropChecked(
  tx: Tx,
  { name }: Source,
  { list, runId }: { readonly list: string; readonly runId: number },
): Promise<void> {
  const why = `${runId} undid an import of ${list} that its file was checked by, so the figures no longer hold: approving it checks the file again`
  const waiting = await tx.query<{ run_id: number }>(
    `UPDATE ingest.run
     SET preview = preview || jsonb_build_object('outdated_by', $3::bigint,
                                                 'reasons', jsonb_build_array('import ' || $4::text) || (preview -> 'reasons')),
         error = CASE WHEN preview IS NULL THEN error
                      ELSE error || jsonb_build_object('message', 'Import ' || $4::text || '. ' || (error ->> 'message'),
                             'reasons', jsonb_build_array('import ' || $4::text) || coalesce(error -> 'reasons', '[]')) END
     WHERE source = $1 AND status <> ALL ($2::text[]) RETURNING run_id`,
    [name, finishedStatuses, runId, why],
  )
  for (const { run_id } of waiting) await dropWorkTables(tx, run_id, ['checked'])
}

async function withdraw(tx: Tx, { reader, statement }: Withdrawal, runId: number, asOf: string): Promise<number> {
  const [lost] = await tx.query<{ rows: number }>(statement, [runId, asOf])
  if (!lost || lost.rows === 0) return 0
  await raiseVersion(tx, reader, runId)
  return lost.rows
}
