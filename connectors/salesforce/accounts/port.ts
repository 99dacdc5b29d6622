/** The push port of an org that keeps leads as Accounts and Contacts; a row has one or both. */
import type { FieldsOfCrm } from '../../changed-fields.ts'
import type { NotWritten, OutgoingLead, PushOutcome } from '../../contract.ts'
import { rowWriteOf } from '../../field-ownership.ts'
import { type Known, type KnownUse, lostAmong, type Sought } from '../../known-records.ts'
import type { Act, PushPort, WriteReport } from '../../push-port.ts'
import { findMany } from '../bulk/read-many.ts'
import type { SalesforceRecord } from '../client.ts'
import { findKnownRecords } from '../known.ts'
import { mayBeOfFields } from '../outcomes.ts'
import { metAmong, writeInSize } from '../row-outcomes.ts'
import {
  type AccountDecider,
  type FoundParts,
  heldBy,
  type PartFields,
  type PreparedRow,
  personIdOf,
} from './decide.ts'
import { graphsMax, writeGraphs } from './graphs.ts'
import { mainObjectOfId, type PartObject, partName, partObjects } from './parts.ts'

type Found = ReadonlyMap<string, FoundParts>

export class AccountPort implements PushPort<PartFields, FoundParts, PreparedRow> {
  readonly crm = 'Salesforce'
  readonly fieldsOfCrm: FieldsOfCrm
  readonly #decider: AccountDecider

  constructor(decider: AccountDecider) {
    this.#decider = decider
    this.fieldsOfCrm = { mayBeOfFields, answers: [decider.described, decider.owners, decider.lists] }
  }

  fields(leads: readonly OutgoingLead[], act: Act): Promise<PartFields> {
    return this.#decider.fields(leads, act)
  }

  /** Before set-up there is no external-id field to query by, and so no record that could have one. */
  async find(sought: readonly Sought[], fields: PartFields): Promise<Found> {
    const { settings, client } = this.#decider.parts
    const { external_id_field: keyField } = settings
    const found = new Map<string, FoundParts>()
    if (!(await this.#decider.isSetUp())) return found
    const ids = sought.map(({ externalId }) => externalId)
    for (const object of partObjects) {
      const keys = object === 'Account' ? ids.filter((id) => mainObjectOfId(id) === 'Account') : ids
      for (const record of await findMany(client, { object, keyField, keys, fields: [...fields[object].keys()] })) {
        const externalId = String(record[keyField])
        found.set(externalId, { ...found.get(externalId), [object]: record })
      }
    }
    return found
  }

  async known(sought: readonly Sought[], found: Found, fields: PartFields, use: KnownUse): Promise<Known<FoundParts>> {
    const read = (object: PartObject) => {
      const known = sought.map((lead) => ({ ...lead, crmId: knownIdOf(lead, object) }))
      const lost = lostAmong(known, { has: (id) => found.get(id)?.[object] !== undefined })
      return findKnownRecords(this.#decider.parts, { object, lost, fields: [...fields[object].keys()], use })
    }
    return knownOfRows(sought, found, { Account: await read('Account'), Contact: await read('Contact') })
  }

  decide(leads: readonly OutgoingLead[], found: Found, fields: PartFields): Promise<readonly PreparedRow[]> {
    return this.#decider.decide(leads, found, fields)
  }

  async write(rows: readonly PreparedRow[], _fields: PartFields, how: 'create' | 'upsert'): Promise<WriteReport> {
    const { client, settings, size, reportWrite } = this.#decider.parts
    const outcomes = new Map<string, PushOutcome>()
    const send = async (batch: readonly PreparedRow[]) => {
      for (const { lead, decision, parts } of batch) reportWrite(lead.externalId, rowWriteOf(decision, heldBy(parts)))
      const results = await writeGraphs(client, settings, batch, how)
      batch.forEach(({ decision }, n) => void this.#decider.lists.note(results[n], decision.write))
      return results
    }
    const stoppedBy = await writeInSize(rows, send, size, outcomes, graphsMax)
    return { outcomes, stoppedBy, met: how === 'create' ? metAmong(rows, outcomes) : [] }
  }
}

/** The CRM id from the ledger: of the main record, or of a company's person. */
function knownIdOf(lead: Sought, object: PartObject): string | null {
  return object === mainObjectOfId(lead.externalId) ? lead.crmId : personIdOf(lead)
}

/**
 * The main record decides; a company's person only if its external id was refused, since another person would be
 * created. A company whose person was deleted or merged continues without one.
 */
function knownOfRows(
  sought: readonly Sought[],
  found: Found,
  known: Readonly<Record<PartObject, Known<SalesforceRecord>>>,
): Known<FoundParts> {
  const records = new Map<string, FoundParts>()
  const named = new Map<string, readonly string[]>()
  const refused = new Map<string, NotWritten>()
  const again = new Map<string, string>()
  for (const { externalId: id } of sought) {
    const main = known[mainObjectOfId(id)]
    const person = main === known.Contact ? undefined : known.Contact.refused.get(id)
    const isAlone = person !== undefined && 'isFate' in person
    const back = partObjects.filter((object) => known[object].records.has(id))
    const parts = back.map((object) => [object, known[object].records.get(id)] as const)
    if (isAlone || back.length > 0) records.set(id, { ...found.get(id), ...Object.fromEntries(parts), isAlone })
    const fields = back.flatMap((object) => (known[object].named.get(id) ?? []).map((field) => partName(object, field)))
    if (fields.length > 0) named.set(id, fields)
    const [refusal, gone] = [main.refused.get(id) ?? (isAlone ? undefined : person), main.again.get(id)]
    if (refusal !== undefined) refused.set(id, refusal)
    if (gone !== undefined) again.set(id, gone)
  }
  return { records, named, refused, again }
}
