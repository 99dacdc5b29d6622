/** Every connector and its sandbox. Adding one is a line in each list. */
import type { Connector } from './contract.ts'
import { hubspot } from './hubspot/connector.ts'
import { createHubspotSandbox } from './hubspot/sandbox/sandbox.ts'
import { salesforce } from './salesforce/connector.ts'
import { createSalesforceSandbox } from './salesforce/sandbox/sandbox.ts'
import type { Sandbox } from './sandbox-contract.ts'

export const connectors: readonly Connector[] = [salesforce, hubspot]

/** Fresh sandboxes, for `npm start`, `panji sandbox` and tests. */
export function sandboxes(): Sandbox[] {
  return [createSalesforceSandbox(), createHubspotSandbox()]
}
