/**
 * A run's changes as lines of CSV, read a few thousand at a time, so that a run of any size is exported in constant
 * memory.
 */
import { stringify } from 'csv-stringify/sync'
import type { Queryable } from '../../db/db.ts'
import { guarded } from '../../domain/formula-guard.ts'
import { type ChangeFilters, type RunChange, readChanges } from './read-changes.ts'

const columns = ['change_id', 'register', 'identifier', 'kind', 'fields'] as const
const batchSize = 2_000

/** @throws AppError NOT_FOUND before the first part is read. */
export async function changesCsvParts(
  db: Queryable,
  runId: number,
  filters: Pick<ChangeFilters, 'identifiers' | 'kind'>,
): Promise<AsyncGenerator<string>> {
  const read = (after: number) => readChanges(db, runId, { ...filters, after, limit: batchSize })
  const first = await read(0)
  async function* parts(): AsyncGenerator<string> {
    yield lines([[...columns]])
    for (let page = first; ; ) {
      yield lines(page.data.map(cellsOf))
      const last = page.data.at(-1)
      if (!page.more || last === undefined) return
      page = await read(last.change_id)
    }
  }
  return parts()
}

/** In an insert every field is new, so none is listed. */
const cellsOf = ({ change_id: id, entity, identifier, kind, fields }: RunChange): string[] =>
  [String(id), entity, identifier, kind, kind === 'insert' ? '' : fields.join(';')].map(guarded)

const lines = (rows: string[][]): string =>
  rows.length === 0 ? '' : stringify(rows, { quoted: true, quoted_empty: true, record_delimiter: 'windows' })
