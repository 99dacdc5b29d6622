/**
 * Stages selected records of a snapshot that was read before, by number: the same bytes give the same records again.
 * Rejects were reported by the previous reading.
 */
import type { Source } from '../../../config/sources/source.ts'
import type { Connection } from '../../db/db.ts'
import { findMatch } from '../header-match.ts'
import type { RunLease } from '../run/run-lease.ts'
import { copyFrozen, copyRows } from './copy-rows.ts'
import { readHeader } from './header.ts'
import type { Ordinals } from './ordinals.ts'
import type { Records, SideOutput } from './record-reader.ts'
import { recordsOf, type SnapshotInput, scanning, whileOpen } from './scanning.ts'
import { textColumns } from './stage.ts'

export interface SomeRecords {
  readonly source: Source
  readonly input: SnapshotInput
  readonly wanted: Pick<Ordinals, 'has'>
  readonly signal: AbortSignal
  readonly tolerantOnly?: boolean
}

const nothing: SideOutput = { reject: () => {}, noteLine: () => {} }

/**
 * @param into a table with other records of the file, or the run to create one for.
 * @returns the table.
 */
export async function stageSome(connection: Connection, some: SomeRecords, into: string | RunLease): Promise<string> {
  const { source, input, signal } = some
  return whileOpen(input, async (chunks) => {
    const header = await readHeader(chunks, input.name, (names) => findMatch(source, names) !== undefined)
    const reading = scanning(header, input, nothing, some.tolerantOnly)
    const types = [{ name: 'ordinal', type: 'bigint' }, ...textColumns(header.names.length)]
    let sent = 0
    async function* rows(): AsyncGenerator<Buffer> {
      for await (const records of recordsOf(header, chunks, reading, { signal })) {
        const parts = numbered(records, some.wanted)
        if (parts.length > 0) yield Buffer.concat(parts)
        sent += parts.length / 2
      }
    }
    const columns = types.map(({ name }) => name)
    const copied = { name: input.name, columns, rows: rows(), format: 'csv', signal, sent: () => sent }
    if (typeof into !== 'string') return copyFrozen(connection, into, { kind: 'stage', types: types.slice(1) }, copied)
    await copyRows(connection, into, copied)
    return into
  })
}

/** The wanted records, each preceded by its number. */
function numbered({ bytes, ends, ordinal }: Records, wanted: Pick<Ordinals, 'has'>): Buffer[] {
  const parts: Buffer[] = []
  for (let index = 0; index < ends.length; index++) {
    if (!wanted.has(ordinal + index)) continue
    parts.push(Buffer.from(`${ordinal + index},`), bytes.subarray(ends[index - 1] ?? 0, ends[index]))
  }
  return parts
}
