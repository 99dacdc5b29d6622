/** The interface between a session and the two ways to store leads in an org: as Leads, or as Accounts and Contacts. */
import type { BatchSize } from '../batch-size.ts'
import type { CrmSession, ReportWrite } from '../contract.ts'
import type { SalesforceClient } from './client.ts'
import type { SalesforceSettings } from './settings.ts'

export interface OrgParts {
  readonly settings: SalesforceSettings
  readonly client: SalesforceClient
  /** Rows per write that the org's own code can handle. */
  readonly size: BatchSize
  readonly reportWrite: ReportWrite
}

export type OrgRecords = Pick<CrmSession, 'adoption' | 'leadsPerPush' | 'callsFor' | 'describe' | 'setup'> &
  Pick<CrmSession, 'plan' | 'push' | 'lookup' | 'erase'> &
  Required<Pick<CrmSession, 'fill'>>
