/**
 * The push port of a HubSpot account: companies and contacts by their unique `panji_id`, linked after they are
 * written.
 */

import type { FieldsOfCrm } from '../changed-fields.ts'
import type { OutgoingLead, PushOutcome, Refusal, ReportWrite } from '../contract.ts'
import { decideFields, type FieldDecision, type FieldRule, unconfirmedOf } from '../field-ownership.ts'
import type { KnownUse, Sought } from '../known-records.ts'
import { ownershipOf } from '../overrides.ts'
import type { Act, Decided, FoundRecord, Pushed, PushPort, WriteReport } from '../push-port.ts'
import { associate, type LinkedLead, needsLinks } from './associations.ts'
import type { HubspotClient } from './client.ts'
import type { HubspotFields } from './fields.ts'
import { findKnownRecords } from './known.ts'
import { findRecords } from './lookup.ts'
import {
  type CrmObject,
  crmObjects,
  desiredValues,
  type Lists,
  objectOf,
  ownOverrides,
  propertiesOf,
  unfitOf,
} from './mapping.ts'
import type { HubspotSettings } from './settings.ts'
import { upsert } from './upsert.ts'
import { foreseenRefusal } from './value-faults.ts'

export interface Ground {
  /** What restricted fields accept. */
  readonly lists: Lists
  /** Properties of an object that mappings name in addition to Panji's own. */
  readonly named: (object: CrmObject) => readonly string[]
  /** Whether an account without `panji_id` counts as empty. */
  readonly beforeSetUp: 'nothing' | 'refuse'
}

type Records = ReadonlyMap<string, FoundRecord>

export interface HubspotDecided extends Decided {
  readonly decision: FieldDecision<string>
}

/** HubSpot silently ignores an earlier stage written by an app. */
const lifecycleStage = 'lifecyclestage'

export class HubspotPort implements PushPort<Ground, FoundRecord, HubspotDecided> {
  readonly crm = 'HubSpot'
  readonly fieldsOfCrm: FieldsOfCrm
  readonly #client: HubspotClient
  readonly #settings: HubspotSettings
  readonly #fields: HubspotFields
  readonly #reportWrite: ReportWrite

  constructor(client: HubspotClient, settings: HubspotSettings, fields: HubspotFields, reportWrite: ReportWrite) {
    this.#client = client
    this.#settings = settings
    this.#fields = fields
    this.fieldsOfCrm = { mayBeOfFields, answers: fields.answers }
    this.#reportWrite = reportWrite
  }

  async fields(leads: readonly OutgoingLead[], act: Act): Promise<Ground> {
    const named = (object: CrmObject) => [
      ...new Set(leads.flatMap((lead) => (objectOf(lead.type) === object ? [...ownOverrides(lead).keys()] : []))),
    ]
    if (act === 'push') await this.#fields.requireIdentity(leads)
    return { lists: await this.#fields.listsFor(leads), named, beforeSetUp: act === 'plan' ? 'nothing' : 'refuse' }
  }

  async find(sought: readonly Sought[], { named, beforeSetUp }: Ground) {
    const askable = beforeSetUp === 'refuse' ? sought : await this.#fields.askable(sought)
    const ids = askable.map(({ externalId }) => externalId)
    return findRecords(this.#client, ids, beforeSetUp, named)
  }

  known(sought: readonly Sought[], found: Records, { named }: Ground, use: KnownUse) {
    return findKnownRecords(this.#client, this.#settings, sought, found, named, use)
  }

  foreseen(lead: OutgoingLead, { lists }: Ground): Refusal | null {
    return foreseenRefusal(desiredValues(lead, lists), propertiesOf(objectOf(lead.type)))
  }

  async decide(leads: readonly OutgoingLead[], found: Records, ground: Ground): Promise<readonly HubspotDecided[]> {
    return leads.map((lead) => this.decideOne(lead, found.get(lead.externalId), ground))
  }

  decideOne(lead: OutgoingLead, record: FoundRecord | undefined, { lists }: Ground): HubspotDecided {
    const properties = propertiesOf(objectOf(lead.type))
    const desired = new Map(desiredValues(lead, lists))
    const overrides = ownOverrides(lead)
    // `panji_email` has the address and `email` does not: another contact has it, or a user removed it. Another
    // attempt would be refused at every push.
    const settled = record !== undefined && record.values['panji_email'] === desired.get('email')
    if (settled && this.#settings.ownership['email'] !== 'always') desired.delete('email')
    const ruleOf = (name: string): FieldRule => {
      const property = properties.get(name)
      const byDefault = property?.custom === true ? 'always' : 'if_unchanged'
      const ownership = ownershipOf(overrides, name) ?? this.#settings.ownership[name] ?? byDefault
      const stages = name === lifecycleStage && lists.get(`${objectOf(lead.type)}.${name}`)?.allowed
      return {
        ...{ ownership, numeric: property?.type === 'number', caseless: name === 'email' },
        ...(stages && { stages }),
      }
    }
    const unconfirmed = unconfirmedOf(lead).map((sent) => Object.fromEntries(desiredValues(sent, lists)))
    const held = record?.values ?? null
    const decision = decideFields(Object.fromEntries(desired), held, lead.lastPushed, ruleOf, unconfirmed)
    return { lead, record, refusal: null, decision }
  }

  /** Companies first, since contacts are linked to them. */
  async write(rows: readonly HubspotDecided[], { lists }: Ground, how: 'create' | 'upsert'): Promise<WriteReport> {
    const outcomes = new Map<string, PushOutcome>()
    const met: OutgoingLead[] = []
    for (const object of crmObjects) {
      const some = rows.filter(({ lead }) => objectOf(lead.type) === object)
      const writes = some.map(({ lead, record, decision }) => ({
        ...{ lead, properties: decision.write, values: decision.values },
        ...{ present: record?.values ?? null, leftOut: [], unfit: unfitOf(lead, lists), retried: false },
      }))
      const report = await upsert(this.#client, object, writes, how, this.#reportWrite)
      for (const [itemId, outcome] of report.outcomes) outcomes.set(itemId, outcome)
      met.push(...report.met)
      if (report.stoppedBy !== null) return { outcomes, met, stoppedBy: report.stoppedBy }
    }
    return { outcomes, met, stoppedBy: null }
  }

  /** Records that are written but not linked are `unknown`: the next push compares and links them. */
  async finish({ leads, found, outcomes, stoppedBy }: Pushed<Ground, FoundRecord>): Promise<void> {
    const known = new Map([...found].map(([id, { crmId }]) => [id, crmId] as const))
    const linked: LinkedLead[] = []
    for (const lead of leads) {
      const outcome = outcomes.get(lead.itemId)
      if (outcome === undefined || !('crmId' in outcome)) continue
      known.set(lead.externalId, outcome.crmId)
      if (needsLinks(lead)) linked.push({ lead, crmId: outcome.crmId })
    }
    if (linked.length === 0) return
    const failure = stoppedBy === null ? await associate(this.#client, linked, known) : stoppedBy.message
    if (failure === null) return
    const message = `written, but not associated: ${failure}`
    for (const { lead } of linked) outcomes.set(lead.itemId, { status: 'unknown', message })
  }
}

/** Errors for values that the account no longer accepts after a list, a type or a permission changed. */
const ofFields = new Set([
  ...['INVALID_OPTION', 'READ_ONLY_VALUE', 'INVALID_OWNER_ID'],
  ...['INVALID_INTEGER', 'INVALID_DATE', 'INVALID_BOOLEAN'],
])

const mayBeOfFields = ({ code }: Refusal): boolean => ofFields.has(code)
