import { z } from 'zod'
import { activateOffer } from '../../../access/offers.ts'
import { exampleIds } from '../../example-records.ts'
import { keepAnswerOf } from '../../hooks/idempotency.ts'
import { operation } from '../../operation.ts'
import { noBody, productId } from '../../parameters.ts'
import example from './activate-for-account.example.json' with { type: 'json' }
import { ActivatedOffer, activationOf } from './offer-schemas.ts'

export default operation({
  id: 'activateOffer',
  method: 'POST',
  path: '/api/offers/:id/activate',
  summary: 'Activate a free offer',
  description:
    'Opens its feeds for its days, once per account. While it is active a repeat changes nothing. A priced offer ' +
    'must be bought.',
  caller: { scopes: ['order'], atLeast: 'admin' },
  audit: 'act',
  errors: ['CONFLICT'],
  idempotent: 'with-effect',
  params: z.object({
    id: productId('ID of the offer', exampleIds.offer),
  }),
  body: noBody,
  reply: { 200: ActivatedOffer },
  example,
  handle: async ({ db }, request, { accountId }) =>
    db.transaction(async (tx) => {
      const body = activationOf(
        await activateOffer(tx, { accountId, offerId: request.params.id, by: `account:${accountId}` }),
      )
      await keepAnswerOf(tx, request, 200, body)
      return body
    }),
})
