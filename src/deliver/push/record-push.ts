/** Records the CRM's answers for sent leads in the ledger and announces them to the account, in one transaction. */
import type { OutgoingLead, PushOutcome } from '../../../connectors/contract.ts'
import type { Db, Queryable } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { EventData } from '../../notify/event-types.ts'
import { announceOfDestination } from '../destinations/announce.ts'
import { holdAccountOf } from '../destinations/hold-account.ts'
import { pauseAtRejected } from '../destinations/pause-at-rejected.ts'
import type { Lease } from '../lease/lease.ts'
import { keepAttempts, type Written } from '../record/attempts/keep-attempts.ts'
import { recordOutcomes } from '../record/ledger.ts'
import { newlyUndecided, reportUndecided } from './report-undecided.ts'

/** Rows per statement: a job's leads with all their values would be many megabytes of text. */
const rowsAtOnce = 500

interface Pushed {
  readonly leads: readonly OutgoingLead[]
  readonly outcomes: readonly PushOutcome[]
  readonly written: Written
}

/** @param also runs in the same transaction. @throws AppError CRM_LIMIT_REACHED, after all is recorded. */
export async function recordPush(
  db: Db,
  lease: Lease,
  { leads, outcomes, written }: Pushed,
  also: (tx: Queryable) => Promise<void> = async () => {},
): Promise<void> {
  await db.transaction(async (tx) => {
    await holdAccountOf(tx, lease.destinationId)
    const outdated = await outdatedAmong(tx, lease.destinationId, leads)
    const isFinal = ({ externalId }: OutgoingLead) => !outdated.has(externalId)
    await pauseAtRejected(
      tx,
      lease,
      outcomes.filter((_, n) => leads[n] !== undefined && isFinal(leads[n])),
    )
    const undecided = await newlyUndecided(tx, lease.destinationId, leads, outcomes)
    for (let from = 0; from < leads.length; from += rowsAtOnce) {
      const to = from + rowsAtOnce
      const some = [leads.slice(from, to), outcomes.slice(from, to)] as const
      await recordOutcomes(tx, lease, ...some)
      await keepAttempts(tx, lease.destinationId, ...some, written)
    }
    await also(tx)
    for (const rejects of inParts(rejectsOf(leads, outcomes, isFinal)))
      await announceOfDestination(tx, lease.destinationId, 'delivery.rejected', { rejects })
    for (const matches of inParts(undecided)) await reportUndecided(tx, lease.destinationId, matches)
  })
  stopAtLimits(leads, outcomes)
}

const inParts = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, n) =>
    rows.slice(n * rowsAtOnce, (n + 1) * rowsAtOnce),
  )

/** Called before the outcomes are recorded. @returns those sent with a mapping or row that was replaced since: they go again. */
async function outdatedAmong(
  tx: Queryable,
  destinationId: string,
  leads: readonly OutgoingLead[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(
    `SELECT external_id AS id FROM deliver.record
     WHERE destination_id = $1 AND external_id = ANY($2::text[]) AND item_id = sent_item_id AND desired_sha256 <> sent_sha256`,
    [destinationId, leads.map(({ externalId }) => externalId)],
  )
  return new Set(rows.map(({ id }) => id))
}

function rejectsOf(
  leads: readonly OutgoingLead[],
  outcomes: readonly PushOutcome[],
  isFinal: (lead: OutgoingLead) => boolean,
): EventData<'delivery.rejected'>['rejects'] {
  return leads.flatMap((lead, n) => {
    const outcome = outcomes[n]
    if (outcome?.status !== 'rejected' || !isFinal(lead)) return []
    const { externalId: record } = lead
    const { code, field, message } = outcome
    return [{ record, code, field, message }]
  })
}

/** The CRM reported that it accepts no leads at all, for want of storage or licences. */
function stopAtLimits(leads: readonly OutgoingLead[], outcomes: readonly PushOutcome[]): void {
  for (const outcome of outcomes.slice(0, leads.length)) {
    if (outcome.status !== 'deferred' || outcome.blocks !== true) continue
    throw new AppError('CRM_LIMIT_REACHED', outcome.message, { retry: 'later', extra: { vendorCode: outcome.code } })
  }
}
