/**
 * Writes rows by batch upsert on `panji_id`, or by batch creation if they were not read, at most 100 per call, and
 * returns an outcome for each. A batch that HubSpot refuses as a whole is halved until the row at fault is alone; a
 * conflict is retried once; a property that the account does not have is left out and reported, since no lead is at
 * fault for what an administrator archived; rows that HubSpot's reply does not mention are unknown. Sending the same
 * rows again leaves one record each.
 */
import type { AppError } from '../../src/errors.ts'
import type { OutgoingLead, PushOutcome, Refusal, ReportWrite } from '../contract.ts'
import { limitReached, withoutRoom } from '../deferrals.ts'
import { rowWriteOf } from '../field-ownership.ts'
import type { WriteReport } from '../push-port.ts'
import { halves, slices } from '../slices.ts'
import { makeRoom, restoreOrTest, testAgain } from './administrator.ts'
import type { CrmAnswer, HubspotClient } from './client.ts'
import { type CrmObject, idProperty } from './mapping.ts'
import { type RowWrite, verdictsOf } from './outcomes.ts'
import {
  fullness,
  isConflict,
  isTransient,
  missingProperties,
  missingProperty,
  refusalOf,
  refusedCall,
} from './refusals.ts'
import { BatchReply, type CrmFault, faultOf } from './replies.ts'

export const batchSizeMax = 100
const transientAfterMs = 60_000

/** Rows of one object being written, with the outcomes so far. */
interface Writing {
  readonly how: 'upsert' | 'create'
  readonly outcomes: Map<string, PushOutcome>
  readonly met: OutgoingLead[]
}

export async function upsert(
  client: HubspotClient,
  object: CrmObject,
  rows: readonly RowWrite[],
  how: 'upsert' | 'create',
  reportWrite: ReportWrite,
): Promise<WriteReport> {
  const outcomes = new Map<string, PushOutcome>()
  const met: OutgoingLead[] = []
  const writing = { how, outcomes, met }
  const waiting: (readonly RowWrite[])[] = slices(rows, batchSizeMax)
  for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
    for (const { lead, properties: write, present } of batch)
      reportWrite(lead.externalId, rowWriteOf({ write }, present))
    const result = await client.call({
      method: 'POST',
      path: `/crm/objects/2026-03/${object}/batch/${how}`,
      body: { inputs: batch.map((row) => inputOf(row, how)) },
    })
    if (result.kind === 'refused') return { outcomes, met, stoppedBy: result.error }
    if (result.kind === 'cut') {
      for (const { lead } of batch) outcomes.set(lead.itemId, { status: 'unknown', message: result.message })
    } else if (result.status < 300) {
      const reply = BatchReply.catch({ results: [], errors: [] }).parse(result.body)
      const lost = reply.results.length === 0 ? reply.errors.find(lacksIdentity) : undefined
      if (lost !== undefined) return { outcomes, met, stoppedBy: withoutIdentity(object, result.status, lost) }
      waiting.push(...settle(batch, reply, writing))
    } else if (result.status === 404) {
      return { outcomes, met, stoppedBy: refusedCall(`write ${object}`, result.status, faultOf(result.body)) }
    } else {
      const fault = faultOf(result.body)
      const full = fullness(fault)
      if (full !== null) return { outcomes, met, stoppedBy: limitReached(full, makeRoom) }
      if (lacksIdentity(fault)) return { outcomes, met, stoppedBy: withoutIdentity(object, result.status, fault) }
      // Before the other batches, so that the results of one order's rows stay together.
      waiting.unshift(...afterRefusal(batch, result, writing))
    }
  }
  return { outcomes, met, stoppedBy: null }
}

/** Without the external-id property no record could be found again, so none is created. */
export const lacksIdentity = (fault: CrmFault): boolean => missingProperties(fault).has(idProperty)

export const withoutIdentity = (object: CrmObject, status: number, fault: CrmFault): AppError =>
  refusedCall(`write ${object} by ${idProperty}; ${testAgain}`, status, fault)

function inputOf({ lead, properties }: RowWrite, how: Writing['how']): Readonly<Record<string, unknown>> {
  return {
    ...(how === 'upsert' ? { id: lead.externalId, idProperty } : {}),
    objectWriteTraceId: lead.itemId,
    properties: { [idProperty]: lead.externalId, ...properties },
  }
}

