/**
 * The calls of Bulk API 2.0: open a job, upload one file, close it, poll its state, and read its three result files.
 * Not made through jsforce, which reads whole results into memory and deletes a job that takes long.
 */
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { AppError } from '../../../src/errors.ts'
import { parseJson, readAs } from '../../answers.ts'
import type { SalesforceClient } from '../client.ts'
import { errorCodeOf } from '../outcomes.ts'

export interface JobRequest {
  readonly operation: 'insert' | 'upsert'
  readonly externalIdField: string
  /** null if the org's leads are not routed. */
  readonly assignmentRuleId: string | null
}

const JobState = z.object({
  state: z.enum(['Open', 'UploadComplete', 'InProgress', 'JobComplete', 'Aborted', 'Failed']),
  errorMessage: z.string().nullish(),
})
export type JobState = z.infer<typeof JobState>
export type ResultFile = 'successfulResults' | 'failedResults' | 'unprocessedrecords'
export type Line = Readonly<Record<string, string>>

const NewJob = z.object({ id: z.string().regex(/^[A-Za-z0-9]{15,18}$/) })
const asJson = { 'content-type': 'application/json', accept: 'application/json' }

/** @throws AppError, or the refusal with its `errorCode` if the org does not accept such a job. */
export async function openJob(client: SalesforceClient, request: JobRequest): Promise<string> {
  const { operation, externalIdField, assignmentRuleId } = request
  const body = {
    object: 'Lead',
    operation,
    ...(operation === 'upsert' ? { externalIdFieldName: externalIdField } : {}),
    contentType: 'CSV',
    columnDelimiter: 'COMMA',
    lineEnding: 'LF',
    ...(assignmentRuleId === null ? {} : { assignmentRuleId }),
  }
  const { text } = await client.exchange({
    method: 'POST',
    path: '/jobs/ingest',
    headers: asJson,
    body: JSON.stringify(body),
  })
  return readable(NewJob, text).id
}

export async function upload(client: SalesforceClient, id: string, csv: Buffer): Promise<void> {
  const headers = { 'content-type': 'text/csv; charset=UTF-8', accept: 'application/json' }
  await client.exchange({ method: 'PUT', path: `/jobs/ingest/${id}/batches`, headers, body: csv })
}

export async function endJob(client: SalesforceClient, id: string, state: 'UploadComplete' | 'Aborted'): Promise<void> {
  await client.exchange({
    method: 'PATCH',
    path: `/jobs/ingest/${id}`,
    headers: asJson,
    body: JSON.stringify({ state }),
  })
}

/** @returns null if the org no longer has the job: its results are kept for seven days. */
export async function readJob(client: SalesforceClient, id: string): Promise<JobState | null> {
  try {
    const { text } = await client.exchange({ method: 'GET', path: `/jobs/ingest/${id}`, headers: asJson })
    return readable(JobState, text)
  } catch (error) {
    if (errorCodeOf(error instanceof AppError ? error.cause : error) === 'NOT_FOUND') return null
    throw error
  }
}

/** Every page of one of the three files, in order; none if the org no longer has it. */
export async function* readResults(
  client: SalesforceClient,
  { id, file, rowsPerPage }: { readonly id: string; readonly file: ResultFile; readonly rowsPerPage: number },
): AsyncGenerator<readonly Line[]> {
  let locator: string | null = null
  do {
    const page: string = locator === null ? '' : `&locator=${encodeURIComponent(locator)}`
    const path = `/jobs/ingest/${id}/${file}?maxRecords=${rowsPerPage}${page}`
    const reply = await client.exchange({ method: 'GET', path, headers: { accept: 'text/csv' } }).catch(noneIfGone)
    if (reply === null) return
    yield linesOf(reply.text)
    const next: string | undefined = reply.headers['sforce-locator']
    locator = next === undefined || next === '' || next === 'null' ? null : next
  } while (locator !== null)
}

/**
 * A refusal about the file itself, not about permissions or limits: its rows are looked up like any without an
 * answer.
 */
function noneIfGone(error: unknown): null {
  const isOfFile = errorCodeOf(error) !== '' || (error instanceof AppError && errorCodeOf(error.cause) === 'NOT_FOUND')
  if (isOfFile) return null
  throw error
}

/** A text that is not such a file says nothing about any row. */
function linesOf(text: string): readonly Line[] {
  try {
    return parse(text, { columns: true, bom: true, skip_empty_lines: true, relax_column_count: true })
  } catch {
    return []
  }
}

const readable = <Shape extends z.ZodType>(shape: Shape, text: string): z.output<Shape> =>
  readAs(shape, parseJson(text), "Salesforce's answer about a bulk job")
