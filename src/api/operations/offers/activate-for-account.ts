import { activateOffer } from '../../../access/offers.ts'
import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { noBody, productId } from '../../parameters.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import example from './activate-for-account.example.json' with { type: 'json' }
import { ActivatedOffer, activationOf } from './offer-schemas.ts'

export default operation({
  id: 'activateOfferOf',
  method: 'POST',
  path: '/admin/users/:id/offers/:offer_id/activate',
  summary: 'Activate a paid offer for an account',
  description: 'Opens its feeds for its days. While it is active a repeat changes nothing.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['CONFLICT'],
  params: UserPath.extend({
    offer_id: productId('ID of the offer', exampleIds.offer),
  }),
  body: noBody,
  reply: { 200: ActivatedOffer },
  example,
  handle: async ({ db }, request, by) => {
    const { id: accountId, offer_id: offerId } = request.params
    const activation = { accountId, offerId, by }
    return activationOf(await db.transaction((tx) => activateOffer(tx, activation)))
  },
})
