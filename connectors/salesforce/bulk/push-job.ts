/**
 * A push as a job of Bulk API 2.0. Leads go in, one outcome for each comes out: all pages of the successful, the failed and the
 * unprocessed rows are read, and what stands in none of them is unknown. The job's id is kept before the upload, so whoever
 * pushes the same leads again goes on with it: a job that was never closed wrote nothing and is aborted, any other is waited
 * for. The key of a row is its external id, since results come in any order.
 */
import { z } from 'zod'
import { AppError } from '../../../src/errors.ts'
import type { PushPlace } from '../../bulk-way.ts'
import type { OutgoingLead, PushOutcome, ReportWrite, RowWrite } from '../../contract.ts'
import { deferred } from '../../deferrals.ts'
import type { SalesforceClient } from '../client.ts'
import type { FieldValues } from '../fill-fields.ts'
import type { SalesforceSettings } from '../settings.ts'
import { outcomesOfJob, type Remembered } from './job-outcomes.ts'
import { endJob, type JobState, openJob, readJob, upload } from './jobs.ts'
import { isSayable, uploadFileOf } from './upload-file.ts'

/** A lead whose fields are decided. */
export interface DecidedLead {
  readonly lead: OutgoingLead
  /** What is written, with the external id. */
  readonly values: FieldValues
  /** What the ledger remembers once the row is accepted. */
  readonly remembered: Readonly<Record<string, unknown>>
  /** What is told of the row once it is uploaded. */
  readonly told: RowWrite
}

export interface Decided {
  /** `insert` for leads that were not read: it refuses those that are there. */
  readonly operation: 'insert' | 'upsert'
  readonly toWrite: readonly DecidedLead[]
  /** Of leads that need no write or would be refused, by item id. */
  readonly outcomes: ReadonlyMap<string, PushOutcome>
  /** What is written in another way: converted leads. */
  readonly aside: readonly OutgoingLead[]
}

