/** What the push engine asks of a Zoho org: Leads by the unique field Panji Id. */
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
import { referenceTypes } from './users.ts'
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
    this.fieldsOfCrm = { mayBeOfFields, asked: [decider.listed, decider.users] }
    this.#reportWrite = reportWrite
  }

  async fields(leads: readonly OutgoingLead[], act: Act): Promise<Fields> {
    const fields = await this.#decider.fields(leads)
    if (act === 'push') requireFields(fields.mapped)
    return fields
  }

  /** Before set-up there is no field to ask by, and no record that could carry it; nor is there where somebody made another one of it. */
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
    const isReference = (field: string) => referenceTypes.has(fields.mapped.get(field)?.type ?? '')
    const writing = {
      client: this.#client,
      settings: this.#settings,
      reportWrite: this.#reportWrite,
      omit,
      isReference,
    }
    const report = await writeRows(writing, rows)
    const leads = rows.map(({ lead }) => lead)
    return { ...report, met: how === 'create' ? leads.filter(metIn(report.outcomes)) : [] }
  }

  /**
   * An insert that meets its own identity lost a race, and the next try finds the record; unless nobody can find it, since it
   * was converted or belongs to people of whose records this user sees none. That would be deferred for ever.
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

/** An insert met the lead's own identity. */
const metIn =
  (outcomes: ReadonlyMap<string, PushOutcome>) =>
  ({ itemId }: OutgoingLead): boolean => {
    const outcome = outcomes.get(itemId)
    return outcome?.status === 'deferred' && outcome.code === 'DUPLICATE_DATA' && outcome.field === identityField
  }

/** Zoho has one word for a value that its field does not take, whatever the field is by now. */
const mayBeOfFields = ({ code }: Refusal): boolean => code === 'INVALID_DATA'
