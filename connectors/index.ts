/** Every connector. Adding one is a line here, and one for its sandbox in `sandboxes/index.ts`. */
import type { Connector } from './contract.ts'
import { exampleCsv } from './example-csv/connector.ts'
import { hubspot } from './hubspot/connector.ts'
import { salesforce } from './salesforce/connector.ts'
import { zoho } from './zoho/connector.ts'

export const connectors: readonly Connector[] = [salesforce, hubspot, zoho]

/**
 * Those of an instance. The example delivers into a folder of the operator's machine, so it is there only where the operator
 * named one.
 */
export function connectorsOf(deliveryDir: string | undefined): readonly Connector[] {
  return deliveryDir === undefined ? connectors : [...connectors, exampleCsv(deliveryDir)]
}
