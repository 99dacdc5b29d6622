/**
 * What sending leads would do, one by one, without writing into the CRM or the ledger. Shared by plans of orders and
 * of resends.
 */
import type { FieldChange, OutgoingLead, PlannedAction } from '../../../connectors/contract.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { withholdFromLeads } from '../../suppression/withhold-leads.ts'
import { batchSizeOf, isNarrow } from '../destinations/batch-size.ts'
import { type CountedJoin, countJoins } from '../destinations/joins.ts'
import { type CountedMisfit, countMisfits } from '../destinations/misfits.ts'
import type { OpenDestination } from '../destinations/open-destination.ts'
import { withOrderOverrides } from '../destinations/order-mapping.ts'
import { foreseeTurns } from '../destinations/turns.ts'
import { oncePerRecord, withMatches } from './matches.ts'

export interface PlannedRow {
  /** `gst:GSTIN`, `company:CIN`, `director:DIN`. */
  readonly record: string
  readonly action: PlannedAction['action']
  /** For an update or an adoption: each CRM field that changes. */
  readonly fields?: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>
  /**
   * For a conflict or rejection: why. For a lead created although records resemble it, or an adoption: what agrees,
   * with the score.
   */
  readonly reason?: string
  /** For an adoption: the existing record. */
  readonly crm_id?: string
  /** Its page in the CRM; null before the first contact with the CRM. */
  readonly crm_url?: string | null
}

/**
 * @param held the CRM acknowledged this row or a newer one: it is not sent again, and the plan only reports if it was
 * deleted or merged.
 */
export type LeadToPlan = OutgoingLead & { readonly held: boolean }

export interface PlannedLeads {
  readonly counts: Readonly<Record<PlannedAction['action'], number>>
  /** A sequence of calls, or one bulk job of the CRM. */
  readonly route: 'batches' | 'job'
  /** Estimated number of CRM calls that the push makes. */
  readonly calls: number
  /** Estimated duration within what the CRM's limits allow now. */
  readonly minutes: number
  /** Values that lists of the CRM lack, most leads first: their leads are sent without them. */
  readonly misfits: readonly CountedMisfit[]
  /** Lists, campaigns and tags that records would join, most leads first. */
  readonly joins: readonly CountedJoin[]
  readonly rows: readonly PlannedRow[]
}

/** @throws AppError CONFLICT if known records would be created, and what the connector throws. */
export async function planLeads(
  db: Db,
  destinationId: string,
  open: OpenDestination,
  stored: readonly LeadToPlan[],
): Promise<PlannedLeads> {
  const { connector, session, limiter, mapping } = open
  const turns = foreseeTurns(db, destinationId)
  const asSent = <L extends OutgoingLead>(batch: readonly L[]) =>
    withOrderOverrides(db, { destinationId, mapping }, batch, turns)
  const all = await withholdFromLeads(db, stored)
  const leads = all.filter(({ held }) => !held)
  const planned = new Map<string, PlannedAction>()
  for (const [lead, action] of await inBatches(leads, connector.batchSizeMax, async (batch) => {
    const outgoing = await asSent(batch)
    return withMatches(session, outgoing, await session.plan(outgoing))
  }))
    planned.set(lead.itemId, action)
  requireNoSecondRecord(leads, planned)
  // What the CRM acknowledged is not sent again, but the plan reports whether people deleted or merged it there.
  const known = all.filter(({ held, crmId }) => held && crmId !== null)
  for (const [lead, action] of await inBatches(known, connector.batchSizeMax, (batch) =>
    asSent(batch).then((outgoing) => session.plan(outgoing)),
  ))
    if (isFate(action)) planned.set(lead.itemId, action)
  const outgoing = await asSent(leads)
  const misfits = await countMisfits(session, outgoing)
  const joins = await countJoins(
    session,
    outgoing.filter(({ itemId }) => isDelivered(planned.get(itemId))),
  )
  await limiter.flush()
  oncePerRecord(planned)
  const urls = await recordUrls(db, destinationId)
  const rows = all.map(({ externalId, itemId }) =>
    rowOf(externalId, planned.get(itemId) ?? { action: 'unchanged' }, urls),
  )
  const counts = { create: 0, update: 0, adopt: 0, unchanged: 0, conflict: 0, reject: 0 }
  for (const { action } of rows) counts[action] += 1
  const writes = counts.create + counts.update + counts.adopt
  const { bulk } = session
  const asJob = bulk !== undefined && !isNarrow(open) && writes > 0 && (await bulk.suits(leads.length))
  const calls = asJob ? bulk.callsFor(leads.length) : callsOf(open, leads.length, writes)
  const waitMs = await limiter.waitMs()
  return {
    counts,
    route: asJob ? 'job' : 'batches',
    calls,
    minutes: Math.ceil(waitMs / 60_000 + calls / connector.callsPerSecond / 60),
    misfits,
    joins,
    rows,
  }
}

