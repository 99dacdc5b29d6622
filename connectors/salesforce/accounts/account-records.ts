/**
 * Leads as Accounts and Contacts of the org. Every row is written whole or not at all, and found again by its external id, so
 * pushing twice leaves one Account and one Contact; what holds everything already is not written.
 */
import { pushAsChanged } from '../../changed-fields.ts'
import type {
  Adoption,
  CrmField,
  KnownRecords,
  Misfit,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  Refusal,
  RowWrite,
  SetupReport,
} from '../../contract.ts'
import { changesOf, rowWriteOf } from '../../field-ownership.ts'
import { identityBack, soughtOf } from '../../known-records.ts'
import { adviceOnListValues } from '../../listed-value.ts'
import { withIdentity } from '../../overrides.ts'
import { plannedAction } from '../../planned-action.ts'
import { foreseenRefusal } from '../fill-fields.ts'
import { LeadRecords } from '../leads/lead-records.ts'
import { mayBeOfFields } from '../outcomes.ts'
import type { OrgParts, OrgRecords } from '../records.ts'
import { inCalls, notSent, pushMetAgain, writeInSize } from '../row-outcomes.ts'
import { setUp } from '../setup.ts'
import { adoptionOfAccounts } from './adopt-accounts.ts'
import { AccountDecider, nothingFound, type PartFields, type PreparedRow } from './decide.ts'
import { eraseParts } from './erase.ts'
import { graphsMax, needsNode, valuesOf, writeGraphs } from './graphs.ts'
import { mainObjectOfId, orgObject, type PartObject, partName, partObjects, partsOf } from './parts.ts'

export class AccountRecords implements OrgRecords {
  readonly #parts: OrgParts
  readonly #decider: AccountDecider
  readonly #formerLeads: LeadRecords
  readonly adoption: Adoption | undefined
  /** Two full calls of graphs. */
  readonly leadsPerPush = 2 * graphsMax

