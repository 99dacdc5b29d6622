/** The push port of a Zoho org: Leads by the unique field Panji Id. */
import { AppError } from '../../src/errors.ts'
import type { FieldsOfCrm } from '../changed-fields.ts'
import type { OutgoingLead, PushOutcome, Refusal, ReportWrite } from '../contract.ts'
import type { KnownUse, Sought } from '../known-records.ts'
import type { Act, FoundRecord, Pushed, PushPort, WriteReport } from '../push-port.ts'
import type { ZohoClient } from './client.ts'
import { type Fields, holdsIdentity, requireFields, type ZohoDecided, type ZohoDecider } from './decide.ts'
import { findKnownRecords } from './known.ts'
import { identityField } from './mapping.ts'
import type { ZohoSettings } from './settings.ts'
import { writeRows } from './write.ts'

type Records = ReadonlyMap<string, FoundRecord>

export class ZohoPort implements PushPort<Fields, FoundRecord, ZohoDecided> {
  readonly crm = 'Zoho'
  readonly fieldsOfCrm: FieldsOfCrm
  readonly #client: ZohoClient
  readonly #settings: ZohoSettings
  readonly #decider: ZohoDecider
  readonly #reportWrite: ReportWrite

  constructor(client: ZohoClient, settings: ZohoSettings, decider: ZohoDecider, reportWrite: ReportWrite) {
    this.#client = client
    this.#settings = settings
    this.#decider = decider
    this.fieldsOfCrm = { mayBeOfFields, answers: [decider.listed, decider.users] }
    this.#reportWrite = reportWrite
  }

  async fields(leads: readonly OutgoingLead[], act: Act): Promise<Fields> {
    const fields = await this.#decider.fields(leads)
    if (act === 'push') requireFields(fields.mapped)
    return fields
  }

  /** Before set-up, or if the field was changed, it cannot be queried, and no record can have an external id. */
  async find(sought: readonly Sought[], fields: Fields): Promise<Records> {
    return holdsIdentity(fields.mapped) ? this.#decider.find(sought, fields) : new Map()
  }

  known(sought: readonly Sought[], found: Records, fields: Fields, use: KnownUse) {
    return findKnownRecords(this.#client, this.#settings, sought, found, fields, use)
  }

  async decide(leads: readonly OutgoingLead[], found: Records, fields: Fields): Promise<readonly ZohoDecided[]> {
    return leads.map((lead) => this.#decider.decide(lead, found.get(lead.externalId), fields))
  }

  async write(rows: readonly ZohoDecided[], fields: Fields, how: 'create' | 'upsert'): Promise<WriteReport> {
    const omit = ({ lead, record, without }: ZohoDecided, field: string) =>
      this.#decider.decide(lead, record, fields, new Set([...without, field]))
    const writing = {
      client: this.#client,
      settings: this.#settings,
      reportWrite: this.#reportWrite,
      omit,
      typeOf: (field: string) => fields.mapped.get(field)?.type,
    }
    const report = await writeRows(writing, rows)
    const leads = rows.map(({ lead }) => lead)
    return { ...report, met: how === 'create' ? leads.filter(metIn(report.outcomes)) : [] }
  }

  /**
   * An insert that finds its own external id taken has lost a race, and the next attempt finds the record; unless it
   * cannot be found, since it was converted or belongs to users whose records this user does not see. It would then
   * be deferred for ever.
   */
  async finish({ leads, ground: fields, unread, outcomes }: Pushed<Fields, FoundRecord>): Promise<void> {
    const met = unread ? [] : leads.filter(metIn(outcomes))
    if (met.length === 0) return
    const found = await this.#decider.find(met, fields).catch((error: unknown) => {
      if (error instanceof AppError) return null
      throw error
    })
    const message = 'A record that this user cannot see, perhaps a converted lead, holds this Panji Id'
    for (const { itemId, externalId } of met)
      if (found !== null && !found.has(externalId))
        outcomes.set(itemId, { status: 'rejected', code: 'DUPLICATE_DATA', field: identityField, message })
  }
}

/** An insert was refused because its own external id exists. */
const metIn =
  (outcomes: ReadonlyMap<string, PushOutcome>) =>
  ({ itemId }: OutgoingLead): boolean => {
    const outcome = outcomes.get(itemId)
    return outcome?.status === 'deferred' && outcome.code === 'DUPLICATE_DATA' && outcome.field === identityField
  }

/** Zoho has a single code for a value that its field does not accept, whatever the field is now. */
const mayBeOfFields = ({ code }: Refusal): boolean => code === 'INVALID_DATA'
