/** All connectors. To add one, add a line here and one for its sandbox in `sandboxes/index.ts`. */
import type { Connector } from './contract.ts'
import { exampleCsv } from './example-csv/connector.ts'
import { hubspot } from './hubspot/connector.ts'
import { salesforce } from './salesforce/connector.ts'
import { zoho } from './zoho/connector.ts'

export const connectors: readonly Connector[] = [salesforce, hubspot, zoho]

/**
 * The connectors of an instance. The example one writes to a folder on the operator's machine, so it needs that
 * folder to be configured.
 */
export function connectorsOf(deliveryDir: string | undefined): readonly Connector[] {
  return deliveryDir === undefined ? connectors : [...connectors, exampleCsv(deliveryDir)]
}
