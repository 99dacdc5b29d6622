/**
 * Leads as Accounts and Contacts of the org. A row is written completely or not at all, and found again by its
 * external id, so pushing twice leaves one Account and one Contact; records that already agree are not written.
 */

import type {
  Adoption,
  CrmField,
  KnownRecords,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  SetupReport,
} from '../../contract.ts'
import { type FilledLead, fillEach } from '../../filled-lead.ts'
import { areAllKnown, soughtOf } from '../../known-records.ts'
import { reportLeftOut } from '../../left-out.ts'
import { adviceOnListValues } from '../../listed-value.ts'
import { withIdentity } from '../../overrides.ts'
import { PushEngine } from '../../push-engine.ts'
import { LeadRecords } from '../leads/lead-records.ts'
import type { OrgParts, OrgRecords } from '../records.ts'
import { setUp } from '../setup.ts'
import { adoptionOfAccounts } from './adopt-accounts.ts'
import { AccountDecider, type FoundParts, type PartFields, type PreparedRow } from './decide.ts'
import { eraseParts, type HeldParts } from './erase.ts'
import { graphsMax } from './graphs.ts'
import { mainObjectOfId, namedWith, orgObject, partName, partObjects, partsOf } from './parts.ts'
import { AccountPort } from './port.ts'

export class AccountRecords implements OrgRecords {
  readonly #parts: OrgParts
  readonly #decider: AccountDecider
  readonly #engine: PushEngine<PartFields, FoundParts, PreparedRow>
  readonly #formerLeads: LeadRecords
  readonly adoption: Adoption | undefined
  /** Two full calls of graphs. */
  readonly leadsPerPush = 2 * graphsMax

  constructor(parts: OrgParts) {
    this.#parts = parts
    this.#decider = new AccountDecider(parts)
    this.#engine = new PushEngine(new AccountPort(this.#decider))
    this.#formerLeads = new LeadRecords(parts)
    this.adoption = adoptionOfAccounts(this.#decider)
  }

  /** Fields are named `Account.Name`, `Contact.Email`, since both objects have fields of the same name. */
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

  async fill(leads: readonly OutgoingLead[]): Promise<readonly FilledLead[]> {
    const fields = await this.#decider.fields(leads, 'plan')
    return fillEach(leads, (lead, reportMisfit) => {
      const parts = partsOf(lead, this.#parts.settings, fields, false, reportMisfit)
      return Object.assign({}, ...parts.map(({ object, target }) => namedWith(object, target)))
    })
  }

  async setup(mapped: readonly string[]): Promise<SetupReport> {
    const { client, settings } = this.#parts
    const report = await setUp(
      client,
      partObjects.map((object) => orgObject(settings, object)),
      mapped,
    )
    this.#decider.described.forget()
    this.#decider.owners.forget()
    const advice = adviceOnListValues(await this.describe(), settings.list_values)
    return { ...report, advice: [...(report.advice ?? []), ...advice] }
  }

  plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]> {
    return this.#engine.plan(leads)
  }

  async push(leads: readonly OutgoingLead[]): Promise<readonly PushOutcome[]> {
    return reportLeftOut(leads, await this.#engine.push(leads), () => this.#decider.leftOut(leads))
  }

  /** Each object is read with a query of its own. */
  callsFor(leads: number, writes: number): number {
    return partObjects.length * Math.ceil(leads / this.leadsPerPush) + Math.ceil(writes / graphsMax)
  }

  async lookup(externalIds: readonly string[], known: KnownRecords = new Map()) {
    const { found, fields } = await this.#seek(externalIds, known)
    return new Map(
      [...found].flatMap(([externalId, parts]) => {
        const main = parts[mainObjectOfId(externalId)]
        if (main === undefined) return []
        const values = partObjects.flatMap((object) => {
          const record = parts[object]
          if (record === undefined) return []
          const names = [...fields[object].keys(), ...(record === main ? [] : ['Id'])]
          return names.map((name) => [partName(object, name), record[name] ?? null] as const)
        })
        return [[externalId, { crmId: main.Id, values: Object.fromEntries(values) }] as const]
      }),
    )
  }

  /** Also erases Leads from before the destination was switched to accounts. */
  erase: OrgRecords['erase'] = async (externalIds, reportRestorable = () => {}, known = new Map()) => {
    const restorable = new Map<string, string>()
    const isAskable = areAllKnown(soughtOf(externalIds, known)) || (await this.#decider.isSetUp())
    const held = isAskable ? await this.#seek(externalIds, known) : null
    const count =
      held === null ? 0 : await eraseParts(this.#parts.client, held, known, (id, why) => void restorable.set(id, why))
    const former = await this.#formerLeads.eraseFormer(
      externalIds,
      (id, why) => void restorable.set(id, restorable.get(id) ?? why),
    )
    for (const [id, why] of restorable) reportRestorable(id, why)
    return Math.max(count, former)
  }

  async #seek(externalIds: readonly string[], known: KnownRecords): Promise<HeldParts> {
    const sought = soughtOf(externalIds, known)
    const act = areAllKnown(sought) ? 'plan' : 'push'
    const fields = await this.#decider.fields([], act)
    return { fields, found: await this.#engine.seek(sought, fields, act) }
  }
}
