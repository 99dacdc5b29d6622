/**
 * The interface of a CRM connector. Connectors import this file, `src/domain` and `src/errors.ts`, nothing else of Panji.
 *
 * The contract of `push`: exactly one outcome per lead, in the order given, whatever the CRM answers. A lead that the
 * CRM's reply does not mention is `unknown`, never a success and never dropped. A failure of the whole call (no
 * connection, 401, daily quota) is thrown as AppError; one bad row is an outcome.
 *
 * An AppError thrown by `push` means that nothing was written for any lead of the call: the engine sends them all
 * again. As soon as one row may have been written, `push` returns: `unknown` for rows whose result is open,
 * `deferred` for rows that were not sent. Any other exception leaves every lead of the call `unknown`.
 *
 * A bulk job in the CRM outlives the push that began it. What is needed to find that job again is passed to `keep`
 * before the first row is sent. From then until `keep(null)`, any exception means that the job is in progress: its
 * leads are passed to `push` again with the kept state, by this process or, after a crash, by another.
 */
import type { LeadRow } from '../config/lead-columns.ts'
import type { EntityType } from '../src/domain/identity.ts'
import type { BulkWay, PushPlace } from './bulk-way.ts'
import type { CallGate, LimitReport } from './call-gate.ts'
import type { FilledLead } from './filled-lead.ts'
import type { RenewSettings } from './renew-settings.ts'
import type { SettingField, SignInWay } from './settings-form.ts'

/** Upper bound for any wait that a CRM's reply requests, so that a vendor's mistake cannot block an account for longer. */
export const waitMsMax = 3_600_000

/**
 * Who owns a field of a record: `always`: the register's value wins. `if_empty`: written once. `if_unchanged`:
 * written as long as the value that Panji pushed last has not been edited in the CRM.
 */
export const ownerships = ['always', 'if_empty', 'if_unchanged'] as const
export type Ownership = (typeof ownerships)[number]

/** A destination's override of one CRM field, resolved for one lead. */
export interface FieldOverride {
  /** Field name as in `describe`. */
  readonly field: string
  /** Replaces the connector's own value; null: the field is not written. Missing: the connector's own value. */
  readonly value?: string | null
  readonly ownership?: Ownership
}

/** The content of a lead when it was sent. */
export interface SentRow {
  readonly row: LeadRow
  /** Missing if the destination has no mapping of its own. Never contains the external-id field. */
  readonly overrides?: readonly FieldOverride[]
}

export interface OutgoingLead extends SentRow {
  readonly itemId: string
  /** `company:CIN`, `director:DIN`, `gst:GSTIN`: the value of the CRM's unique external-id field. */
  readonly externalId: string
  readonly type: EntityType
  /** Values of the last acknowledged push, by CRM field; null before the first. Used by `if_unchanged`. */
  readonly lastPushed: Readonly<Record<string, unknown>> | null
  /** Id of the CRM record of the last acknowledged push. */
  readonly crmId: string | null
  /** A person retried this very lead: if its record is gone, a new one is created, whatever the settings say. */
  readonly recreate?: boolean
  /**
   * What was sent for this lead since the last acknowledged push without an answer: if the CRM holds one of these
   * values, it is Panji's own and not a user's edit.
   */
  readonly unconfirmed?: readonly SentRow[]
}

/** What the ledger knows of a lead's record. */
export type KnownRecord = Pick<OutgoingLead, 'crmId' | 'lastPushed'>

/**
 * By external id, for records whose external-id field was deleted or emptied in the CRM: they are found by the CRM's
 * own id. A record that has another lead's external id by now does not count.
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
      /** Why parts of the lead were not written, such as fields that the CRM no longer has, or lists that its record could not join. */
      readonly leftOut?: Refusal
      /**
       * The record is written, but it is not known yet whether it joined its lists: the lead counts as delivered and is pushed again after this time.
       */
      readonly againAfterMs?: number
    }
  /** @param isFate the lead's own record was deleted or merged into another: what was acknowledged no longer exists. */
  | ({ readonly status: 'rejected'; readonly isFate?: true } & Refusal)
  /**
   * A temporary refusal: nothing was written for this lead. `blocks` if the CRM would not accept any other lead
   * either until its owner makes room: storage is full, licences are used up.
   */
  | ({ readonly status: 'deferred'; readonly afterMs: number; readonly blocks?: true } & Refusal)
  /** It is not known whether the CRM wrote it (connection lost, row missing from the answer). */
  | { readonly status: 'unknown'; readonly message: string }

