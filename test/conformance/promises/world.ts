/**
 * What the promises are proven on: one connector, its sandbox behind a server of its own, and what the CRM then holds.
 * A world lives for one promise.
 */
import type { CallGate } from '../../../connectors/call-gate.ts'
import type { Connector, CrmSession, OutgoingLead, PushOutcome, ReportWrite } from '../../../connectors/contract.ts'
import type { Sandbox, SandboxCall, SandboxRecord } from '../../../sandboxes/contract.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import type { EntityType } from '../../../src/domain/identity.ts'
import type { Joining } from '../joining.ts'

/** What an author says of a connector, so that the suite can drive it. */
export interface ConnectorUnderTest {
  readonly connector: Connector
  /** A folder has no credentials that are refused, no answers that are lost and no limits: it owes fewer promises. */
  readonly speaksTo: 'server' | 'folder'
  createSandbox(): Sandbox
  /** A CRM whose user may not change the data model. */
  createGuardedSandbox(): Sandbox
  /** Substring of "METHOD /path" of the call that writes a batch of leads. */
  readonly writeCall: string
  /** Most leads that one call writes, where that is less than a batch. */
  readonly leadsPerWrite?: number
  /** The call that begins a write, where that is another one: refused, nothing is written. */
  readonly openingCall?: string
  /** The call that says what became of each lead, where that is another one. */
  readonly reportingCall?: string
  /** True for calls that change records; signing in and set-up do not. */
  isWrite(call: SandboxCall): boolean
  /** True for calls that ask what the CRM holds of leads. */
  isRead(call: SandboxCall): boolean
  /** The external id of a record that stands for a lead; null for other records (associated ones). */
  externalIdOf(record: SandboxRecord): string | null
  /** For connectors whose leads may go as a job: CRMs whose jobs fail after the third row, and tell a few rows a page. */
  readonly jobs?: { createFailing(): Sandbox; createPaging(): Sandbox }
  /** By type: the column of a lead that people look for, and the CRM's field that is made for it. */
  readonly places: Readonly<Record<EntityType, Readonly<Record<string, string>>>>
  /** How the settings' `ownership` names a field of a record; missing where the settings have no such member. */
  ownershipName?(field: string): string
  /** Why the rows of an answer name no lead, where the vendor tells them by their order alone. */
  readonly rowsNameNoLead?: string
  /** Why access never expires and is never renewed, as with keys that an administrator makes once. */
  readonly fixedKeys?: string
  /** For connectors that make two records of a lead. */
  readonly companions?: {
    /** True for the second record of the lead whose record is the other one. */
    hangsOn(record: SandboxRecord, main: SandboxRecord): boolean
    /** A CRM that lets no two persons have the same e-mail. */
    createJealous(): Sandbox
  }
  /** For connectors that adopt records which the customer had before. */
  readonly adoption?: {
    /** Laid over the sandbox's settings: directors are matched by their e-mail. */
    readonly over: Readonly<Record<string, unknown>>
    /** The field of the record that holds the external id. */
    readonly identity: string
    /** False where the CRM lets no two records agree in what is matched by. */
    readonly several: boolean
  }
  /** For CRMs that run out of storage, records or licences. */
  readonly noRoom?: {
    /** The vendor's word for it. */
    readonly code: string
    /** From now on no record is made. @returns how there is room again. */
    fill(sandbox: Sandbox): () => void
    /** An answer that refuses a whole call for it, and the calls that it refuses. */
    readonly refusal: { readonly status: number; readonly body: unknown; readonly match: string }
  }
  /** For CRMs whose own code may bear fewer rows of a write than a call takes: from now on so many. */
  limitRows?(sandbox: Sandbox, rows: number): void
  /** For CRMs whose records join lists, campaigns or tags by a mapping. */
  readonly joins?: Joining
  /** How the sandbox names its own account. */
  readonly account: string
  /** The member of the settings that says where the CRM is. */
  readonly addressMember: string
  /** Laid over the sandbox's settings: credentials that the sandbox refuses. */
  readonly wrongCredentials: Readonly<Record<string, unknown>>
  /** Laid over the sandbox's settings: a short wait for an answer. */
  readonly shortTimeout: Readonly<Record<string, unknown>>
  /** Settings whose access expires and is renewed; missing with `fixedKeys`. */
  renewableSettings?(sandbox: Sandbox, server: RunningSandboxes): Readonly<Record<string, unknown>>
}

