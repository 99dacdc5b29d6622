/**
 * What a CRM connector is. A connector sees this file, `src/domain` and `src/errors.ts`, nothing else of Panji.
 *
 * The promise of `push`: exactly one outcome per lead, in the order given, whatever the CRM answers. A lead the CRM
 * did not mention is `unknown`, never a success and never dropped. A failure of the whole call (no connection, 401,
 * daily quota) is thrown as AppError; one bad row is an outcome.
 *
 * An AppError thrown by `push` means that nothing was written, for no lead of the call: the engine sends them all again.
 * As soon as one row may have been written, `push` returns: `unknown` for rows whose fate is open, `deferred` for rows
 * that were not sent. Anything else that is thrown leaves every lead of the call `unknown`.
 *
 * A CRM that takes many rows as a job of its own outlives the push that began it. What is needed to ask for that job again is
 * given to `keep` before the first row leaves. From then on, until `keep(null)`, whatever is thrown means that the job is
 * under way: its leads are handed to `push` again with what was kept, by this process or by another one after its death.
 */
import type { LeadRow } from '../config/lead-columns.ts'
import type { EntityType } from '../src/domain/identity.ts'
import type { BulkWay, PushPlace } from './bulk-way.ts'
import type { CallGate, LimitReport } from './call-gate.ts'
import type { RenewSettings } from './renew-settings.ts'
import type { SettingField, SignInWay } from './settings-form.ts'

/** Longest wait that an answer of a CRM can ask for; no header or mistake of a vendor shuts an account for longer. */
export const waitMsMax = 3_600_000

/**
 * Who owns a field of a record: `always`: the register's value wins. `if_empty`: written once. `if_unchanged`: written as long
 * as nobody in the CRM has touched the value that Panji pushed last.
 */
export const ownerships = ['always', 'if_empty', 'if_unchanged'] as const
export type Ownership = (typeof ownerships)[number]

/** What a destination's own mapping says of one field of the CRM, worked out for one lead. */
export interface FieldOverride {
  /** As `describe` names it. */
  readonly field: string
  /** In place of the connector's own value; null: the field is not written. Missing: the connector's own. */
  readonly value?: string | null
  readonly ownership?: Ownership
}

/** What a lead said when it was sent. */
export interface SentRow {
  readonly row: LeadRow
  /** None where the destination has no mapping of its own. The field of the registry's identity is never one of them. */
  readonly overrides?: readonly FieldOverride[]
}

/** A lead on its way into a CRM. */
export interface OutgoingLead extends SentRow {
  readonly itemId: string
  /** `company:CIN`, `director:DIN`, `gst:GSTIN`: the value of the CRM's unique external-id field. */
  readonly externalId: string
  readonly type: EntityType
  /** Values of the last acknowledged push, by CRM field; null before the first. Used by `if_unchanged`. */
  readonly lastPushed: Readonly<Record<string, unknown>> | null
  /** Id of the CRM record of the last acknowledged push. */
  readonly crmId: string | null
  /** A person asked for this very lead again: where its record is gone it gets a new one, whatever the settings say. */
  readonly recreate?: boolean
  /**
   * What was sent for this lead since the last acknowledged push and never answered: where the CRM holds a value of it, that
   * is Panji's own and nobody's edit.
   */
  readonly unconfirmed?: readonly SentRow[]
}

/** What the ledger knows of a lead's record. */
export type KnownRecord = Pick<OutgoingLead, 'crmId' | 'lastPushed'>

/**
 * By external id, for records whose field of the identity was deleted or emptied in the CRM: they are found by the CRM's own id.
 * A record that has the identity of another lead by now is not.
 */
export type KnownRecords = ReadonlyMap<string, KnownRecord>

export interface Refusal {
  /** The vendor's own code, e.g. INVALID_EMAIL_ADDRESS. */
  readonly code: string
  readonly field: string | null
  readonly message: string
}

