/** The Leads of a Bulk API 2.0 job: which of them it writes, and what the ledger remembers of them afterwards. */
import { AppError } from '../../../src/errors.ts'
import type { OutgoingLead, PushOutcome } from '../../contract.ts'
import { deferred } from '../../deferrals.ts'
import { rowWriteOf } from '../../field-ownership.ts'
import type { NewRecords } from '../../new-records.ts'
import type { PushEngine } from '../../push-engine.ts'
import type { JobParts } from '../bulk/push-job.ts'
import { findMany, keysPerCall } from '../bulk/read-many.ts'
import { clearedCell } from '../bulk/upload-file.ts'
import { collectionSizeMax, type SalesforceRecord } from '../client.ts'
import type { FoundLeads, LeadDecider, LeadFields, PreparedLead } from './decide.ts'
import { fieldsToRead } from './port.ts'

export interface LeadJobParts {
  readonly decider: LeadDecider
  readonly engine: PushEngine<LeadFields, SalesforceRecord, PreparedLead>
  readonly newRecords: NewRecords
}

export const jobPartsOf = (leads: LeadJobParts): JobParts => ({
  ...leads.decider.parts,
  decide: decideWith(leads),
  recall: recallWith(leads.decider),
  pushInBatches: (given) => pushInBatches(leads.engine, given),
})

/** For a first delivery, one call's worth is read; if none of it exists, the job only creates. */
function decideWith({ decider, engine, newRecords }: LeadJobParts): JobParts['decide'] {
  const { external_id_field: identity } = decider.parts.settings
  return async (leads) => {
    const fields = await decider.fields(leads, 'push')
    const some = leads.slice(0, keysPerCall)
    const unread = newRecords.mayBeCreated(leads)
    const first: FoundLeads = unread ? new Map() : await findLeads(decider, some, fields)
    if (!unread) newRecords.note(some, ({ externalId }) => first.has(externalId))
    const operation = newRecords.mayBeCreated(leads) ? 'insert' : 'upsert'
    const others = operation === 'insert' ? [] : await findLeads(decider, leads.slice(keysPerCall), fields)
    const { rows, settled } = await engine.decide(leads, new Map([...first, ...others]), fields)
    const toWrite = rows.filter(({ contactId }) => contactId === null)
    return {
      ...{ operation, outcomes: settled },
      toWrite: toWrite.map(({ lead, record, decision }) => ({
        ...{ lead, remembered: decision.values, reported: rowWriteOf(decision, record?.values) },
        values: { ...decision.write, [identity]: lead.externalId },
      })),
      forBatches: rows.filter(({ contactId }) => contactId !== null).map(({ lead }) => lead),
    }
  }
}

/** The values to remember as if decided before the job: what was uploaded, and what the record holds of the rest. */
const recallWith =
  (decider: LeadDecider): JobParts['recall'] =>
  async (leads, cells) => {
    const fields = await decider.fields(leads, 'push')
    const found = await findLeads(decider, leads, fields)
    return new Map(
      (await decider.decide(leads, found, fields)).map(({ lead, decision }) => {
        const known = Object.entries(decision.values).filter(([name]) => !(name in decision.write))
        const uploaded = Object.entries(cells.get(lead.externalId) ?? {}).filter(([, text]) => text !== clearedCell)
        return [lead.externalId, Object.fromEntries([...known, ...uploaded])] as const
      }),
    )
  }

/** If a later call fails, the outcomes of earlier ones are kept and the rest is deferred. */
export async function pushInBatches(
  engine: LeadJobParts['engine'],
  leads: readonly OutgoingLead[],
): Promise<ReadonlyMap<string, PushOutcome>> {
  const outcomes = new Map<string, PushOutcome>()
  for (let from = 0; from < leads.length; from += collectionSizeMax) {
    const batch = leads.slice(from, from + collectionSizeMax)
    try {
      const results = await engine.push(batch)
      for (const [n, outcome] of results.entries()) outcomes.set(batch[n]?.itemId ?? '', outcome)
    } catch (error) {
      if (!(error instanceof AppError) || from === 0) throw error
      for (const { itemId } of leads.slice(from)) outcomes.set(itemId, deferred(error))
      break
    }
  }
  return outcomes
}

async function findLeads(
  { parts: { client, settings } }: LeadDecider,
  leads: readonly OutgoingLead[],
  fields: LeadFields,
): Promise<FoundLeads> {
  const { external_id_field: keyField } = settings
  const keys = leads.map(({ externalId }) => externalId)
  const records = await findMany(client, { object: 'Lead', keyField, keys, fields: fieldsToRead(fields) })
  return new Map(records.map((record) => [String(record[keyField]), record]))
}
