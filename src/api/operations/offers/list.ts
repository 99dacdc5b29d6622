import { z } from 'zod'
import { listActivatedOffers, listAvailableOffers, listUsedOffers } from '../../../access/offers.ts'
import { operation } from '../../operation.ts'
import example from './list.example.json' with { type: 'json' }
import { Offer } from './offer-schemas.ts'

const Offers = z.object({
  available_offers: z.array(Offer),
  activated_offers: z.array(Offer).describe('Your active offers'),
  used_offers: z
    .array(z.string())
    .describe('IDs of free offers on sale that you have used: each can be used once per account'),
})

export default operation({
  id: 'listOffers',
  method: 'GET',
  path: '/api/offers/available',
  summary: 'List offers on sale, and yours',
  description: 'An offer opens feeds for a number of days.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: Offers },
  example,
  handle: async ({ db }, _request, { accountId }) => {
    const [available, activated, used] = await Promise.all([
      listAvailableOffers(db),
      listActivatedOffers(db, accountId),
      listUsedOffers(db, accountId),
    ])
    return { available_offers: available, activated_offers: activated, used_offers: used }
  },
})
