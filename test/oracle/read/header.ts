/** Which record of a file is its header, and which column of it holds which field of the source's declaration. */
import type { DateOrder, Source } from '../../../config/sources/source.ts'
import { decode, type FileRecord, recordsOf } from './records.ts'

export interface Table {
  /** Field → the column that holds it. */
  readonly at: ReadonlyMap<string, number>
  /** Columns that have a name. */
  readonly width: number
  readonly dateOrder: DateOrder | undefined
  readonly records: readonly FileRecord[]
}

/** Names are compared without case, spaces, underscores and punctuation. */
const keyOf = (name: string): string => name.toLowerCase().replace(/[\s_.,\-()'"/&]/g, '')

/** The header is looked for in the first rows, below titles and notes. */
const rowsLookedAt = 20

export function readTable(source: Source, bytes: Uint8Array): Table {
  const text = decode(bytes)
  for (const delimiter of [',', ';', '\t', '|']) {
    const records = recordsOf(text, delimiter)
    for (const [place, { cells }] of records.slice(0, rowsLookedAt).entries()) {
      const keys = cells.map(keyOf)
      for (const { columns, required, dateOrder } of source.generations) {
        const at = new Map<string, number>()
        for (const [field, names] of Object.entries(columns)) {
          const name = names.map(keyOf).find((key) => keys.includes(key))
          if (name !== undefined) at.set(field, keys.indexOf(name))
        }
        if (!required.every((field) => at.has(field))) continue
        const width = keys.findLastIndex((key) => key !== '') + 1
        return { at, width, dateOrder, records: records.slice(place + 1) }
      }
    }
  }
  throw new Error(`no header of ${source.name}`)
}
