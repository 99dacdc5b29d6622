/** What records may join in the CRMs of the house, and how their sandboxes refuse it. */
import type { Sandbox, SandboxCall } from '../../sandboxes/contract.ts'
import type { HubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'
import type { SalesforceSandbox } from '../../sandboxes/salesforce/sandbox.ts'
import type { ZohoSandbox } from '../../sandboxes/zoho/sandbox.ts'

export interface Joining {
  /** Of the mapping. */
  readonly field: string
  /** What a company's record may join, as the CRM knows it and as people call it. */
  readonly id: string
  readonly name: string
  /** Whose records join. */
  readonly of: 'gst' | 'director'
  /** By which a fault strikes the call that lets records join. */
  readonly match: string
  isCall(call: SandboxCall): boolean
  /** Whether this user may let records join from now on. */
  withhold(sandbox: Sandbox, isWithheld: boolean): void
  readonly refused: RegExp
}

export const joining = {
  hubspot: {
    ...{ field: 'lists.companies', id: '21', name: 'Goa launch', of: 'gst', match: '/memberships/add' },
    isCall: ({ path }) => path.endsWith('/memberships/add'),
    withhold: (sandbox, isWithheld) =>
      (sandbox as HubspotSandbox).withholdScopes(isWithheld ? ['crm.lists.write'] : []),
    refused: /crm\.lists\.write/,
  },
  salesforce: {
    ...{ field: 'CampaignMember', id: '701000000000001AAA', name: 'Goa expo', of: 'gst', match: 'CampaignMember' },
    isCall: ({ method, body }) => method === 'POST' && JSON.stringify(body).includes('"CampaignMember"'),
    withhold: (sandbox, isWithheld) => (sandbox as SalesforceSandbox).letJoin(!isWithheld),
    refused: /Marketing User/,
  },
  zoho: {
    ...{ field: 'Tag', id: '4150868000000781001', name: 'Goa', of: 'gst', match: '/actions/add_tags' },
    isCall: ({ path }) => path.endsWith('/actions/add_tags'),
    withhold: (sandbox, isWithheld) =>
      (sandbox as ZohoSandbox).withholdScopes(isWithheld ? ['ZohoCRM.settings.tags.READ'] : []),
    refused: /ZohoCRM\.settings\.tags\.READ/,
  },
} satisfies Readonly<Record<string, Joining>>