/** Rejected leads and conflicts join nothing. */
const isDelivered = (planned: PlannedAction | undefined): boolean =>
  planned !== undefined && planned.action !== 'conflict' && planned.action !== 'reject'

/** The record of a lead is gone or merged into another, or it would be created again. */
const isFate = (planned: PlannedAction): boolean =>
  (planned.action === 'conflict' && planned.isFate === true) || (planned.action === 'create' && planned.again === true)

async function inBatches<Lead extends OutgoingLead>(
  leads: readonly Lead[],
  size: number,
  plan: (batch: readonly Lead[]) => Promise<readonly PlannedAction[]>,
): Promise<readonly (readonly [Lead, PlannedAction])[]> {
  const planned: (readonly [Lead, PlannedAction])[] = []
  for (let start = 0; start < leads.length; start += size) {
    const batch = leads.slice(start, start + size)
    const actions = await plan(batch)
    batch.forEach((lead, n) => {
      const action = actions[n]
      if (!action) throw new AppError('INTERNAL', `the plan left ${lead.externalId} without an action`)
      planned.push([lead, action])
    })
  }
  return planned
}

/** @throws AppError CONFLICT with the number of acknowledged leads that would be created a second time. */
function requireNoSecondRecord(leads: readonly OutgoingLead[], planned: ReadonlyMap<string, PlannedAction>): void {
  const again = leads.filter(({ crmId, itemId }) => {
    const action = planned.get(itemId)
    return crmId !== null && action?.action === 'create' && action.again !== true
  })
  if (again.length === 0) return
  const records = again.map(({ externalId }) => externalId)
  const which = `${records.slice(0, 5).join(', ')}${records.length > 5 ? ' and others' : ''}`
  throw new AppError(
    'CONFLICT',
    `The plan would create ${again.length} of ${leads.length} records a second time: ${which}. They were delivered before, and the CRM does not show them. Restore them there, or let this user see them; then plan again.`,
    { extra: { reason: 'would_create_again', count: again.length } },
  )
}

type RecordUrls = Readonly<Record<string, string>>

async function recordUrls(db: Db, destinationId: string): Promise<RecordUrls> {
  const [row] = await db.query<{ urls: RecordUrls | null }>(
    'SELECT record_urls AS urls FROM deliver.destination WHERE destination_id = $1',
    [destinationId],
  )
  return row?.urls ?? {}
}

function rowOf(record: string, planned: PlannedAction, urls: RecordUrls): PlannedRow {
  const { action } = planned
  switch (planned.action) {
    case 'create':
      return planned.reason === undefined ? { record, action } : { record, action, reason: planned.reason }
    case 'update':
      return { record, action, fields: fieldsOf(planned.changes) }
    case 'adopt': {
      const { crmId, changes, reason } = planned
      const url = urls[record.split(':')[0] ?? '']?.replace('{id}', crmId) ?? null
      return { record, action, fields: fieldsOf(changes), reason, crm_id: crmId, crm_url: url }
    }
    case 'conflict':
      return { record, action, reason: planned.reason }
    case 'reject':
      return { record, action, reason: `${planned.code}: ${planned.message}` }
    default:
      return { record, action }
  }
}

const fieldsOf = (changes: readonly FieldChange[]) =>
  Object.fromEntries(changes.map(({ field, before, after }) => [field, { before, after }] as const))

/** Unless the connector says otherwise, a push reads each batch before it writes it. */
function callsOf(open: OpenDestination, leads: number, writes: number): number {
  const size = batchSizeOf(open)
  const ordinary = Math.ceil(leads / size) + Math.ceil(writes / size)
  return isNarrow(open) ? ordinary : (open.session.callsFor?.(leads, writes) ?? ordinary)
}