export type PushOutcome =
  | {
      readonly status: 'created' | 'updated' | 'unchanged'
      readonly crmId: string
      /** Values now known to be in the CRM, by CRM field. */
      readonly values: Readonly<Record<string, unknown>>
      /** Why some of the lead was not written, its fields by name: the CRM has them no more. Or why its record joined something not. */
      readonly leftOut?: Refusal
      /** The record is there, and what it is to join could not be told for now: the lead is delivered, and pushed again after this. */
      readonly againAfterMs?: number
    }
  /** @param isFate the lead's own record was deleted, or merged into another one's: what was acknowledged is there no more. */
  | ({ readonly status: 'rejected'; readonly isFate?: true } & Refusal)
  /**
   * The CRM refused for now: nothing was written for this lead. `blocks` where it would take no other lead either until
   * its owner makes room: storage is full, licences are used up.
   */
  | ({ readonly status: 'deferred'; readonly afterMs: number; readonly blocks?: true } & Refusal)
  /** It is not known whether the CRM wrote it (connection lost, row missing from the answer). */
  | { readonly status: 'unknown'; readonly message: string }

/** Nothing was written, for now or for good. */
export type NotWritten = Extract<PushOutcome, { readonly status: 'rejected' | 'deferred' }>

/** One field of a record in the CRM, as it is and as the push would leave it. */
export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

export type PlannedAction =
  | { readonly action: 'unchanged' }
  /** @param reason why no record that is there is taken for it. @param again a known record is gone, and the customer wants a new one. */
  | { readonly action: 'create'; readonly reason?: string; readonly again?: true }
  | { readonly action: 'update'; readonly changes: readonly FieldChange[] }
  /** A record that the customer had before would be taken for the lead's own, with their consent. */
  | {
      readonly action: 'adopt'
      readonly crmId: string
      readonly changes: readonly FieldChange[]
      readonly reason: string
    }
  /** A rep's edit or a foreign record stands in the way. @param isFate the lead's own record was deleted, or merged into another one's. */
  | { readonly action: 'conflict'; readonly reason: string; readonly isFate?: true }
  | ({ readonly action: 'reject' } & Refusal)

export interface CrmField {
  readonly name: string
  readonly label: string
  readonly type: string
  /** Longest text in characters; null where the CRM names none. */
  readonly lengthMax: number | null
  readonly required: boolean
  /** True of one that always holds a value, by a default where none is given: it is never emptied. */
  readonly isNeverEmpty?: true
  /** Allowed values of a restricted picklist; null where any value goes. */
  readonly allowed: readonly string[] | null
  /** What people read → the allowed value, where the two differ, as of a list of codes. */
  readonly labels?: Readonly<Record<string, string>>
  /** True of the field that holds the registry's identity: no mapping fills it. */
  readonly isIdentity?: true
  /** True of one that no record can be asked for by, as where its values are encrypted. */
  readonly isSealed?: true
  /** True of lists, campaigns or tags that a record joins once it is written: no field of its own. Several stand between `;`. */
  readonly isJoined?: true
  /** What is there and takes no record of an app's, by id and by name: the sentence why. */
  readonly closed?: Readonly<Record<string, string>>
}

/** A value that the restricted list of its field lacks: the lead has it in its description, or goes without it. */
export interface Misfit {
  /** As `describe` names it. */
  readonly field: string
  /** Of the lead; null where the destination's own mapping says the value. */
  readonly column: string | null
  readonly value: string
}

export type ReportMisfit = (misfit: Misfit) => void

/** What the record of one lead would join. */
export interface Join {
  /** As `describe` names it. */
  readonly field: string
  /** What people call it. */
  readonly value: string
}

/** Of CRMs whose records join lists, campaigns or tags by a mapping. */
export interface Joins {
  /** What these leads would join that none of their records joined before, one by one. Writes nothing. */
  foresee(leads: readonly OutgoingLead[]): Promise<readonly Join[]>
  /** Sentences that say what a person must do before records can join by these fields. Writes nothing. */
  missingRights(fields: readonly string[]): Promise<readonly string[]>
}

/** A field that the CRM wants in every record and that no lead fills. */
export interface UnfilledField {
  /** As `describe` names it. */
  readonly field: string
  /** The sentence that says what a person must do, unless the destination's own mapping fills the field. */
  readonly todo: string
}

export interface SetupReport {
  /** Fields that this call created. */
  readonly created: readonly string[]
  /** Fields that were there. */
  readonly present: readonly string[]
  /** Sentences that say what a person must do in the CRM; empty when it is ready. */
  readonly todo: readonly string[]
  /** Sentences that say what a person may do so that the CRM shows more; leads are delivered without it. */
  readonly advice?: readonly string[]
  /** To-dos as well, but for those whose field the destination's own mapping fills. */
  readonly unfilled?: readonly UnfilledField[]
}

