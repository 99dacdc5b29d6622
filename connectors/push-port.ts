/** What the push engine asks of a CRM that keeps one record for each lead, and what it is told. */
import type { AppError } from '../src/errors.ts'
import type { FieldsOfCrm } from './changed-fields.ts'
import type { OutgoingLead, PushOutcome, Refusal } from './contract.ts'
import type { FieldDecision, FieldValue } from './field-ownership.ts'
import type { Known, KnownUse, Sought } from './known-records.ts'

export interface FoundRecord {
  readonly crmId: string
  readonly values: Readonly<Record<string, unknown>>
}

/** A lead on its way: what its record is to become, or why it would be refused. */
export interface Decided {
  readonly lead: OutgoingLead
  /** What stands in the CRM, as it was compared; undefined where nothing does. */
  readonly record: FoundRecord | undefined
  readonly refusal: Refusal | null
  readonly decision: FieldDecision<FieldValue>
}

export interface WriteReport {
  /** By item id. Rows that are missing here were not written, for the reason `stoppedBy`. */
  readonly outcomes: ReadonlyMap<string, PushOutcome>
  readonly stoppedBy: AppError | null
  /** Leads whose records were to be created and are there all the same: the engine reads them and pushes them again. */
  readonly met: readonly OutgoingLead[]
}

/** What a push did, for what is done once all is written. */
export interface Pushed<Ground, Found> {
  readonly leads: readonly OutgoingLead[]
  readonly ground: Ground
  /** Records were created without a look whether they are there. */
  readonly unread: boolean
  readonly found: ReadonlyMap<string, Found>
  /** By item id; to be changed. */
  readonly outcomes: Map<string, PushOutcome>
  readonly stoppedBy: AppError | null
}

export type Act = 'plan' | 'push'

/**
 * `Ground` is what is asked of the CRM before any record is: its fields, what they take, who may own a record. `Found` is what
 * the CRM has of a lead.
 */
export interface PushPort<Ground, Found, D extends Decided = Decided> {
  /** As people call it. */
  readonly crm: string
  /** @throws AppError DESTINATION_INVALID for a push where the field of the identity is missing or holds none. */
  fields(leads: readonly OutgoingLead[], act: Act): Promise<Ground>
  /** By external id those that the CRM has under their identity. */
  find(sought: readonly Sought[], ground: Ground, act: Act): Promise<ReadonlyMap<string, Found>>
  /** Those that lost it. `restore` gives it back. */
  known(
    sought: readonly Sought[],
    found: ReadonlyMap<string, Found>,
    ground: Ground,
    use: KnownUse,
  ): Promise<Known<Found>>
  /** Why a lead would be refused, whatever the CRM holds: it is not asked for. */
  foreseen?(lead: OutgoingLead, ground: Ground): Refusal | null
  /** One for each lead, in order. @param found by external id. */
  decide(leads: readonly OutgoingLead[], found: ReadonlyMap<string, Found>, ground: Ground): Promise<readonly D[]>
  /** What the CRM may say otherwise of its fields by now. */
  readonly fieldsOfCrm: FieldsOfCrm
  /** `create` refuses what is there. */
  write(rows: readonly D[], ground: Ground, how: 'create' | 'upsert'): Promise<WriteReport>
  finish?(pushed: Pushed<Ground, Found>): Promise<void>
}