export interface JobParts {
  readonly client: SalesforceClient
  readonly settings: SalesforceSettings
  readonly reportWrite: ReportWrite
  decide(leads: readonly OutgoingLead[]): Promise<Decided>
  /** What the ledger is to remember of leads that a job wrote for somebody who died. */
  readonly recall: Remembered
  /** Without a job, by item id. */
  pushInBatches(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, PushOutcome>>
}

const Kept = z.object({ job: z.string(), since: z.number(), rowsPerPage: z.number() })
type Kept = z.infer<typeof Kept>

/** Results repeat all cells of their rows. */
const page = { bytes: 4 * 1024 * 1024, rowsMin: 100, rowsMax: 2_000 }
/** A job is asked again after a quarter of its age. */
const waits = { shareOfAge: 0.25, shortestMs: 250, longestMs: 15_000 }
const jobRefusals: ReadonlySet<string> = new Set(['DESTINATION_INVALID', 'CRM_LIMIT_REACHED'])
const nextJob: PushOutcome = {
  status: 'deferred',
  afterMs: 0,
  code: 'BULK_JOB_FULL',
  field: null,
  message: 'The bulk job was full; the lead goes with the next one',
}

/** @param leads one for each external id. @returns outcomes by item id; a lead that is missing is unknown. */
export async function pushAsJob(
  parts: JobParts,
  leads: readonly OutgoingLead[],
  place: PushPlace,
): Promise<ReadonlyMap<string, PushOutcome>> {
  const { client } = parts
  const kept = Kept.safeParse(place.kept)
  if (kept.success) {
    const outcomes = await resume(parts, leads, place, kept.data)
    if (outcomes !== null) return outcomes
  }
  const begun = await beginWith(parts, leads, place)
  if (begun.token === null) {
    const open = leads.filter(({ itemId }) => !begun.outcomes.has(itemId))
    return new Map([...begun.outcomes, ...(await parts.pushInBatches(open))])
  }
  const { outcomes, aside, left, remembered, token } = begun
  const seen = await readJob(client, token.job)
  const written = await finish(parts, place, { ...token, seen }, leads, async () => remembered)
  const others = await deferOnFailure(parts, aside)
  return new Map([...outcomes, ...written, ...others, ...left.map(({ itemId }) => [itemId, nextJob] as const)])
}

/** Decides, and uploads what is to be written. Neither the file nor what it was made of outlives it: a job takes its time. */
async function beginWith(parts: JobParts, leads: readonly OutgoingLead[], place: PushPlace) {
  const { client } = parts
  const { operation, toWrite, outcomes, aside } = await parts.decide(leads)
  const file = uploadFileOf(toWrite.filter(({ values }) => isSayable(values)).map((of) => ({ of, values: of.values })))
  const unsayable = toWrite.filter(({ values }) => !isSayable(values)).map(({ lead }) => lead)
  const id = file.taken.length === 0 ? null : await begin(parts, place, operation)
  if (id === null) return { token: null, outcomes }
  for (const { lead, told } of file.taken) parts.reportWrite(lead.externalId, told)
  const token = await keep(client, place, id, file.csv.length / file.taken.length)
  await upload(client, id, file.csv)
  await endJob(client, id, 'UploadComplete')
  const remembered = new Map(file.taken.map(({ lead, remembered: values }) => [lead.externalId, values]))
  return { token, outcomes, aside: [...unsayable, ...aside], left: file.left.map(({ lead }) => lead), remembered }
}

/** @returns null where the org takes no such jobs, or not now: calls of another kind have limits of their own. */
async function begin({ client, settings }: JobParts, place: PushPlace, operation: 'insert' | 'upsert') {
  const { external_id_field: externalIdField, assignment_rule: rule } = settings
  if (place.kept !== null) await place.keep(null)
  try {
    return await openJob(client, { operation, externalIdField, assignmentRuleId: rule === 'off' ? null : rule })
  } catch (error) {
    if (error instanceof AppError && !jobRefusals.has(error.code)) throw error
    return null
  }
}

async function keep(client: SalesforceClient, place: PushPlace, job: string, rowBytes: number): Promise<Kept> {
  const rowsPerPage = Math.max(page.rowsMin, Math.min(page.rowsMax, Math.floor(page.bytes / rowBytes)))
  const token: Kept = { job, since: Date.now(), rowsPerPage }
  try {
    await place.keep(token)
    return token
  } catch (error) {
    // Nobody would ask for it again. It holds no rows, so to leave it does no harm.
    await endJob(client, job, 'Aborted').catch(() => {})
    throw error
  }
}

/** @returns null where the job wrote nothing and the leads are to be pushed anew. */
async function resume(
  parts: JobParts,
  leads: readonly OutgoingLead[],
  place: PushPlace,
  kept: Kept,
): Promise<ReadonlyMap<string, PushOutcome> | null> {
  const state = await readJob(parts.client, kept.job)
  if (state?.state !== 'Open') return finish(parts, place, { ...kept, seen: state }, leads, parts.recall)
  // Whether it holds the rows nobody knows, and it takes no second upload.
  await endJob(parts.client, kept.job, 'Aborted')
  return null
}

async function finish(
  parts: JobParts,
  place: PushPlace,
  { job, since, rowsPerPage, seen }: Kept & { readonly seen: JobState | null },
  leads: readonly OutgoingLead[],
  remembered: Remembered,
): Promise<ReadonlyMap<string, PushOutcome>> {
  const { client, settings } = parts
  let state = seen
  while (state !== null && (state.state === 'UploadComplete' || state.state === 'InProgress')) {
    const wait = (Date.now() - since) * waits.shareOfAge
    await place.wait(Math.max(waits.shortestMs, Math.min(waits.longestMs, wait)))
    state = await readJob(client, job)
  }
  if (state === null) return new Map()
  const result = { id: job, rowsPerPage, endedWith: state.errorMessage ?? `the job is ${state.state}` }
  const { outcomes, inBatches } = await outcomesOfJob(client, settings, result, leads, remembered)
  return new Map([...outcomes, ...(await deferOnFailure(parts, inBatches))])
}

/** What the job wrote is told, whatever becomes of the others. */
async function deferOnFailure(
  parts: JobParts,
  leads: readonly OutgoingLead[],
): Promise<ReadonlyMap<string, PushOutcome>> {
  try {
    return await parts.pushInBatches(leads)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return new Map(leads.map(({ itemId }) => [itemId, deferred(error)]))
  }
}
