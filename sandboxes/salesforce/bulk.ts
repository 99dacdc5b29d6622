/**
 * Bulk API 2.0 ingest: a job is opened, takes one upload, is closed, and runs when it is polled or when records are
 * read. The results of its rows are in three files, page by page, in another order than the rows.
 */
import { parse } from 'csv-parse/sync'
import type { WireAnswer } from '../kit.ts'
import { delimiters, type PageCall, resultsOf, shownJob } from './bulk-results.ts'
import type { SandboxField } from './fields.ts'
import type { IngestJob, Operation, Row } from './ingest-job.ts'
import { failure, missing } from './replies.ts'
import { afterTriggers, type RowResult, refused, type Written, writeRow } from './rows.ts'
import type { Org, Values } from './state.ts'

export interface BulkCall extends PageCall {
  readonly version: string
  readonly method: string
  /** `id`, and the rest of the path. */
  readonly rest: readonly string[]
  readonly body: unknown
  readonly text: string
  /** Number of rows after which jobs fail. */
  readonly failsAfter: number
}

/** A job is processed this many rows at a time, each time as one transaction for the triggers. */
const rowsAtOnce = 200
const operations: readonly string[] = ['insert', 'update', 'upsert', 'delete']
const deletable: readonly IngestJob['state'][] = ['UploadComplete', 'JobComplete', 'Aborted', 'Failed']
const ended: readonly IngestJob['state'][] = ['JobComplete', 'Aborted', 'Failed']

const invalidState = (what: string) => failure(400, 'INVALIDJOBSTATE', what)

export function ingest(org: Org, call: BulkCall): WireAnswer | undefined {
  const { version, method, rest } = call
  const [id = '', part] = rest
  if (id === '') {
    if (method === 'POST') return open(org, version, call.body)
    const records = [...org.jobs.values()].map((job) => shownJob(job, version))
    return method === 'GET' ? { status: 200, body: { done: true, records, nextRecordsUrl: null } } : undefined
  }
  const job = org.jobs.get(id)
  if (!job) return missing
  if (part === undefined) return jobRoute(org, job, call)
  if (part === 'batches' && method === 'PUT') return upload(job, call.text)
  if (method !== 'GET') return undefined
  if (!ended.includes(job.state)) return invalidState(`Job ${id} has not ended`)
  return resultsOf(job, part, call)
}

function open(org: Org, version: string, body: unknown): WireAnswer {
  const { object, operation, externalIdFieldName, lineEnding, columnDelimiter, contentType } = (body ?? {}) as Values
  const fields = org.fields(String(object))
  if (!fields) return failure(400, 'INVALIDENTITY', `Unable to find object: ${String(object)}`)
  if (!operations.includes(String(operation)))
    return failure(400, 'INVALIDJOB', `unknown operation ${String(operation)}`)
  const isKey =
    externalIdFieldName === 'Id' || fields.some((field) => field.name === externalIdFieldName && field.externalId)
  if (operation === 'upsert' && !isKey)
    return failure(
      400,
      'INVALIDJOB',
      `Field name provided, ${String(externalIdFieldName)} does not match an External ID`,
    )
  if ((contentType ?? 'CSV') !== 'CSV') return failure(400, 'INVALIDJOB', 'contentType must be CSV')
  const job: IngestJob = {
    id: org.newId('Job'),
    object: String(object),
    operation: operation as Operation,
    externalIdFieldName: isKey ? String(externalIdFieldName) : null,
    lineEnding: lineEnding === 'CRLF' ? 'CRLF' : 'LF',
    delimiter: delimiters[String(columnDelimiter ?? 'COMMA')] ?? ',',
    createdDate: new Date().toISOString(),
    state: 'Open',
    upload: null,
    errorMessage: null,
    columns: [],
    succeeded: [],
    failed: [],
    unprocessed: [],
  }
  org.keepJob(job)
  return { status: 200, body: shownJob(job, version) }
}

