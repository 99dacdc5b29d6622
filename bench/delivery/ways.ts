/**
 * The CRMs of the delivery bench: their sandboxes, which calls write leads and which read them, and what their limits
 * allow.
 */
import { hubspot } from '../../connectors/hubspot/connector.ts'
import { graphsMax } from '../../connectors/salesforce/accounts/graphs.ts'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import { zoho } from '../../connectors/zoho/connector.ts'
import type { Sandbox, SandboxCall, SandboxRecord } from '../../sandboxes/contract.ts'
import { createHubspotSandbox } from '../../sandboxes/hubspot/sandbox.ts'
import { createSalesforceSandbox } from '../../sandboxes/salesforce/sandbox.ts'
import { createZohoSandbox } from '../../sandboxes/zoho/sandbox.ts'

export interface Way {
  readonly name: string
  readonly crm: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly batch: number
  /** Calls a second; null where calls are not the limit. */
  readonly perSecond: number | null
  createSandbox(): Sandbox
  isWrite(call: SandboxCall): boolean
  externalIdOf(record: SandboxRecord): unknown
}

const salesforceWay = {
  crm: 'salesforce',
  matching: { Email: 'Email' },
  batch: salesforce.batchSizeMax,
  createSandbox: () => createSalesforceSandbox(),
  externalIdOf: ({ properties }: SandboxRecord) => properties['Panji_Id__c'],
}

export const ways: readonly Way[] = [
  {
    ...salesforceWay,
    name: 'salesforce',
    settings: { bulk_from: 'off' },
    // The org has no rate limit; the pace is the connector's.
    perSecond: salesforce.callsPerSecond,
    isWrite: ({ path }) => path.includes('/composite/sobjects'),
  },
  {
    ...salesforceWay,
    name: 'salesforce, jobs',
    settings: {},
    perSecond: null,
    isWrite: ({ method, path }) => method === 'PUT' || path.includes('/composite/sobjects'),
  },
  {
    ...salesforceWay,
    name: 'salesforce, accounts',
    settings: { object: 'account' },
    batch: graphsMax,
    perSecond: salesforce.callsPerSecond,
    isWrite: ({ path }) => path.endsWith('/composite/graph'),
    externalIdOf: ({ object, properties }) => (object === 'Account' ? properties['Panji_Id__c'] : null),
  },
  {
    name: 'hubspot',
    crm: 'hubspot',
    settings: {},
    // A read by a unique property costs the same, whether it finds anything or not.
    batch: hubspot.batchSizeMax,
    // 190 in ten seconds.
    perSecond: 19,
    createSandbox: () => createHubspotSandbox(),
    isWrite: ({ path }) => /\/batch\/(upsert|create)$/.test(path),
    externalIdOf: ({ properties }) => properties['panji_id'],
  },
  {
    name: 'zoho',
    crm: 'zoho',
    settings: {},
    batch: zoho.batchSizeMax,
    // Zoho limits concurrent calls; the pace is the connector's.
    perSecond: zoho.callsPerSecond,
    createSandbox: () => createZohoSandbox(),
    isWrite: ({ method, path }) => method !== 'GET' && path.startsWith('/crm/v8/Leads'),
    externalIdOf: ({ properties }) => properties['Panji_Id'],
  },
]

const read = /\/query$|\/composite$|\/batch\/read$|\/coql$/

export const isRead = ({ path }: SandboxCall): boolean => read.test(path.split('?')[0] ?? '')
