/** What a session asks of the way in which leads lie in an org: as Leads, or as Accounts and Contacts. */
import type { BatchSize } from '../batch-size.ts'
import type { PushPlace } from '../bulk-way.ts'
import type {
  Adoption,
  CrmField,
  CrmSession,
  Misfit,
  OutgoingLead,
  PlannedAction,
  PushOutcome,
  SetupReport,
  TellWrite,
} from '../contract.ts'
import type { SalesforceClient } from './client.ts'
import type { SalesforceSettings } from './settings.ts'

export interface OrgParts {
  readonly settings: SalesforceSettings
  readonly client: SalesforceClient
  /** Rows of one write that the org's own code bears. */
  readonly size: BatchSize
  readonly tellWrite: TellWrite
}

export interface OrgRecords {
  readonly adoption: Adoption | undefined
  readonly leadsPerPush?: number
  readonly callsFor?: CrmSession['callsFor']
  describe(): Promise<readonly CrmField[]>
  misfits(leads: readonly OutgoingLead[]): Promise<readonly Misfit[]>
  setup(): Promise<SetupReport>
  plan(leads: readonly OutgoingLead[]): Promise<readonly PlannedAction[]>
  push(leads: readonly OutgoingLead[], place?: PushPlace): Promise<readonly PushOutcome[]>
  readonly lookup: CrmSession['lookup']
  readonly erase: CrmSession['erase']
}