function jobRoute(org: Org, job: IngestJob, { version, method, body, failsAfter }: BulkCall): WireAnswer | undefined {
  if (method === 'DELETE') {
    if (!deletable.includes(job.state)) return invalidState(`Job ${job.id} cannot be deleted in the state ${job.state}`)
    org.jobs.delete(job.id)
    return { status: 204 }
  }
  if (method === 'PATCH') {
    const state: unknown = (body as { state?: unknown } | null)?.state
    if (state === 'Aborted' && !ended.includes(job.state)) job.state = 'Aborted'
    else if (state === 'UploadComplete' && job.state === 'Open' && job.upload !== null) job.state = 'UploadComplete'
    else return invalidState(`Job ${job.id} is in the state ${job.state}, not to become ${String(state)}`)
    return { status: 200, body: shownJob(job, version) }
  }
  if (method !== 'GET') return undefined
  if (job.state === 'InProgress') work(org, job, failsAfter)
  else if (job.state === 'UploadComplete') job.state = 'InProgress'
  return { status: 200, body: shownJob(job, version) }
}

function upload(job: IngestJob, text: string): WireAnswer {
  if (job.state !== 'Open' || job.upload !== null) return invalidState(`Job ${job.id} takes no more data`)
  job.upload = text
  return { status: 201 }
}

/** Time passes: waiting jobs are processed. */
export function workOff(org: Org, failsAfter: number): void {
  for (const job of org.jobs.values())
    if (job.state === 'UploadComplete' || job.state === 'InProgress') work(org, job, failsAfter)
}

function work(org: Org, job: IngestJob, failsAfter: number): void {
  const [columns = [], ...cells] = parse(job.upload ?? '', {
    delimiter: job.delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
  })
  job.upload = null
  job.columns = columns
  const known = new Map((org.fields(job.object) ?? []).map((field) => [field.name, field]))
  const rows = cells.map((row) => Object.fromEntries(columns.map((name, n) => [name, row[n] ?? ''])))
  const unknown = columns.find((name) => !known.has(name))
  job.unprocessed = rows
  if (unknown !== undefined) {
    fail(job, `InvalidBatch : Field name not found : ${unknown}`)
    return
  }
  if (org.jobFault !== null) {
    fail(job, org.jobFault)
    return
  }
  // Records that are written in parallel get their results in any order.
  const inTurn = rows.slice(0, failsAfter).reverse()
  for (let from = 0; from < inTurn.length; from += rowsAtOnce) {
    const some = inTurn.slice(from, from + rowsAtOnce)
    const written = afterTriggers(
      org,
      some.map((row) => writeOne(org, job, row, known)),
    )
    some.forEach((row, n) => {
      const { result } = written[n] as Written
      if (result.success) job.succeeded.push({ row, id: result.id, created: result.created === true })
      else job.failed.push({ row, id: row['Id'] ?? '', error: errorText(result) })
    })
  }
  job.unprocessed = rows.slice(failsAfter)
  if (job.unprocessed.length > 0) fail(job, 'TooManyServerRestarts : the job was tried too often')
  else job.state = 'JobComplete'
}

function fail(job: IngestJob, message: string): void {
  job.state = 'Failed'
  job.errorMessage = message
}

function writeOne(org: Org, job: IngestJob, row: Row, known: ReadonlyMap<string, SandboxField>): Written {
  const { object, operation, externalIdFieldName: key } = job
  const { Id: id = '', ...cells } = row
  const found = key === null || key === 'Id' ? org.find(object, 'Id', id) : org.find(object, key, row[key])
  if (operation === 'upsert' && key === 'Id' && id !== '' && found.length === 0)
    return { result: refused('INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id') }
  if (operation === 'upsert' && found.length > 1)
    return { result: refused('DUPLICATE_EXTERNAL_ID', `${key}: more than one record found`) }
  const present = operation === 'insert' ? undefined : found[0]
  if (operation !== 'insert' && operation !== 'upsert' && !present)
    return { result: refused('ENTITY_IS_DELETED', 'entity is deleted') }
  if (operation === 'delete' && present) {
    org.delete(present.id)
    return { before: present, result: { id: present.id, success: true, errors: [], created: false } }
  }
  // An empty cell leaves the field unchanged.
  const given = Object.entries(cells).filter(([, text]) => text !== '')
  const values = Object.fromEntries(given.map(([name, text]) => [name, valueOfCell(text, known.get(name))]))
  return { before: present, result: writeRow(org, { object, present, values, saveDuplicates: false }) }
}

function valueOfCell(text: string, field: SandboxField | undefined): Values[string] {
  if (text === '#N/A') return null
  if (field?.type === 'double' && text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text)
  return field?.type === 'boolean' ? text === 'true' : text
}

function errorText(result: RowResult): string {
  const [first] = result.errors
  return first ? `${first.statusCode}:${first.message}:${first.fields.join(',')} --` : 'UNKNOWN_EXCEPTION'
}
