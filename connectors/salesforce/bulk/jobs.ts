/**
 * The calls of Bulk API 2.0 that deliveries make: a job is opened, takes one file, is closed, is asked how it goes, and tells in
 * three files what became of its rows. Said here and not by jsforce, which reads whole results into memory and deletes a job
 * that takes long.
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
  /** Null where the org routes nobody. */
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

/** @throws AppError, or the refusal with its `errorCode` where the org takes no such job. */
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

/** @returns null where the org knows the job no more: its results are kept for seven days. */
export async function readJob(client: SalesforceClient, id: string): Promise<JobState | null> {
  try {
    const { text } = await client.exchange({ method: 'GET', path: `/jobs/ingest/${id}`, headers: asJson })
    return readable(JobState, text)
  } catch (error) {
    if (errorCodeOf(error instanceof AppError ? error.cause : error) === 'NOT_FOUND') return null
    throw error
  }
}

/** Every page of one of the three files, one after the other; none where the org does not tell it any more. */
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

/** A refusal of the file itself, not of this user or of calls for now: its rows are looked for like any whose answer was lost. */
function noneIfGone(error: unknown): null {
  const isOfFile = errorCodeOf(error) !== '' || (error instanceof AppError && errorCodeOf(error.cause) === 'NOT_FOUND')
  if (isOfFile) return null
  throw error
}

/** A text that is no such file says nothing of any row. */
function linesOf(text: string): readonly Line[] {
  try {
    return parse(text, { columns: true, bom: true, skip_empty_lines: true, relax_column_count: true })
  } catch {
    return []
  }
}

const readable = <Shape extends z.ZodType>(shape: Shape, text: string): z.output<Shape> =>
  readAs(shape, parseJson(text), "Salesforce's answer about a bulk job")
