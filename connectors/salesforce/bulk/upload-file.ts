/**
 * Builds the CSV file of a bulk job up to a maximum size, and returns the rows that did not fit or cannot be
 * expressed in it.
 */
import { stringify } from 'csv-stringify/sync'
import type { FieldValues } from '../fill-fields.ts'

export interface FileRow<T> {
  readonly of: T
  readonly values: FieldValues
}

export interface UploadFile<T> {
  /** As it is sent, so that it is in memory only once. */
  readonly csv: Buffer
  readonly packed: readonly T[]
  /** Rows for the next job. */
  readonly left: readonly T[]
}

/** Salesforce accepts 150 MB of base64, which is 100 MB here; the sandbox 64 MiB. */
export const uploadBytesMax = 48 * 1024 * 1024
/** Clears the field, even if it is meant as text. */
export const clearedCell = '#N/A'

/** False if the row contains a text that only a JSON call can express. */
export function isSayable(values: FieldValues): boolean {
  return !Object.values(values).includes(clearedCell)
}

/** An empty cell leaves the field unchanged, so a row only fills the columns that it writes. */
export function uploadFileOf<T>(rows: readonly FileRow<T>[], bytesMax = uploadBytesMax): UploadFile<T> {
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  const lines = [Buffer.from(stringify([columns], { record_delimiter: '\n' }))]
  let bytes = lines[0]?.length ?? 0
  const packed: T[] = []
  for (const { of, values } of rows) {
    const cells = columns.map((name) => cellOf(values[name]))
    const line = Buffer.from(stringify([cells], { record_delimiter: '\n', quoted: true }))
    if (bytes + line.length > bytesMax) break
    lines.push(line)
    bytes += line.length
    packed.push(of)
  }
  return { csv: Buffer.concat(lines, bytes), packed, left: rows.slice(packed.length).map(({ of }) => of) }
}

function cellOf(value: string | number | undefined): string {
  if (value === undefined) return ''
  return value === '' ? clearedCell : String(value)
}
