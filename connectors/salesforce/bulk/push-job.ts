/**
 * A push as a job of Bulk API 2.0, with one outcome per lead: all pages of the successful, failed and unprocessed
 * rows are read, and a lead that is in none of them is unknown. The job's id is stored before the upload, so that a
 * later push of the same leads continues with it: a job that was never closed wrote nothing and is aborted; any other
 * is waited for. Rows are matched by external id, since results come in any order.
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

export interface DecidedLead {
  readonly lead: OutgoingLead
  /** What is written, with the external id. */
  readonly values: FieldValues
  /** What the ledger remembers once the row is accepted. */
  readonly remembered: Readonly<Record<string, unknown>>
  /** Reported once the row is uploaded. */
  readonly reported: RowWrite
}

export interface Decided {
  /** `insert` for leads that were not read: it refuses existing ones. */
  readonly operation: 'insert' | 'upsert'
  readonly toWrite: readonly DecidedLead[]
  /** Outcomes of leads that need no write or would be refused, by item id. */
  readonly outcomes: ReadonlyMap<string, PushOutcome>
  /** Leads that need another API: converted ones. */
  readonly forBatches: readonly OutgoingLead[]
}

export interface JobParts {
  readonly client: SalesforceClient
  readonly settings: SalesforceSettings
  readonly reportWrite: ReportWrite
  decide(leads: readonly OutgoingLead[]): Promise<Decided>
  /** What the ledger is to remember of leads that a job wrote for a process that crashed. */
  readonly recall: Remembered
  /** Sends leads without a job. @returns outcomes by item id. */
  pushInBatches(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, PushOutcome>>
}

const Kept = z.object({ job: z.string(), since: z.number(), rowsPerPage: z.number() })
type Kept = z.infer<typeof Kept>

/** Result files repeat all cells of their rows. */
const page = { bytes: 4 * 1024 * 1024, rowsMin: 100, rowsMax: 2_000 }
/** A job is polled again after a quarter of its age. */
const waits = { shareOfAge: 0.25, shortestMs: 250, longestMs: 15_000 }
const jobRefusals: ReadonlySet<string> = new Set(['DESTINATION_INVALID', 'CRM_LIMIT_REACHED'])
const nextJob: PushOutcome = {
  status: 'deferred',
  afterMs: 0,
  code: 'BULK_JOB_FULL',
  field: null,
  message: 'The bulk job was full; the lead goes with the next one',
}

/** @param leads distinct by external id. @returns outcomes by item id; a missing lead is unknown. */
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
  const { outcomes, forBatches, left, remembered, token } = begun
  const seen = await readJob(client, token.job)
  const written = await finish(parts, place, { ...token, seen }, leads, async () => remembered)
  const others = await deferOnFailure(parts, forBatches)
  return new Map([...outcomes, ...written, ...others, ...left.map(({ itemId }) => [itemId, nextJob] as const)])
}

/**
 * Decides, and uploads what is to be written. Does not keep the file or its rows in memory, since a job can take
 * long.
 */
async function beginWith(parts: JobParts, leads: readonly OutgoingLead[], place: PushPlace) {
  const { client } = parts
  const { operation, toWrite, outcomes, forBatches } = await parts.decide(leads)
  const file = uploadFileOf(toWrite.filter(({ values }) => isSayable(values)).map((of) => ({ of, values: of.values })))
  const unsayable = toWrite.filter(({ values }) => !isSayable(values)).map(({ lead }) => lead)
  const id = file.packed.length === 0 ? null : await begin(parts, place, operation)
  if (id === null) return { token: null, outcomes }
  for (const { lead, reported } of file.packed) parts.reportWrite(lead.externalId, reported)
  const token = await keep(client, place, id, file.csv.length / file.packed.length)
  await upload(client, id, file.csv)
  await endJob(client, id, 'UploadComplete')
  const remembered = new Map(file.packed.map(({ lead, remembered: values }) => [lead.externalId, values]))
  return {
    token,
    outcomes,
    forBatches: [...unsayable, ...forBatches],
    left: file.left.map(({ lead }) => lead),
    remembered,
  }
}

/** @returns null if the org does not accept such jobs, or not now: other APIs have limits of their own. */
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
    // The job would never be found again. It holds no rows, so an abandoned one does no harm.
    await endJob(client, job, 'Aborted').catch(() => {})
    throw error
  }
}

/** @returns null if the job wrote nothing and the leads are to be pushed again. */
async function resume(
  parts: JobParts,
  leads: readonly OutgoingLead[],
  place: PushPlace,
  kept: Kept,
): Promise<ReadonlyMap<string, PushOutcome> | null> {
  const state = await readJob(parts.client, kept.job)
  if (state?.state !== 'Open') return finish(parts, place, { ...kept, seen: state }, leads, parts.recall)
  // It is unknown whether it has the rows, and it accepts no second upload.
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

/** Keeps the outcomes of the job's leads whatever becomes of the others. */
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