export interface ConnectorPromise {
  /** A sentence that tells an author what is owed. */
  readonly title: string
  /** True where only those owe it who speak to a server over the network. */
  readonly ofServers?: true
  /** True where only those owe it in whose CRM access expires and is renewed. */
  readonly ofRenewals?: true
  /** True where only those owe it whose CRM names the lead in each row of its answers. */
  readonly ofNamedRows?: true
  /** True where only connectors owe it whose settings say whose a field is. */
  readonly ofOwnership?: true
  /** True where only connectors owe it that heed a customer's own mapping. */
  readonly ofMappings?: true
  /** True where only connectors owe it that adopt records of the customer's. */
  readonly ofAdoption?: true
  /** True where only those owe it in whose CRM several records may agree in what is matched by. */
  readonly ofLooseMatches?: true
  /** True where only connectors owe it that make two records of a lead. */
  readonly ofCompanions?: true
  /** True where only connectors owe it whose CRM runs out of room. */
  readonly ofRoom?: true
  /** True where only those owe it whose CRM may bear fewer rows of a write than a call takes. */
  readonly ofGovernors?: true
  /** True where only connectors owe it whose records join something by a mapping. */
  readonly ofJoins?: true
  /** True where only connectors owe it whose leads may go as a job. */
  readonly ofJobs?: true
  prove(world: World): Promise<void>
}

export interface OpenOptions {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly over?: Readonly<Record<string, unknown>>
  readonly gate?: CallGate
  readonly signal?: AbortSignal
  readonly batchSize?: number
  readonly reportWrite?: ReportWrite
}

export const openGate: CallGate = { take: async () => {}, observe: () => {} }
export const acknowledged: readonly string[] = ['created', 'updated', 'unchanged']

export class World {
  readonly subject: ConnectorUnderTest
  readonly sandbox: Sandbox
  readonly server: RunningSandboxes

  private constructor(subject: ConnectorUnderTest, sandbox: Sandbox, server: RunningSandboxes) {
    this.subject = subject
    this.sandbox = sandbox
    this.server = server
  }

  static async create(subject: ConnectorUnderTest, sandbox = subject.createSandbox()): Promise<World> {
    return new World(subject, sandbox, await startSandboxes([sandbox], { port: 0 }))
  }

  /** Calls that the sandbox lets hang are cut first. */
  async close(): Promise<void> {
    this.sandbox.reset()
    await this.server.close()
  }

  get settings(): Readonly<Record<string, unknown>> {
    const { sandbox_pass: pass, ...settings } = this.server.settings(this.sandbox.crm)
    return this.subject.speaksTo === 'server' ? { ...settings, sandbox_pass: pass } : settings
  }

  open(options: OpenOptions = {}): CrmSession {
    const settings = this.subject.connector.readSettings({ ...(options.settings ?? this.settings), ...options.over })
    const { gate = openGate, signal = new AbortController().signal, batchSize, reportWrite } = options
    return this.subject.connector.open(settings, { gate, signal, batchSize, reportWrite })
  }

  /** A session on a CRM that is set up. */
  async ready(options: OpenOptions = {}): Promise<CrmSession> {
    await this.open().setup()
    return this.open(options)
  }

  get renewableSettings(): Readonly<Record<string, unknown>> {
    return this.subject.renewableSettings?.(this.sandbox, this.server) ?? this.settings
  }

  stored(lead: OutgoingLead): readonly SandboxRecord[] {
    return this.sandbox.records().filter((record) => this.subject.externalIdOf(record) === lead.externalId)
  }

  writes(): readonly SandboxCall[] {
    return this.sandbox.calls().filter((call) => this.subject.isWrite(call))
  }

  /** The CRM's field that took this value of the lead. @throws Error where none or no record did. */
  fieldHolding(lead: OutgoingLead, value: unknown): { readonly id: string; readonly field: string } {
    for (const { id, properties } of this.stored(lead))
      for (const [field, held] of Object.entries(properties)) if (held === value) return { id, field }
    throw new Error(`no field of ${lead.externalId} holds ${String(value)}`)
  }

  /** What a person in the CRM does; the empty text clears. */
  edit(id: string, field: string, value: string): void {
    this.sandbox.edit(id, { [field]: value })
  }

  heldIn(lead: OutgoingLead, field: string): unknown {
    return this.stored(lead)[0]?.properties[field]
  }
}

/** The lead as the engine hands it over at the next push: with the ledger of this outcome. */
export function afterPush(lead: OutgoingLead, outcome: PushOutcome | undefined): OutgoingLead {
  if (outcome === undefined || !('crmId' in outcome)) throw new Error(`not saved: ${JSON.stringify(outcome)}`)
  return { ...lead, crmId: outcome.crmId, lastPushed: outcome.values }
}