/** Nothing was written, either temporarily or permanently. */
export type NotWritten = Extract<PushOutcome, { readonly status: 'rejected' | 'deferred' }>

/** One field of a record in the CRM, with its current value and the one that the push would write. */
export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

export type PlannedAction =
  | { readonly action: 'unchanged' }
  /** @param reason why no existing record is adopted. @param again a known record is gone, and the settings ask for a new one. */
  | { readonly action: 'create'; readonly reason?: string; readonly again?: true }
  | { readonly action: 'update'; readonly changes: readonly FieldChange[] }
  /** An existing record of the customer would be adopted for the lead, with their consent. */
  | {
      readonly action: 'adopt'
      readonly crmId: string
      readonly changes: readonly FieldChange[]
      readonly reason: string
    }
  /** A user's edit or a foreign record prevents the write. @param isFate the lead's own record was deleted or merged into another. */
  | { readonly action: 'conflict'; readonly reason: string; readonly isFate?: true }
  | ({ readonly action: 'reject' } & Refusal)

export interface CrmField {
  readonly name: string
  readonly label: string
  readonly type: string
  /** Maximum length in characters; null if the CRM reports none. */
  readonly lengthMax: number | null
  readonly required: boolean
  /** True if it always has a value, by default if none is given, so it is never cleared. */
  readonly isNeverEmpty?: true
  /** Allowed values of a restricted picklist; null where any value goes. */
  readonly allowed: readonly string[] | null
  /** Label shown to users → allowed value, where the two differ, as with codes. */
  readonly labels?: Readonly<Record<string, string>>
  /** True for the external-id field, which no mapping may fill. */
  readonly isIdentity?: true
  /** True if records cannot be queried by it, for example because its values are encrypted. */
  readonly isSealed?: true
  /**
   * True for lists, campaigns or tags that a record joins after it is written; not a field of the record. Several values are separated by `;`.
   */
  readonly isJoined?: true
  /** Existing values that an app cannot add records to, by id and by name, with a sentence why. */
  readonly closed?: Readonly<Record<string, string>>
}

/** A list, campaign or tag that the record of one lead would join. */
export interface Join {
  /** Field name as in `describe`. */
  readonly field: string
  /** The name shown to users. */
  readonly value: string
}

/** For CRMs whose records join lists, campaigns or tags through a mapping. */
export interface Joins {
  /** What these leads would join that their records have not joined before, one by one. Writes nothing. */
  foresee(leads: readonly OutgoingLead[]): Promise<readonly Join[]>
  /** Sentences that say what a person must do before records can join by these fields. Writes nothing. */
  missingRights(fields: readonly string[]): Promise<readonly string[]>
}

/** A field that the CRM requires in every record and that no lead fills. */
export interface UnfilledField {
  /** Field name as in `describe`. */
  readonly field: string
  /** A sentence on what a person must do, unless the destination's own mapping fills the field. */
  readonly todo: string
}

export interface SetupReport {
  /** Fields that this call created. */
  readonly created: readonly string[]
  /** Fields that already existed. */
  readonly present: readonly string[]
  /** Sentences that say what a person must do in the CRM; empty when it is ready. */
  readonly todo: readonly string[]
  /** Sentences on optional steps with which the CRM shows more; leads are delivered without them. */
  readonly advice?: readonly string[]
  /** Further to-dos, except those whose field the destination's own mapping fills. */
  readonly unfilled?: readonly UnfilledField[]
  /**
   * Fields that Panji or the mapping fills and that the CRM did not show before this call, by type of lead and named
   * as in `lastPushed`. What records lack in them afterwards was cleared by nobody.
   */
  readonly absent?: ReadonlyMap<EntityType, readonly string[]>
}

/** Which account a destination leads into, as the CRM itself reports it. */
export interface RemoteAccount {
  /** Org or portal. */
  readonly account: string
  /** What kind of records these are and which field identifies them, if the settings can choose: each kind has a ledger of its own. */
  readonly holds?: string
  /** URL of a record's page by type of lead, with `{id}` for the CRM's id; for people to open. */
  readonly recordUrls: Readonly<Partial<Record<EntityType, string>>>
}

