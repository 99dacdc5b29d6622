/** The file of a bulk job: decided rows in, CSV of a bounded size out, and the rows that did not fit or cannot be said in it. */
import { stringify } from 'csv-stringify/sync'
import type { FieldValues } from '../fill-fields.ts'

export interface FileRow<T> {
  readonly of: T
  readonly values: FieldValues
}

export interface UploadFile<T> {
  /** As it leaves, so that it is there once. */
  readonly csv: Buffer
  readonly taken: readonly T[]
  /** For the next job. */
  readonly left: readonly T[]
}

/** Salesforce takes 150 MB in base64, which are 100 MB as they leave here; the sandbox 64 MiB. */
export const uploadBytesMax = 48 * 1024 * 1024
/** It clears the field, whoever meant it. */
export const clearedCell = '#N/A'

/** What only a call in JSON says as it is meant. */
export function isSayable(values: FieldValues): boolean {
  return !Object.values(values).includes(clearedCell)
}

/** An empty cell leaves the field alone, so a row names no field that it does not write. */
export function uploadFileOf<T>(rows: readonly FileRow<T>[], bytesMax = uploadBytesMax): UploadFile<T> {
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  const lines = [Buffer.from(stringify([columns], { record_delimiter: '\n' }))]
  let bytes = lines[0]?.length ?? 0
  const taken: T[] = []
  for (const { of, values } of rows) {
    const cells = columns.map((name) => cellOf(values[name]))
    const line = Buffer.from(stringify([cells], { record_delimiter: '\n', quoted: true }))
    if (bytes + line.length > bytesMax) break
    lines.push(line)
    bytes += line.length
    taken.push(of)
  }
  return { csv: Buffer.concat(lines, bytes), taken, left: rows.slice(taken.length).map(({ of }) => of) }
}

function cellOf(value: string | number | undefined): string {
  if (value === undefined) return ''
  return value === '' ? clearedCell : String(value)
}
