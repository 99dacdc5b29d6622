/** The Leads of a job of Bulk API 2.0: which are written by it, and what the ledger is to remember of them afterwards. */
import type { CrmField, OutgoingLead, PushOutcome } from '../../contract.ts'
import { rowWriteOf } from '../../field-ownership.ts'
import type { Remembered } from '../bulk/job-outcomes.ts'
import type { Decided, DecidedLead } from '../bulk/push-job.ts'
import { findMany, keysPerCall } from '../bulk/read-many.ts'
import { clearedCell } from '../bulk/upload-file.ts'
import { foreseenRefusal } from '../fill-fields.ts'
import { notSent } from '../row-outcomes.ts'
import { conversionFields } from './converted.ts'
import type { LeadDecider, PreparedLead } from './decide.ts'

/** Of a first delivery one call's worth is read; where none of it is there, the job is one that only creates. */
export async function decideForJob(decider: LeadDecider, leads: readonly OutgoingLead[]): Promise<Decided> {
  const { newRecords } = decider
  const { external_id_field: identity } = decider.parts.settings
  const fields = await decider.fieldMap(true, leads)
  const asked = [...fields.keys(), ...conversionFields]
  const some = leads.slice(0, keysPerCall)
  const unread = newRecords.mayBeCreated(leads)
  const records = unread ? [] : await findLeads(decider, some, asked)
  const there = new Set(records.map((record) => record[identity]))
  if (!unread) newRecords.note(some, ({ externalId }) => there.has(externalId))
  const operation = newRecords.mayBeCreated(leads) ? 'insert' : 'upsert'
  if (operation === 'upsert') records.push(...(await findLeads(decider, leads.slice(keysPerCall), asked)))
  const outcomes = new Map<string, PushOutcome>()
  const toWrite: DecidedLead[] = []
  const aside: OutgoingLead[] = []
  const known = await decider.known(leads, fields, records, 'restore')
  for (const each of await decider.decide(leads, fields, records, known)) {
    const { lead, contactId, decision } = each
    const refusal = refusalOf(each, fields)
    const values = { ...decision.write, [identity]: lead.externalId }
    if (refusal) outcomes.set(lead.externalId, refusal)
    else if (!needsWrite(each)) outcomes.set(lead.externalId, unchangedOr(notSent, each))
    else if (contactId !== null) aside.push(lead)
    else toWrite.push({ lead, values, remembered: decision.values, told: rowWriteOf(decision, each.record) })
  }
  return { operation, toWrite, outcomes, aside }
}

/** As if it had been decided before the job: what was uploaded, and what the record holds of the rest. */
export const recallForJob =
  (decider: LeadDecider): Remembered =>
  async (leads, cells) => {
    const fields = await decider.fieldMap(true, leads)
    const records = await findLeads(decider, leads, [...fields.keys(), ...conversionFields])
    return new Map(
      (await decider.decide(leads, fields, records)).map(({ lead, decision }) => {
        const known = Object.entries(decision.values).filter(([name]) => !(name in decision.write))
        const uploaded = Object.entries(cells.get(lead.externalId) ?? {}).filter(([, text]) => text !== clearedCell)
        return [lead.externalId, Object.fromEntries([...known, ...uploaded])] as const
      }),
    )
  }

export const needsWrite = ({ record, decision }: PreparedLead): boolean =>
  record === undefined || Object.keys(decision.write).length > 0

export function unchangedOr(other: PushOutcome, { record, decision, isNamed }: PreparedLead): PushOutcome {
  const status = isNamed ? 'updated' : 'unchanged'
  return record === undefined ? other : { status, crmId: record.Id, values: decision.values }
}

/** Why the lead is not to be written; null where it may be. */
export function refusalOf(
  { decision, unnamed }: PreparedLead,
  fields: ReadonlyMap<string, CrmField>,
): PushOutcome | null {
  if (unnamed !== undefined) return { status: 'rejected', ...unnamed }
  const refusal = foreseenRefusal(decision.write, fields)
  return refusal === null ? null : { status: 'rejected', ...refusal }
}

function findLeads({ parts: { client, settings } }: LeadDecider, leads: readonly OutgoingLead[], fields: string[]) {
  const keys = leads.map(({ externalId }) => externalId)
  return findMany(client, { object: 'Lead', keyField: settings.external_id_field, keys, fields })
}
