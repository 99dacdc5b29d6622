/**
 * Writes rows by batch upsert on `panji_id`, or by batch creation where nobody read them, at most 100 a call, and says what
 * became of each. A batch that HubSpot refuses whole is halved until the culprit stands alone; a conflict is tried once more;
 * a property that the account does not have is left out and told of, since no lead is at fault for what an administrator archived;
 * rows that HubSpot does not mention are unknown. Sending the same rows again leaves one record each.
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

/** Rows of one object on their way, and what became of those that have arrived. */
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
      // Before the other batches, so that what is known about one order's rows stays together.
      waiting.unshift(...afterRefusal(batch, result, writing))
    }
  }
  return { outcomes, met, stoppedBy: null }
}

/** No record could be found again, so none is made. */
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

/** @returns batches that are to be sent again. */
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

/** @returns batches that are to be sent again. */
function afterRefusal(
  batch: readonly RowWrite[],
  { status, body }: CrmAnswer,
  writing: Writing,
): (readonly RowWrite[])[] {
  const fault = faultOf(body)
  const missing = missingProperties(fault)
  // Every carrier would be refused alone for the same reason; halving down to each would only spend calls.
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

/** Neither sent nor told as written, so that it follows once the account has the property again. */
function withoutProperties(row: RowWrite, names: ReadonlySet<string>): RowWrite {
  const carried = Object.keys(row.properties).filter((name) => names.has(name))
  const others = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))
  const leftOut = [...row.leftOut, ...carried]
  return { ...row, properties: others(row.properties), values: others(row.values), leftOut }
}

export function leftOutOf({ leftOut, unfit }: Pick<RowWrite, 'leftOut' | 'unfit'>): Refusal {
  const these = ({ length }: readonly string[]) => (length === 1 ? 'this property, which' : 'these properties, which')
  const archived = `${these(leftOut)} HubSpot does not have: somebody archived or renamed it. To bring it back, ${restoreOrTest}, and send the lead again.`
  const changed = `${these(unfit)} took nothing of it: somebody changed the type, or who may edit the values. Change that back, and send the lead again.`
  const why = [...(leftOut.length > 0 ? [archived] : []), ...(unfit.length > 0 ? [changed] : [])]
  return {
    code: leftOut.length > 0 ? missingProperty : 'PROPERTY_CHANGED',
    field: [...leftOut, ...unfit].toSorted().join(', '),
    message: `The lead was written without ${why.join(' It went in without ')}`,
  }
}

/**
 * A conflict is either the race of two first pushes, which a second upsert turns into an update, or an e-mail that
 * another contact holds. The lead then goes in without `email`; its address stays readable in `panji_email`. A row that was to
 * be created and conflicts without an e-mail is there already.
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