  constructor(parts: OrgParts) {
    this.#parts = parts
    this.#decider = new AccountDecider(parts)
    this.#formerLeads = new LeadRecords(parts)
    this.adoption = adoptionOfAccounts(this.#decider)
  }

  /** Named `Account.Name`, `Contact.Email`: both objects have fields of the same names. */
  async describe(): Promise<readonly CrmField[]> {
    const described = await this.#decider.described.get()
    const { external_id_field: identity } = this.#parts.settings
    const { owners } = this.#decider
    const parts = partObjects.map(async (object) => {
      const fields = await Promise.all(described[object].map((field) => owners.describe(object, field)))
      return withIdentity(fields, (name) => name === identity).map((field) => ({
        ...field,
        name: partName(object, field.name),
      }))
    })
    return (await Promise.all(parts)).flat()
  }

  async misfits(leads: readonly OutgoingLead[]): Promise<readonly Misfit[]> {
    const fields = await this.#decider.fieldMaps(false, leads)
    const misfits: Misfit[] = []
    for (const lead of leads) partsOf(lead, this.#parts.settings, fields, false, (misfit) => void misfits.push(misfit))
    return misfits
  }

  async setup(): Promise<SetupReport> {
    const { client, settings } = this.#parts
    const report = await setUp(
      client,
      partObjects.map((object) => orgObject(settings, object)),
    )
    this.#decider.described.forget()
    this.#decider.owners.forget()
    const advice = adviceOnListValues(await this.describe(), settings.list_values)
    return { ...report, advice: [...(report.advice ?? []), ...advice] }
  }

  /** Before set-up there is no external-id field to ask by, and no record that could carry it. */
  async plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    const isSetUp = await this.#decider.isSetUp()
    const fields = await this.#decider.fieldMaps(isSetUp, leads)
    const { external_id_field: identity } = this.#parts.settings
    const decider = this.#decider
    const rows = isSetUp
      ? await decider.prepare(leads, 'look')
      : await decider.decide(leads, fields, nothingFound, await decider.known(leads, fields, nothingFound, 'look'))
    return rows.map((row) => {
      const back = row.named.map((object) => identityBack(partName(object, identity), row.lead.externalId))
      const written = row.parts.flatMap(({ object, record, decision }) =>
        changesOf(decision, record ?? {}).map((each) => ({ ...each, field: partName(object, each.field) })),
      )
      return plannedAction('Salesforce', {
        refusal: refusalOf(row, fields),
        fate: row.fate,
        changes: row.parts[0]?.record && [...back, ...written],
        held: row.parts.flatMap(({ object, decision }) => decision.held.map((field) => partName(object, field))),
      })
    })
  }

  push(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, PushOutcome>> {
    const changes = { mayBeOfFields, count: () => this.#decider.changes, renew: () => this.#decider.renew() }
    return inCalls(leads, readMax, (batch) =>
      pushAsChanged(
        batch,
        ({ externalId }) => externalId,
        changes,
        (some) => this.#pushBatch(some),
      ),
    )
  }

  /** Both objects are read, each with a question of its own. */
  callsFor(leads: number, writes: number): number {
    return partObjects.length * Math.ceil(leads / this.leadsPerPush) + Math.ceil(writes / graphsMax)
  }

  async lookup(externalIds: readonly string[], known: KnownRecords = new Map()) {
    const { found, fields } = await this.#decider.seek(soughtOf(externalIds, known))
    return new Map(
      externalIds.flatMap((externalId) => {
        const main = found[mainObjectOfId(externalId)].get(externalId)
        if (main === undefined) return []
        const values = partObjects.flatMap((object) => {
          const record = found[object].get(externalId)
          if (record === undefined) return []
          const known = [...fields[object].keys()].map(
            (name) => [partName(object, name), record[name] ?? null] as const,
          )
          return record === main ? known : [...known, [partName(object, 'Id'), record.Id] as const]
        })
        return [[externalId, { crmId: main.Id, values: Object.fromEntries(values) }] as const]
      }),
    )
  }

  /** And the Leads that the destination made before it was turned to accounts. */
  erase: OrgRecords['erase'] = async (externalIds, tellRestorable = () => {}, known = new Map()) => {
    const told = new Map<string, string>()
    const count = await eraseParts(this.#decider, soughtOf(externalIds, known), (id, why) => void told.set(id, why))
    const former = await this.#formerLeads.eraseFormer(externalIds, (id, why) => void told.set(id, told.get(id) ?? why))
    for (const [id, why] of told) tellRestorable(id, why)
    return Math.max(count, former)
  }

  async #pushBatch(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, PushOutcome>> {
    const { client, settings, size, tellWrite } = this.#parts
    const fields = await this.#decider.fieldMaps(true, leads)
    const unread = this.#decider.newRecords.mayBeCreated(leads)
    const rows = await (unread
      ? this.#decider.decide(leads, fields, nothingFound)
      : this.#decider.prepare(leads, 'restore'))
    const written = new Map<PreparedRow, PushOutcome>()
    const toWrite = rows.filter((row) => {
      const { unnamed } = row
      const refusal = refusalOf(row, fields)
      if (unnamed !== undefined) written.set(row, { status: 'rejected', ...unnamed })
      else if (refusal) written.set(row, { status: 'rejected', ...refusal })
      return unnamed === undefined && !refusal && row.parts.some(needsNode)
    })
    const how = unread ? 'create' : 'upsert'
    for (let from = 0; from < toWrite.length; from += graphsMax) {
      const batch = toWrite.slice(from, from + graphsMax)
      const send = (some: readonly PreparedRow[]) => {
        for (const row of some) tellWrite(row.lead.externalId, writeOf(row))
        return writeGraphs(client, settings, some, how)
      }
      await writeInSize(batch, send, written, size)
    }
    const outcomes = new Map(rows.map((row) => [row.lead.externalId, written.get(row) ?? unchanged(row)] as const))
    if (!unread) return outcomes
    return pushMetAgain(leads, outcomes, this.#decider.newRecords, (met) => this.#pushBatch(met))
  }
}

/** Of both objects, each field with its object. */
function writeOf({ parts }: PreparedRow): RowWrite {
  const told = parts.map(({ object, record, decision }) => ({ object, ...rowWriteOf(decision, record) }))
  const named = (object: PartObject, values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).map(([field, value]) => [partName(object, field), value] as const)
  return {
    sent: Object.fromEntries(told.flatMap(({ object, sent }) => named(object, sent))),
    before: told.every(({ before }) => before === null)
      ? null
      : Object.fromEntries(told.flatMap(({ object, before }) => named(object, before ?? {}))),
  }
}

/** Rows that are read and decided at once. */
const readMax = 200

function refusalOf({ parts }: PreparedRow, fields: PartFields): Refusal | null {
  for (const { object, decision } of parts) {
    const refusal = foreseenRefusal(decision.write, fields[object])
    if (refusal) return { ...refusal, field: refusal.field === null ? null : partName(object, refusal.field) }
  }
  return null
}

function unchanged(row: PreparedRow): PushOutcome {
  const record = row.parts[0]?.record
  const status = row.named.length > 0 ? 'updated' : 'unchanged'
  return record === undefined ? notSent : { status, crmId: record.Id, values: valuesOf(row) }
}
