/**
 * Writes rows, at most a hundred per call, and returns an outcome for each: new ones are inserted, known ones updated
 * by their id. Not by Zoho's upsert: without a match by Panji Id it falls back to the org's other unique fields and
 * would overwrite a record of the customer's. The unique field refuses an insert of an existing record, so sending
 * again leaves one.
 */
import type { PushOutcome, ReportWrite } from '../contract.ts'
import { limitReached } from '../deferrals.ts'
import { rowWriteOf } from '../field-ownership.ts'
import type { WriteReport } from '../push-port.ts'
import { halves, slices } from '../slices.ts'
import { makeRoom } from './administrator.ts'
import type { ZohoAnswer, ZohoClient } from './client.ts'
import type { ZohoDecided } from './decide.ts'
import { identityField, manyValues, neededFields } from './mapping.ts'
import { duplicateField, isFull, outcomeOf, refusalOfCall, rowReplies } from './outcomes.ts'
import type { ZohoSettings } from './settings.ts'
import { referenceTypes } from './users.ts'

export const batchSizeMax = 100

export interface Writing {
  readonly client: ZohoClient
  readonly settings: Pick<ZohoSettings, 'triggers' | 'rules'>
  readonly reportWrite: ReportWrite
  typeOf(field: string): string | undefined
  omit(row: ZohoDecided, field: string): ZohoDecided
}

export async function writeRows(writing: Writing, rows: readonly ZohoDecided[]): Promise<Omit<WriteReport, 'met'>> {
  const outcomes = new Map<string, PushOutcome>()
  const known = rows.filter((row) => !isNew(row))
  const waiting: (readonly ZohoDecided[])[] = [rows.filter(isNew), known].flatMap((some) => slices(some, batchSizeMax))
  for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
    for (const { lead, record, decision } of batch)
      writing.reportWrite(lead.externalId, rowWriteOf(decision, record?.values))
    const result = await send(writing, batch)
    if (result.kind === 'refused') return { outcomes, stoppedBy: result.error }
    if (result.kind === 'cut') {
      for (const { lead } of batch) outcomes.set(lead.itemId, { status: 'unknown', message: result.message })
    } else {
      const full = refusalOfCall(result.body)
      if (full !== null && isFull(full)) return { outcomes, stoppedBy: limitReached(full, makeRoom) }
      // Before the other batches, so that the results of one order's rows stay together.
      waiting.unshift(...settle(writing, batch, result, outcomes))
    }
  }
  return { outcomes, stoppedBy: null }
}

/** Zoho skips these for writes by programs unless they are requested. */
const orgRules = [{ name: 'layout_rules' }, { name: 'criteria_validation_rule' }]

const isNew = ({ record }: ZohoDecided): boolean => record === undefined

function send({ client, settings, typeOf }: Writing, batch: readonly ZohoDecided[]) {
  const sentOf = (name: string, value: string | number) => {
    if (value === '') return null
    const type = typeOf(name) ?? ''
    if (referenceTypes.has(type)) return { id: String(value) }
    return type === manyValues ? String(value).split(';') : value
  }
  const data = batch.map(({ lead, record, decision }) => {
    const fields = Object.entries(decision.write).map(([name, value]) => [name, sentOf(name, value)] as const)
    const key = record === undefined ? { [identityField]: lead.externalId } : { id: record.crmId }
    return { ...Object.fromEntries(fields), ...key }
  })
  const trigger = settings.triggers === 'off' ? { trigger: [] } : {}
  const rules = settings.rules === 'on' ? { apply_feature_execution: orgRules } : {}
  const method = batch.every(isNew) ? 'POST' : 'PUT'
  return client.call({ method, path: '/Leads', body: { data, ...trigger, ...rules } })
}

/** @returns batches to send again. */
function settle(
  writing: Writing,
  batch: readonly ZohoDecided[],
  answer: ZohoAnswer,
  outcomes: Map<string, PushOutcome>,
): (readonly ZohoDecided[])[] {
  const replies = rowReplies(answer.body, batch.length)
  const refusal = answer.status >= 300 && replies === null ? refusalOfCall(answer.body) : null
  if (refusal !== null || (answer.status >= 400 && replies === null)) return afterRefusal(batch, answer, outcomes)
  const again: ZohoDecided[] = []
  batch.forEach((row, n) => {
    const reply = replies?.[n]
    const field = duplicateField(reply ?? null)
    if (field !== null && mayGoWithout(row, field)) again.push(writing.omit(row, field))
    else outcomes.set(row.lead.itemId, outcomeOf(reply, isNew(row) ? 'created' : 'updated', row.decision.values))
  })
  return again.length > 0 ? [again] : []
}

/** In many orgs an e-mail must be unique, while in the register directors share their accountant's. */
function mayGoWithout({ decision, without }: ZohoDecided, field: string): boolean {
  const isNeeded = field === identityField || neededFields.includes(field)
  return !isNeeded && field in decision.write && !without.has(field)
}

/** A call that is refused as a whole is halved until the row at fault is alone. */
function afterRefusal(
  batch: readonly ZohoDecided[],
  { status, body }: ZohoAnswer,
  outcomes: Map<string, PushOutcome>,
): (readonly ZohoDecided[])[] {
  const [only, second] = batch
  if (only !== undefined && second === undefined) {
    const refusal = refusalOfCall(body) ?? { code: `HTTP_${status}`, field: null, message: 'Zoho gave no reason' }
    outcomes.set(only.lead.itemId, { status: 'rejected', ...refusal })
    return []
  }
  return halves(batch)
}
