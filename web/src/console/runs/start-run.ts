/** Starts a run for an uploaded file or for an address. */
import type { operations } from '../../../../client/api-types.ts'
import { api, dataOf } from '../../wire/api.ts'
import type { Run } from './run-reads.ts'

type RunWish = operations['startIngestRun']['requestBody']['content']['application/json']
export type SourceName = RunWish['source']

export async function startRun(body: RunWish): Promise<Run> {
  return dataOf(await api.POST('/admin/ingest/runs', { body }))
}
