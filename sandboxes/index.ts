/** Every sandbox, one for each connector, and the payment processor. Apart from the connectors, so that a sandbox process loads no SDK. */

import type { Sandbox } from './contract.ts'
import { createHubspotSandbox } from './hubspot/sandbox.ts'
import { createPaymentSandbox } from './razorpay/sandbox.ts'
import { createSalesforceSandbox } from './salesforce/sandbox.ts'
import { createZohoSandbox } from './zoho/sandbox.ts'

/** Fresh ones, for `npm start`, `panji sandbox` and tests. */
export function sandboxes(): Sandbox[] {
  return [createSalesforceSandbox(), createHubspotSandbox(), createZohoSandbox()]
}

/** A fresh payment processor, beside the CRMs. */
export const paymentSandbox = (): Sandbox => createPaymentSandbox()