/** Whose account a destination leads into, by the CRM's own word. */
export interface RemoteAccount {
  /** Org or portal. */
  readonly account: string
  /** What its records are there, and by which field they are found, where the settings choose: the ledger is kept by it. */
  readonly holds?: string
  /** Address of a record's page by the lead's type, with `{id}` for the CRM's id; for people to click on. */
  readonly recordUrls: Readonly<Partial<Record<EntityType, string>>>
}

/** What leaves for one record, by CRM field, as `lastPushed` names it. */
export interface RowWrite {
  readonly sent: Readonly<Record<string, unknown>>
  /** What the record held of these fields; null where it is to be new, and was not read. */
  readonly before: Readonly<Record<string, unknown>> | null
}

export type ReportWrite = (externalId: string, write: RowWrite) => void

export interface SessionOptions {
  readonly gate: CallGate
  readonly signal: AbortSignal
  /** Most leads of one write, where the customer says so, or an earlier session learned it. */
  readonly batchSize?: number | undefined
  /** Told by a push of each row just before it leaves, and again where it leaves otherwise; no credentials are part of it. */
  readonly reportWrite?: ReportWrite | undefined
  /** Told of each record that is about to join something, beside what `reportWrite` was told of it. */
  readonly reportJoin?: ((externalId: string, field: string, value: string) => void) | undefined
  readonly renewSettings?: RenewSettings | undefined
}

/** What stands in the CRM for a lead, by fields that the customer chose. */
export type Match = (
  | { readonly is: 'one'; readonly crmId: string; readonly changes: readonly FieldChange[] }
  /** Several records; none of them is taken. */
  | { readonly is: 'unclear'; readonly reason: string }
) & {
  /** Of the lead: those in which it agrees with what was found. */
  readonly columns: readonly string[]
}

/** A record of the customer's that is to stand for a lead. */
export interface Claim {
  readonly externalId: string
  readonly crmId: string
}

/** A record that was claimed and not taken. */
export interface Untaken {
  readonly reason: string
  /**
   * The record is the lead's, and the CRM did not write the identity, or did not say so: the lead waits. Missing where the record
   * is gone, or stands for something else.
   */
  readonly outcome?: NotWritten
}

/**
 * Records that the customer had before Panji. They are looked for only where somebody plans, and taken only where the customer
 * says so: an ordinary push asks by identity alone. What is taken is found by its identity from then on, and written to like
 * any other: fields that the customer filled stay theirs as far as the ownership says.
 */
export interface Adoption {
  /** By external id; leads without a match are absent. A record that stands for a lead is never one. Writes nothing. */
  match(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, Match>>
  /**
   * Gives each record the identity of its lead and changes nothing else; asked for again it changes nothing more. A record that
   * has an identity keeps it. @returns by external id why a record was not taken; those that were are absent.
   */
  claim(claims: readonly Claim[]): Promise<ReadonlyMap<string, Untaken>>
}

export type ReportRestorable = (externalId: string, why: string) => void

/** What the CRM holds under an external id. */
export interface LookedUp {
  readonly crmId: string
  readonly values: Readonly<Record<string, unknown>>
  /** Where people made a record of their own of it, as by converting a lead: a recall leaves it to them. */
  readonly isTheirs?: boolean
}

/** One authenticated conversation with one customer's CRM. */
export interface CrmSession {
  /** Missing where leads only go in batches. */
  readonly bulk?: BulkWay | undefined
  /** Leads that fill whole calls, where that is less than the connector's batch; the engine hands no more to one push. */
  readonly leadsPerPush?: number | undefined
  /** Rows of one write that the CRM was seen to bear, once it refused more for their number; the engine remembers it. */
  readonly learnedBatchSize?: number | undefined
  /** Calls that a push of so many leads costs, about; missing where a batch is read in one call and written in another. */
  readonly callsFor?: ((leads: number, writes: number) => number) | undefined
  /** Missing where the settings name no fields to match by, or the connector cannot. */
  readonly adoption?: Adoption | undefined
  /**
   * Signs in and says whose account this is, never by what the settings say. The ledger and the limiter belong to it, so two
   * accounts never share one and one account never has two.
   */
  identify(): Promise<RemoteAccount>
  describe(): Promise<readonly CrmField[]>
  /** What of these leads the CRM's lists lack, one by one. Writes nothing. Missing where the CRM has no lists. */
  misfits?(leads: readonly OutgoingLead[]): Promise<readonly Misfit[]>
  /** Missing where records join nothing by a mapping. */
  readonly joins?: Joins | undefined
  /** Creates the external-id field or says what to create. Safe to repeat. */
  setup(): Promise<SetupReport>
  /** Writes nothing. One action per lead, in order. */
  plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]>
  /**
   * One outcome per lead, in order. Pushing the same lead twice leaves one record.
   * @param place given where the leads may go as a job: up to `bulk.leadsMax` of them.
   */
  push(leads: readonly OutgoingLead[], place?: PushPlace): Promise<readonly PushOutcome[]>
  /** Asks the CRM what it holds under these external ids; used to settle `unknown`. Missing ids are absent. */
  lookup(externalIds: readonly string[], known?: KnownRecords): Promise<ReadonlyMap<string, LookedUp>>
  limits(): Promise<LimitReport>
  /**
   * Deletes the records of these external ids (erasure), for good where the CRM offers it, and counts those that were there.
   * @param reportRestorable called for each record that the CRM can bring back for a time, with the reason.
   */
  erase(externalIds: readonly string[], reportRestorable?: ReportRestorable, known?: KnownRecords): Promise<number>
}

