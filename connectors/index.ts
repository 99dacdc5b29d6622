/** Every connector. Adding one is a line here, and one for its sandbox in `sandboxes.ts`. */
import type { Connector } from './contract.ts'
import { hubspot } from './hubspot/connector.ts'
import { salesforce } from './salesforce/connector.ts'

export const connectors: readonly Connector[] = [salesforce, hubspot]