/** @returns batches to send again. */
function settle(batch: readonly RowWrite[], reply: BatchReply, writing: Writing): (readonly RowWrite[])[] {
  const { how, outcomes } = writing
  const again: RowWrite[] = []
  for (const [row, verdict] of verdictsOf(batch, reply)) {
    const { itemId } = row.lead
    if (verdict.kind === 'saved') {
      const { id: crmId, new: created } = verdict.record
      outcomes.set(itemId, {
        status: how === 'create' || created === true ? 'created' : 'updated',
        crmId,
        values: row.values,
        ...(row.leftOut.length + row.unfit.length > 0 && { leftOut: leftOutOf(row) }),
      })
    } else if (verdict.kind === 'silent') {
      outcomes.set(itemId, {
        status: 'unknown',
        message: 'HubSpot named the row neither among the saved nor the refused',
      })
    } else {
      again.push(...refuseRow(row, verdict.fault, null, writing))
    }
  }
  return again.length > 0 ? [again] : []
}

/** @returns batches to send again. */
function afterRefusal(
  batch: readonly RowWrite[],
  { status, body }: CrmAnswer,
  writing: Writing,
): (readonly RowWrite[])[] {
  const fault = faultOf(body)
  const missing = missingProperties(fault)
  // Every row with the property would be refused for the same reason; halving down to each would only cost calls.
  if (batch.some((row) => carries(row, missing))) return [batch.map((row) => withoutProperties(row, missing))]
  const [only, second] = batch
  if (only !== undefined && second === undefined) {
    const again = refuseRow(only, fault, status, writing)
    return again.length > 0 ? [again] : []
  }
  return halves(batch)
}

const carries = ({ properties }: RowWrite, names: ReadonlySet<string>): boolean =>
  Object.keys(properties).some((name) => names.has(name))

/** Neither sent nor remembered as written, so that the value follows once the account has the property again. */
function withoutProperties(row: RowWrite, names: ReadonlySet<string>): RowWrite {
  const carried = Object.keys(row.properties).filter((name) => names.has(name))
  const others = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))
  const leftOut = [...row.leftOut, ...carried]
  return { ...row, properties: others(row.properties), values: others(row.values), leftOut }
}

export function leftOutOf({ leftOut, unfit }: Pick<RowWrite, 'leftOut' | 'unfit'>): Refusal {
  const these = ({ length }: readonly string[]) => (length === 1 ? 'this property, which' : 'these properties, which')
  const archived = `${these(leftOut)} HubSpot does not have: it was archived or renamed. To restore it, ${restoreOrTest}, and send the lead again.`
  const changed = `${these(unfit)} did not accept its value: the type was changed, or who may edit the values. Change that back, and send the lead again.`
  const why = [...(leftOut.length > 0 ? [archived] : []), ...(unfit.length > 0 ? [changed] : [])]
  return {
    code: leftOut.length > 0 ? missingProperty : 'PROPERTY_CHANGED',
    field: [...leftOut, ...unfit].toSorted().join(', '),
    message: `The lead was written without ${why.join(' It went in without ')}`,
  }
}

/**
 * A conflict is either a race of two first pushes, which a second upsert turns into an update, or an e-mail that
 * another contact has. The lead is then written without `email`; its address is still in `panji_email`. A row that
 * was to be created and conflicts without an e-mail already exists.
 */
function refuseRow(
  row: RowWrite,
  fault: CrmFault,
  status: number | null,
  { how, outcomes, met }: Writing,
): readonly RowWrite[] {
  const isThere = how === 'create' && (row.retried || row.properties['email'] === undefined)
  if (isConflict(fault, status) && isThere) {
    met.push(row.lead)
    return []
  }
  if (isConflict(fault, status) && !row.retried) {
    const { email: _email, ...values } = row.values
    const { email: _sent, ...properties } = row.properties
    return [{ ...row, properties, values, retried: true }]
  }
  const missing = missingProperties(fault)
  if (carries(row, missing)) return [withoutProperties(row, missing)]
  outcomes.set(row.lead.itemId, outcomeOfFault(fault))
  return []
}

export function outcomeOfFault(fault: CrmFault): PushOutcome {
  const full = fullness(fault)
  if (full !== null) return withoutRoom(full, makeRoom)
  const refusal = refusalOf(fault)
  if (isTransient(fault)) return { status: 'deferred', afterMs: transientAfterMs, ...refusal }
  return { status: 'rejected', ...refusal }
}
