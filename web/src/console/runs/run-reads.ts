/** Ingest runs from the API, and what their statuses mean to an operator. */
import type { components } from '../../../../client/api-types.ts'
import type { Tone } from '../../look/badge.tsx'
import { api, dataOf, type SortOf } from '../../wire/api.ts'

export type Run = components['schemas']['IngestRun']
export type RunStatus = Run['status']

const tones: Readonly<Record<RunStatus, Tone>> = {
  queued: 'plain',
  fetching: 'plain',
  staging: 'plain',
  checking: 'plain',
  merging: 'plain',
  needs_approval: 'warn',
  succeeded: 'good',
  no_op: 'good',
  failed: 'bad',
  discarded: 'plain',
  cancelled: 'plain',
  previewed: 'plain',
}
export const toneOf = (status: RunStatus): Tone => tones[status]
/** A successful run that skipped or rejected every row is not good news. */
export const toneOfRun = ({ status, rows_read, skipped, rejected }: Run): Tone =>
  status === 'succeeded' && rows_read > 0 && skipped + rejected >= rows_read ? 'warn' : toneOf(status)
export const statuses = Object.keys(tones) as RunStatus[]
export const isUnderWay = ({ status }: Run): boolean =>
  ['queued', 'fetching', 'staging', 'checking', 'merging'].includes(status)

export type RunSort = SortOf<'listIngestRuns'>

export interface RunFilter {
  readonly source?: string
  readonly status?: string
  readonly page?: number
  readonly limit?: number
  readonly sort?: RunSort
  readonly until?: string
}

export async function readRuns({ status, ...filter }: RunFilter) {
  const known = statuses.find((each) => each === status)
  return dataOf(
    await api.GET('/admin/ingest/runs', { params: { query: { ...filter, ...(known ? { status: known } : {}) } } }),
  )
}

export async function readRun(id: string): Promise<Run> {
  return dataOf(await api.GET('/admin/ingest/runs/{id}', { params: { path: { id } } }))
}
