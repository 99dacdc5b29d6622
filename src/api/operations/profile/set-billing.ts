import { setBillingDetails } from '../../../access/billing-details.ts'
import { BillingBody, billingOf, KeptBilling, shownBilling } from '../../billing-schema.ts'
import { operation } from '../../operation.ts'

export default operation({
  id: 'setBillingDetails',
  method: 'PUT',
  path: '/api/users/me/billing',
  summary: 'Set your billing details',
  description:
    'Legal name, address, state and, if you are registered, GSTIN, which must be of that state. Invoices for payments from now on name ' +
    'them; issued invoices do not change. With the `revision` that you read, the call fails where somebody changed them since.',
  caller: { scopes: ['order'], atLeast: 'admin' },
  audit: 'act',
  errors: ['CONFLICT', 'UNPROCESSABLE'],
  body: BillingBody,
  reply: { 200: KeptBilling },
  example: {
    legal_name: 'Mandovi Trading LLP',
    address: '12 Altinho, Panaji 403001',
    place_of_supply: '30',
    gstin: null,
  },
  handle: async ({ db }, request, { accountId }) => {
    const details = billingOf(request.body)
    await db.transaction((tx) => setBillingDetails(tx, accountId, details, { read: request.body.revision }))
    return shownBilling(details)
  },
})
