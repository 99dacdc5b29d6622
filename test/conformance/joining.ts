/** What records may join in the CRMs of the house, and how their sandboxes refuse it. */
import type { Sandbox } from '../../sandboxes/contract.ts'
import type { HubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'

export interface Joining {
  /** Of the mapping. */
  readonly field: string
  /** What a company's record may join, as the CRM knows it and as people call it. */
  readonly id: string
  readonly name: string
  /** Substring of "METHOD /path" of the call that lets records join. */
  readonly call: string
  /** Whether this user may let records join from now on. */
  withhold(sandbox: Sandbox, isWithheld: boolean): void
  readonly refused: RegExp
}

export const joining = {
  hubspot: {
    ...{ field: 'lists.companies', id: '21', name: 'Goa launch', call: '/memberships/add' },
    withhold: (sandbox, isWithheld) =>
      (sandbox as HubspotSandbox).withholdScopes(isWithheld ? ['crm.lists.write'] : []),
    refused: /crm\.lists\.write/,
  },
} satisfies Readonly<Record<string, Joining>>
