/** What the push engine needs of a CRM that keeps one record per lead. */
import type { AppError } from '../src/errors.ts'
import type { FieldsOfCrm } from './changed-fields.ts'
import type { OutgoingLead, PushOutcome, Refusal } from './contract.ts'
import type { FieldDecision, FieldValue } from './field-ownership.ts'
import type { Known, KnownUse, Sought } from './known-records.ts'

export interface FoundRecord {
  readonly crmId: string
  readonly values: Readonly<Record<string, unknown>>
}

/** A lead with the decision on its record, or why it would be refused. */
export interface Decided {
  readonly lead: OutgoingLead
  /** The record in the CRM as it was compared; undefined if there is none. */
  readonly record: FoundRecord | undefined
  readonly refusal: Refusal | null
  readonly decision: FieldDecision<FieldValue>
}

export interface WriteReport {
  /** By item id. Missing rows were not written, for the reason `stoppedBy`. */
  readonly outcomes: ReadonlyMap<string, PushOutcome>
  readonly stoppedBy: AppError | null
  /** Leads whose records were to be created but already exist: the engine reads them and pushes them again. */
  readonly met: readonly OutgoingLead[]
}

/** The result of a push, for work after everything is written. */
export interface Pushed<Ground, Found> {
  readonly leads: readonly OutgoingLead[]
  readonly ground: Ground
  /** True if records were created without checking whether they exist. */
  readonly unread: boolean
  readonly found: ReadonlyMap<string, Found>
  /** By item id; may be modified. */
  readonly outcomes: Map<string, PushOutcome>
  readonly stoppedBy: AppError | null
}

export type Act = 'plan' | 'push'

/**
 * `Ground` is what is read from the CRM before any record: its fields, what they accept, who may own a record.
 * `Found` is the CRM's record of a lead.
 */
export interface PushPort<Ground, Found, D extends Decided = Decided> {
  /** The CRM's name as users know it. */
  readonly crm: string
  /** @throws AppError DESTINATION_INVALID for a push if the external-id field is missing or unsuitable. */
  fields(leads: readonly OutgoingLead[], act: Act): Promise<Ground>
  /** The records that the CRM has under these external ids. */
  find(sought: readonly Sought[], ground: Ground, act: Act): Promise<ReadonlyMap<string, Found>>
  /** Those that lost their external id. `restore` writes it back. */
  known(
    sought: readonly Sought[],
    found: ReadonlyMap<string, Found>,
    ground: Ground,
    use: KnownUse,
  ): Promise<Known<Found>>
  /** Why a lead would be refused whatever the CRM holds; such a lead is not looked up. */
  foreseen?(lead: OutgoingLead, ground: Ground): Refusal | null
  /** One per lead, in order. @param found by external id. */
  decide(leads: readonly OutgoingLead[], found: ReadonlyMap<string, Found>, ground: Ground): Promise<readonly D[]>
  /** Whether the CRM's fields have changed since they were read. */
  readonly fieldsOfCrm: FieldsOfCrm
  /** `create` refuses existing records. */
  write(rows: readonly D[], ground: Ground, how: 'create' | 'upsert'): Promise<WriteReport>
  finish?(pushed: Pushed<Ground, Found>): Promise<void>
}
