/** Stages a snapshot in the unlogged all-text table `ingest.stage_<run>`, one row per readable record. */
import type { Source } from '../../../config/sources/source.ts'
import type { Connection } from '../../db/db.ts'
import type { Column } from '../run/work-tables.ts'
import { copyFrozen } from './copy-rows.ts'
import { type Opened, type ReadOptions, type ReadThrough, readSnapshot } from './read-snapshot.ts'
import type { SnapshotInput } from './scanning.ts'

export interface Staged extends ReadThrough {
  readonly table: string
}

/** A text column for each of the file's columns: c1, c2, … */
export const textColumns = (columns: number): Column[] =>
  Array.from({ length: columns }, (_, index) => ({ name: `c${index + 1}`, type: 'text' }))

/** All records, numbered by the table in order of arrival. */
export async function stage(
  connection: Connection,
  source: Source,
  input: SnapshotInput,
  options: ReadOptions,
): Promise<Staged> {
  const { consumed: table, ...read } = await readSnapshot(connection, source, input, options, (opened) => {
    const types = textColumns(opened.columns)
    const columns = types.map(({ name }) => name)
    const copied = { name: input.name, columns, rows: bytesOf(opened), format: 'csv', signal: options.signal }
    return copyFrozen(connection, options.lease, { kind: 'stage', types }, { ...copied, sent: opened.read })
  })
  return { table, ...read }
}

async function* bytesOf({ records }: Opened): AsyncGenerator<Buffer> {
  for await (const { bytes } of records) yield bytes
}
