/** Loads parts of an archive into tables as they arrive, each with one COPY; parts that are not wanted are skipped. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Tx } from '../db/db.ts'
import { backupMembers, partOf } from './check-backup.ts'
import { type TableContent, tableEntry } from './manifest.ts'

export interface CopyTarget {
  readonly content: TableContent
  /** `COPY … FROM STDIN` */
  readonly statement: string
}

export interface CopyOptions {
  /** Called after each table, with the rows so far. */
  readonly onRows?: ((rows: number) => void) | undefined
  /** Ends the copying before the next table. */
  readonly signal?: AbortSignal | undefined
}

/** Reads no further than the last table that is wanted. */
export async function copyIn(
  tx: Tx,
  path: string,
  targets: readonly CopyTarget[],
  { onRows = () => {}, signal }: CopyOptions = {},
): Promise<void> {
  const left = new Map(targets.map((target) => [tableEntry(target.content.name), target]))
  const members = backupMembers(path)
  let rows = 0
  let next = await members.next()
  // The parts of one table are consecutive.
  async function* bodiesOf(entry: string): AsyncGenerator<Buffer> {
    while (!next.done && partOf(next.value.name).entry === entry) {
      yield next.value.body
      next = await members.next()
    }
  }
  while (!next.done && left.size > 0) {
    signal?.throwIfAborted()
    const { entry } = partOf(next.value.name)
    const target = left.get(entry)
    if (target) {
      await pipeline(Readable.from(bodiesOf(entry)), tx.client.query(copyFrom(target.statement)))
      left.delete(entry)
      rows += target.content.rows
      onRows(rows)
    } else {
      next = await members.next()
    }
  }
  await members.return(undefined)
}
