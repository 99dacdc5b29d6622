/**
 * All sandboxes: one per connector, and the payment processor. Separate from the connectors, so that a sandbox
 * process loads no SDK.
 */

import type { Sandbox } from './contract.ts'
import { createHubspotSandbox } from './hubspot/sandbox.ts'
import { createPaymentSandbox } from './razorpay/sandbox.ts'
import { createSalesforceSandbox } from './salesforce/sandbox.ts'
import { createZohoSandbox } from './zoho/sandbox.ts'

/** New instances, for `npm start`, `panji sandbox` and tests. */
export function sandboxes(): Sandbox[] {
  return [createSalesforceSandbox(), createHubspotSandbox(), createZohoSandbox()]
}

/** A new instance of the payment processor. */
export const paymentSandbox = (): Sandbox => createPaymentSandbox()
