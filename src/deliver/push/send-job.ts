/**
 * Sends many due records as one bulk job, if the CRM has such an API and the connector prefers it. The connector's
 * state of the job is committed before the upload, so that the next holder of the destination can continue it. A long
 * job occupies no worker: the delivery ends, and is due again when the job should be checked.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PushPlace } from '../../../connectors/bulk-way.ts'
import type { PushOutcome } from '../../../connectors/contract.ts'
import { isNarrow, rememberBatchSize } from '../destinations/batch-size.ts'
import { requireLease } from '../lease/lease.ts'
import { takeWritten } from '../record/attempts/keep-attempts.ts'
import { endJob, keepJob, readJob } from '../record/job.ts'
import { claimFresh, countFresh } from '../record/ledger.ts'
import { pushLeads } from './push-leads.ts'
import { recordPush } from './record-push.ts'
import { giveBackFailed, type Sending } from './send-batches.ts'
import { untilAborted } from './until-aborted.ts'

/** Longest wait inside a delivery; a longer one ends it, so that other leads of the destination get their turn. */
const waitMsMax = 2_000

/** Thrown through the connector: the job continues in the CRM and is checked again later. */
export class JobGoesOn extends Error {
  readonly afterMs: number

  constructor(afterMs: number) {
    super('the job in the CRM continues')
    this.afterMs = afterMs
  }
}

/** True if the due records are better sent as a job. */
export async function suitsJob({ db, lease, open, signal }: Sending): Promise<boolean> {
  const { bulk } = open.session
  if (bulk === undefined || isNarrow(open)) return false
  const due = await countFresh(db, lease, bulk.leadsMax)
  return due > 0 && (await untilAborted(bulk.suits(due), signal))
}

/**
 * Continues the job in progress, or begins one with what is due.
 * @returns how many leads have their answer; 0 if there is nothing to do. @throws JobGoesOn
 */
export async function sendJob(sending: Sending, mayBegin: boolean): Promise<number> {
  const { db, lease, open, signal } = sending
  await requireLease(db, lease)
  const known = await readJob(db, lease)
  const leads = known?.leads ?? (mayBegin ? await claimFresh(db, lease, open.session.bulk?.leadsMax ?? 0) : [])
  if (leads.length === 0) return 0
  let underWay = known !== undefined
  const place: PushPlace = {
    kept: known?.kept ?? null,
    async keep(value) {
      // If this fails, the connector throws and the job holds no rows.
      await keepJob(db, lease, value)
      underWay = value !== null
    },
    async wait(ms) {
      if (ms > waitMsMax) throw new JobGoesOn(ms)
      await sleep(ms, undefined, { signal })
      await requireLease(db, lease)
    },
  }
  let outcomes: readonly PushOutcome[]
  try {
    outcomes = await pushLeads(sending, leads, place)
  } catch (error) {
    if (!underWay) await giveBackFailed({ db, lease, open }, leads, error)
    throw error
  }
  await rememberBatchSize(db, lease, open)
  const written = takeWritten(open.written, leads)
  await recordPush(db, lease, { leads, outcomes, written }, (tx) => endJob(tx, lease))
  await sending.answered(leads.length)
  return leads.length
}