/** What is sent for one record, by CRM field, named as in `lastPushed`. */
export interface RowWrite {
  readonly sent: Readonly<Record<string, unknown>>
  /** The record's previous values of these fields; null for a new record, which is not read. */
  readonly before: Readonly<Record<string, unknown>> | null
}

export type ReportWrite = (externalId: string, write: RowWrite) => void

export interface SessionOptions {
  readonly gate: CallGate
  readonly signal: AbortSignal
  /** Most leads in one write, as the customer set it or an earlier session learned it. */
  readonly batchSize?: number | undefined
  /** Called by `push` for each row just before it is sent, and again if it is sent differently; never receives credentials. */
  readonly reportWrite?: ReportWrite | undefined
  /** Called for each record that is about to join something, in addition to `reportWrite`. */
  readonly reportJoin?: ((externalId: string, field: string, value: string) => void) | undefined
  readonly renewSettings?: RenewSettings | undefined
}

/** Existing CRM records that match a lead, by fields that the customer chose. */
export type Match = (
  | { readonly is: 'one'; readonly crmId: string; readonly changes: readonly FieldChange[] }
  /** Several records match; none is adopted. */
  | { readonly is: 'unclear'; readonly reason: string }
) & {
  /** The columns in which the lead agrees with what was found. */
  readonly columns: readonly string[]
}

/** An existing record of the customer that is to be adopted for a lead. */
export interface Claim {
  readonly externalId: string
  readonly crmId: string
}

/** A record that was claimed but not adopted. */
export interface FailedClaim {
  readonly reason: string
  /**
   * Set if the record is the lead's, but the CRM rejected the external id or did not confirm it: the lead waits.
   * Missing if the record is gone or belongs to something else.
   */
  readonly outcome?: NotWritten
}

/**
 * Records that the customer had before Panji. They are searched only for a plan and adopted only if the customer
 * agrees; an ordinary push looks up external ids only. An adopted record is found by its external id from then on and
 * written like any other: fields that the customer filled are protected by their ownership.
 */
export interface Adoption {
  /** By external id; leads without a match are absent. A record that belongs to a lead never matches. Writes nothing. */
  match(leads: readonly OutgoingLead[]): Promise<ReadonlyMap<string, Match>>
  /**
   * Gives each record the external id of its lead and changes nothing else. Idempotent. A record that has an external
   * id keeps it.
   * @returns why a record was not adopted, by external id; adopted ones are absent.
   */
  claim(claims: readonly Claim[]): Promise<ReadonlyMap<string, FailedClaim>>
}

export type ReportRestorable = (externalId: string, why: string) => void

/** What the CRM holds under an external id. */
export interface LookedUp {
  readonly crmId: string
  readonly values: Readonly<Record<string, unknown>>
  /** True if users turned it into a record of their own, as by converting a lead: a recall leaves it to them. */
  readonly isTheirs?: boolean
}

/** One authenticated session with one customer's CRM. */
export interface CrmSession {
  /** Missing if leads can only be sent in batches. */
  readonly bulk?: BulkWay | undefined
  /** Leads that fill whole calls, if less than the connector's batch; the engine passes at most this many to one push. */
  readonly leadsPerPush?: number | undefined
  /** Rows per write that the CRM was seen to accept after it refused a larger number; the engine stores it. */
  readonly learnedBatchSize?: number | undefined
  /** Estimated calls for a push of this many leads; missing if a batch is read in one call and written in another. */
  readonly callsFor?: ((leads: number, writes: number) => number) | undefined
  /** Missing if the settings name no fields to match by, or the connector does not support it. */
  readonly adoption?: Adoption | undefined
  /**
   * Signs in and returns the account as the CRM reports it, never as the settings claim. The ledger and the limiter
   * are keyed by it, so two accounts never share one and one account never has two.
   */
  identify(): Promise<RemoteAccount>
  describe(): Promise<readonly CrmField[]>
  /** One per lead, in order. Writes nothing. Missing if destinations accept no mapping. */
  fill?(leads: readonly OutgoingLead[]): Promise<readonly FilledLead[]>
  /** Missing if records cannot join anything through a mapping. */
  readonly joins?: Joins | undefined
  /**
   * Creates the external-id field or says what to create. Safe to repeat.
   * @param mapped fields that the destination's mapping fills, as `describe` names them; they are never created.
   */
  setup(mapped?: readonly string[]): Promise<SetupReport>
  /** Writes nothing. One action per lead, in order. */
  plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]>
  /**
   * One outcome per lead, in order. Pushing the same lead twice leaves one record.
   * @param place given if the leads may be sent as a bulk job: up to `bulk.leadsMax` of them.
   */
  push(leads: readonly OutgoingLead[], place?: PushPlace): Promise<readonly PushOutcome[]>
  /** Looks up what the CRM holds under these external ids; used to settle `unknown`. Missing ids are absent. */
  lookup(externalIds: readonly string[], known?: KnownRecords): Promise<ReadonlyMap<string, LookedUp>>
  limits(): Promise<LimitReport>
  /**
   * Erases the records of these external ids, permanently if the CRM offers it, and returns how many existed.
   * @param reportRestorable called for each record that the CRM can restore for a time, with the reason.
   */
  erase(externalIds: readonly string[], reportRestorable?: ReportRestorable, known?: KnownRecords): Promise<number>
}

