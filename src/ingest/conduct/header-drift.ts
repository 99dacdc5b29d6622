/**
 * How a header differs from that of the source's previous run in the same mode: publishers rename, add and drop
 * columns.
 */

import type { Source } from '../../../config/sources/source.ts'
import type { Queryable } from '../../db/db.ts'
import { quoted } from '../../domain/visible.ts'
import { findMatch, type HeaderMatch, knownNames, sameColumn } from '../header-match.ts'
import type { ReplacedColumns } from '../merge/guards.ts'
import { columnsOfFile } from '../rejects-columns.ts'
import type { RunRecord } from '../run/runs.ts'

export interface HeaderDrift {
  readonly since_run: number
  /** The generation of the previous header, if different. */
  readonly generation_before?: string
  readonly renamed: readonly { readonly field: string; readonly before: string; readonly after: string }[]
  /** Names that the source knows; the others are only counted. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly unknown_added: number
  readonly unknown_removed: number
}

export interface ComparedHeaders {
  /** Null if no earlier run of the source succeeded, or if the header is unchanged. */
  readonly drift: HeaderDrift | null
  /** Undefined if no column seems to have got a name that the source does not know. */
  readonly replaced?: ReplacedColumns
}

interface StagedHeader {
  readonly header: readonly string[]
  readonly match: HeaderMatch
}

/** The columns that an export of rejects adds are ignored. */
export async function compareHeaders(
  db: Queryable,
  source: Source,
  run: Pick<RunRecord, 'run_id' | 'mode'>,
  { header: staged, match }: StagedHeader,
): Promise<ComparedHeaders> {
  const [last] = await db.query<{ run_id: number; header: readonly string[] }>(
    `SELECT run_id, header FROM ingest.run
     WHERE source = $1 AND run_id < $2 AND mode = $3 AND status = 'succeeded' AND header IS NOT NULL ORDER BY run_id DESC LIMIT 1`,
    [source.name, run.run_id, run.mode],
  )
  const before = last && findMatch(source, last.header)
  if (!last || !before) return { drift: null }
  const [was, header] = [columnsOfFile(last.header), columnsOfFile(staged)]
  if (was.join('\n') === header.join('\n')) return { drift: null }
  const nameOf = (names: readonly string[], position: number): string => names[position - 1] ?? ''
  const renamed = [...match.positions].flatMap(([field, position]) => {
    const place = before.positions.get(field)
    if (place === undefined) return []
    const change = { field, before: nameOf(was, place), after: nameOf(header, position) }
    return sameColumn(change.before, change.after) ? [] : [change]
  })
  const missingFrom = (names: readonly string[], others: readonly string[], known: readonly string[]) =>
    names.filter((name) => !known.includes(name) && !others.some((other) => sameColumn(name, other)))
  const added = missingFrom(
    header,
    was,
    renamed.map(({ after }) => after),
  )
  const removed = missingFrom(
    was,
    header,
    renamed.map(({ before: name }) => name),
  )
  const [addedKnown, removedKnown] = [knownNames(source, added), knownNames(source, removed)]
  const drift = {
    since_run: last.run_id,
    ...(before.generation.name === match.generation.name ? {} : { generation_before: before.generation.name }),
    renamed: renamed.map(({ field, before: name, after }) => ({ field, before: quoted(name), after: quoted(after) })),
    added: addedKnown,
    removed: removedKnown,
    unknown_added: added.length - addedKnown.length,
    unknown_removed: removed.length - removedKnown.length,
  }
  const lost = [...before.positions].flatMap(([field, place]) =>
    match.positions.has(field) ? [] : [quoted(nameOf(was, place))],
  )
  const shared = header.filter((name) => was.some((other) => sameColumn(name, other)))
  // A list of another kind has mostly other columns.
  const isReplaced =
    lost.length > 0 &&
    drift.unknown_added > 0 &&
    shared.length > Math.max(was.length, header.length) / 2 &&
    !(await wasApplied(db, source, run.mode, staged))
  return {
    drift,
    ...(isReplaced && { replaced: { since_run: last.run_id, names: lost, unknown: drift.unknown_added } }),
  }
}

/** Several publishers of one source alternate between their headers: one that was applied before is no news. */
async function wasApplied(db: Queryable, { name }: Source, mode: RunRecord['mode'], header: readonly string[]) {
  const applied = await db.query(
    `SELECT FROM ingest.run WHERE source = $1 AND mode = $2 AND header = $3::text[] AND status = 'succeeded'
       AND undone_by IS NULL LIMIT 1`,
    [name, mode, header],
  )
  return applied.length > 0
}