/** The app under which a vendor knows Panji, or under which a customer's own administrator made it known. */
export interface OAuthApp {
  readonly clientId: string
  readonly clientSecret: string
}

/** What a person is asked to allow. */
export interface ConsentRequest {
  /** As in a settings file, without credentials; `client_id` and `client_secret` name an app of the customer's own. */
  readonly settings: unknown
  /** The operator's, for customers who name none; never shown to a sandbox. */
  readonly app: OAuthApp | null
  readonly redirectUri: string
}

/** Signing in at the vendor's own page: OAuth 2.0 with a code and PKCE. */
export interface WebConnect {
  /** What a form asks for beside the app: where the customer's own account lies. */
  readonly fields: readonly SettingField[]
  /**
   * Where a person allows it. Nobody is called. @param codeChallenge S256.
   * @throws AppError DESTINATION_INVALID naming each fault of the settings, CONNECT_UNAVAILABLE where no app is known.
   */
  consentAddress(request: ConsentRequest, state: string, codeChallenge: string): string
  /** Changes the code into settings that `readSettings` takes. @throws AppError CRM_UNAUTHORIZED, CRM_UNAVAILABLE. */
  redeem(
    request: ConsentRequest,
    code: string,
    codeVerifier: string,
    options: Pick<SessionOptions, 'gate' | 'signal'>,
  ): Promise<Readonly<Record<string, unknown>>>
  /** Of stored settings the members that new credentials leave as they are. */
  lasting(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

export interface Connector {
  /** `salesforce`, `hubspot`: the word of `destination add --type`. */
  readonly name: string
  /** As its vendor writes it. */
  readonly label?: string
  /** How a form asks for what signs in. Missing: all settings are given as JSON. */
  readonly signIns?: readonly SignInWay[]
  /** Settings beyond that, none of them a secret; whatever else `readSettings` takes is given as JSON. */
  readonly options?: readonly SettingField[]
  /** Most leads that the engine hands to one `push`. */
  readonly batchSizeMax: number
  /** Pushes of one session that may be under way at once; one where nothing is said. No two of them hold the same record. */
  readonly pushesAtOnce?: number
  /** True where plan and push heed the overrides of a lead; a destination of any other connector takes no mapping. */
  readonly heedsOverrides?: true
  /** Fields that people look for and that the CRM does not have, or records cannot join by its API: the sentence why. */
  readonly notOffered?: Readonly<Record<string, string>>
  /** Calls a remote account may make in a second when its headers say nothing. */
  readonly callsPerSecond: number
  /**
   * Reads the settings file. @throws AppError DESTINATION_INVALID naming each fault, listed in `extra.faults`.
   * `remoteAccount` keys the limiter; the members in `secretNames` are hidden when shown.
   */
  readSettings(input: unknown): ConnectorSettings
  open(settings: ConnectorSettings, options: SessionOptions): CrmSession
  /** Missing where the CRM is reached with pasted credentials alone. */
  readonly webConnect?: WebConnect
}

export interface ConnectorSettings {
  readonly remoteAccount: string
  /** What is stored, encrypted. */
  readonly values: Readonly<Record<string, unknown>>
  /** Members of `values` that are secrets. */
  readonly secretNames: readonly string[]
}