/** The OAuth app under which a vendor knows Panji, or one that the customer's own administrator registered. */
export interface OAuthApp {
  readonly clientId: string
  readonly clientSecret: string
}

export interface ConsentRequest {
  /** As in a settings file, without credentials; `client_id` and `client_secret` name an app of the customer's own. */
  readonly settings: unknown
  /** The operator's app, for customers without their own; never sent to a sandbox. */
  readonly app: OAuthApp | null
  readonly redirectUri: string
}

/** Signing in at the vendor's own page: OAuth 2.0 with a code and PKCE. */
export interface WebConnect {
  /** What a form asks for in addition to the app: where the customer's own account is. */
  readonly fields: readonly SettingField[]
  /**
   * The address of the consent page. Makes no call. @param codeChallenge S256.
   * @throws AppError DESTINATION_INVALID naming each fault of the settings, CONNECT_UNAVAILABLE if no app is known.
   */
  consentAddress(request: ConsentRequest, state: string, codeChallenge: string): string
  /** Exchanges the code for settings that `readSettings` accepts. @throws AppError CRM_UNAUTHORIZED, CRM_UNAVAILABLE. */
  redeem(
    request: ConsentRequest,
    code: string,
    codeVerifier: string,
    options: Pick<SessionOptions, 'gate' | 'signal'>,
  ): Promise<Readonly<Record<string, unknown>>>
  /** The members of stored settings that new credentials do not replace. */
  lasting(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

export interface Connector {
  /** `salesforce`, `hubspot`: the value of `destination add --type`. */
  readonly name: string
  /** The vendor's spelling. */
  readonly label?: string
  /** How a form asks for credentials. Missing: all settings are given as JSON. */
  readonly signIns?: readonly SignInWay[]
  /** Further settings, none of them secret; anything else that `readSettings` accepts is given as JSON. */
  readonly options?: readonly SettingField[]
  /** Most leads that the engine passes to one `push`. */
  readonly batchSizeMax: number
  /** True if `identify` makes no call besides the sign-in that every session needs. */
  readonly namesAccountAtSignIn?: true
  /** Concurrent pushes of one session; default 1. No two of them hold the same record. */
  readonly pushesAtOnce?: number
  /** True if plan and push apply a lead's overrides; destinations of other connectors accept no mapping. */
  readonly heedsOverrides?: true
  /** Fields that users expect but the CRM does not have, or that records cannot join through its API, with a sentence why. */
  readonly notOffered?: Readonly<Record<string, string>>
  /** Calls per second for a remote account if its headers report no limit. */
  readonly callsPerSecond: number
  /**
   * Reads the settings file. @throws AppError DESTINATION_INVALID naming each fault, listed in `extra.faults`.
   * `remoteAccount` keys the limiter; the members in `secretNames` are hidden when shown.
   */
  readSettings(input: unknown): ConnectorSettings
  open(settings: ConnectorSettings, options: SessionOptions): CrmSession
  /** Missing if the CRM only accepts pasted credentials. */
  readonly webConnect?: WebConnect
}

export interface ConnectorSettings {
  readonly remoteAccount: string
  /** What is stored, encrypted. */
  readonly values: Readonly<Record<string, unknown>>
  /** Members of `values` that are secrets. */
  readonly secretNames: readonly string[]
}
