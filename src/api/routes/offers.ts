import { z } from 'zod'
import { listActivatedOffers, listAvailableOffers } from '../../access/offers.ts'
import { principalOf, type Routes } from '../route-context.ts'

const Offer = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price: z.number().describe('INR'),
  duration_days: z.number(),
  features: z.array(z.string()).readonly(),
})
const Offers = z.object({ available_offers: z.array(Offer), activated_offers: z.array(Offer) })

export const offerRoutes: Routes = async (app, { db }) => {
  app.get(
    '/api/offers/available',
    { schema: { tags: ['Account'], summary: 'Offers on sale, and yours', response: { 200: Offers } } },
    async (request) => {
      const [available, activated] = await Promise.all([
        listAvailableOffers(db),
        listActivatedOffers(db, principalOf(request).accountId),
      ])
      return { available_offers: available, activated_offers: activated }
    },
  )
}
