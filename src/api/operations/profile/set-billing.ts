import { setBillingDetails } from '../../../access/billing-details.ts'
import { BillingBody, billingAsKept, KeptBilling, shownBilling } from '../../billing-schema.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'

export default operation({
  id: 'setBillingDetails',
  method: 'PUT',
  path: '/api/users/me/billing',
  tag: 'Account',
  summary: 'Say whom your invoices name',
  description:
    'Legal name, address, state and, where you are registered, GSTIN, which must be of that state. Invoices of payments from now on name ' +
    'them; those that were issued stay as they are. With the `revision` that was read it is refused where somebody changed them meanwhile.',
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
  handle:
    ({ db }) =>
    async (request) =>
      shownBilling(
        await setBillingDetails(db, principalOf(request).accountId, billingAsKept(request.body), request.body.revision),
      ),
})
