/** The state of a bulk job, and the results of its rows in three files, page by page. */
import { stringify } from 'csv-stringify/sync'
import type { WireAnswer } from '../kit.ts'
import type { IngestJob, Row } from './ingest-job.ts'
import { failure, missing } from './replies.ts'

/** The requested page. */
export interface PageCall {
  readonly parameters: URLSearchParams
  /** Most rows in a page of results. */
  readonly pageRows: number
}

export const delimiters: Readonly<Record<string, string>> = {
  COMMA: ',',
  SEMICOLON: ';',
  PIPE: '|',
  TAB: '\t',
  CARET: '^',
  BACKQUOTE: '`',
}
/** One page of a result; a header has the locator of the next. */
export function resultsOf(job: IngestJob, part: string, { parameters, pageRows }: PageCall): WireAnswer {
  const { columns } = job
  const cellsOf = (row: Row) => columns.map((name) => row[name] ?? '')
  const files: Readonly<Record<string, { readonly head: readonly string[]; lines(): string[][] }>> = {
    successfulResults: {
      head: ['sf__Id', 'sf__Created', ...columns],
      lines: () => job.succeeded.map(({ row, id, created }) => [id, String(created), ...cellsOf(row)]),
    },
    failedResults: {
      head: ['sf__Id', 'sf__Error', ...columns],
      lines: () => job.failed.map(({ row, id, error }) => [id, error, ...cellsOf(row)]),
    },
    unprocessedrecords: { head: columns, lines: () => job.unprocessed.map(cellsOf) },
  }
  const file = files[part]
  if (file === undefined) return missing
  const from = locatedAt(parameters.get('locator'))
  const size = Math.min(pageRows, Number(parameters.get('maxRecords') ?? pageRows))
  if (from === null || !(size > 0)) return failure(400, 'INVALID_LOCATOR', 'Invalid locator')
  const lines = file.lines()
  const page = lines.slice(from, from + size)
  const next = from + page.length
  const options = { delimiter: job.delimiter, quoted: true, record_delimiter: job.lineEnding === 'LF' ? '\n' : '\r\n' }
  const headers = {
    'content-type': 'text/csv',
    'sforce-locator': next < lines.length ? locatorAt(next) : 'null',
    'sforce-numberofrecords': String(page.length),
  }
  return { status: 200, text: stringify([[...file.head], ...page], options), headers }
}

const locatorAt = (place: number): string => Buffer.from(String(place)).toString('base64url')

function locatedAt(locator: string | null): number | null {
  if (locator === null) return 0
  const place = Buffer.from(locator, 'base64url').toString()
  return /^\d{1,9}$/.test(place) ? Number(place) : null
}

export function shownJob(job: IngestJob, version: string) {
  const { id, object, operation, externalIdFieldName, lineEnding, createdDate, state, errorMessage } = job
  return {
    id,
    operation,
    object,
    createdById: '005000000000001AAA',
    createdDate,
    systemModstamp: createdDate,
    state,
    ...(externalIdFieldName === null ? {} : { externalIdFieldName }),
    concurrencyMode: 'Parallel',
    contentType: 'CSV',
    apiVersion: Number(version),
    jobType: 'V2Ingest',
    contentUrl: `services/data/v${version}/jobs/ingest/${id}/batches`,
    lineEnding,
    columnDelimiter: Object.keys(delimiters).find((name) => delimiters[name] === job.delimiter),
    retries: 0,
    numberRecordsProcessed: job.succeeded.length + job.failed.length,
    numberRecordsFailed: job.failed.length,
    ...(errorMessage === null ? {} : { errorMessage }),
  }
}
