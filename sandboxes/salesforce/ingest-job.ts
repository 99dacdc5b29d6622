/** A bulk job as the org stores it, with the results of its rows. */

export type Row = Readonly<Record<string, string>>
export type Operation = 'insert' | 'update' | 'upsert' | 'delete'

export interface IngestJob {
  readonly id: string
  readonly object: string
  readonly operation: Operation
  readonly externalIdFieldName: string | null
  readonly lineEnding: 'LF' | 'CRLF'
  readonly delimiter: string
  readonly createdDate: string
  state: 'Open' | 'UploadComplete' | 'InProgress' | 'JobComplete' | 'Failed' | 'Aborted'
  upload: string | null
  errorMessage: string | null
  columns: readonly string[]
  readonly succeeded: { readonly row: Row; readonly id: string; readonly created: boolean }[]
  readonly failed: { readonly row: Row; readonly id: string; readonly error: string }[]
  unprocessed: readonly Row[]
}
