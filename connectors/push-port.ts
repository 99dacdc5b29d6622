/** What the push engine asks of a CRM that keeps one record for each lead, and what it is told. */
import type { AppError } from '../src/errors.ts'
import type { FieldsOfCrm } from './changed-fields.ts'
import type { OutgoingLead, PushOutcome, Refusal } from './contract.ts'
import type { FieldDecision, FieldValue } from './field-ownership.ts'
import type { Known, Sought } from './known-records.ts'

export interface FoundRecord {
  readonly crmId: string
  readonly values: Readonly<Record<string, unknown>>
}

/** What a record is to become, and why the lead would be refused. */
export interface Decided {
  readonly refusal: Refusal | null
  readonly decision: FieldDecision<FieldValue>
}

/** A lead on its way, with the record that the CRM has of it. */
export interface Row<D extends Decided> {
  readonly lead: OutgoingLead
  readonly record: FoundRecord | undefined
  readonly decided: D
}

export interface WriteReport {
  /** By item id. Rows that are missing here were not written, for the reason `stoppedBy`. */
  readonly outcomes: ReadonlyMap<string, PushOutcome>
  readonly stoppedBy: AppError | null
  /** Leads whose records were to be created and are there all the same: the engine reads them and pushes them again. */
  readonly met: readonly OutgoingLead[]
}

/** What a push did, for what is done once all is written. */
export interface Pushed<Ground> {
  readonly leads: readonly OutgoingLead[]
  readonly ground: Ground
  /** Records were created without a look whether they are there. */
  readonly unread: boolean
  readonly found: ReadonlyMap<string, FoundRecord>
  /** By item id; to be changed. */
  readonly outcomes: Map<string, PushOutcome>
  readonly stoppedBy: AppError | null
}

export type Act = 'plan' | 'push'

/** `Ground` is what is asked of the CRM before any record is: its fields, what they take, who may own a record. */
export interface PushPort<Ground, D extends Decided = Decided> {
  /** As people call it. */
  readonly crm: string
  /** The field of the identity, as the vendor names it. */
  readonly identity: string
  /** @throws AppError DESTINATION_INVALID for a push where the field of the identity is missing or holds none. */
  fields(leads: readonly OutgoingLead[], act: Act): Promise<Ground>
  /** By external id those that the CRM has under their identity. */
  find(sought: readonly Sought[], ground: Ground, act: Act): Promise<ReadonlyMap<string, FoundRecord>>
  /** Those that lost it. `restore` gives it back. */
  known(
    sought: readonly Sought[],
    found: ReadonlyMap<string, FoundRecord>,
    ground: Ground,
    use: 'look' | 'restore',
  ): Promise<Known<FoundRecord>>
  /** Why a lead would be refused, whatever the CRM holds: it is not asked for. */
  foreseen(lead: OutgoingLead, ground: Ground): Refusal | null
  decide(lead: OutgoingLead, record: FoundRecord | undefined, ground: Ground): D
  /** What the CRM may say otherwise of its fields by now. */
  readonly changes: FieldsOfCrm
  /** `create` refuses what is there. */
  write(rows: readonly Row<D>[], ground: Ground, how: 'create' | 'upsert'): Promise<WriteReport>
  finish(pushed: Pushed<Ground>): Promise<void>
}
