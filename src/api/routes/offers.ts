import { z } from 'zod'
import {
  type Activation,
  activateOffer,
  listActivatedOffers,
  listAvailableOffers,
  listUsedOffers,
} from '../../access/offers.ts'
import { entityTypes } from '../../domain/identity.ts'
import { exampleIds } from '../example-records.ts'
import { timestamp } from '../formats.ts'
import { keepAnswerOf } from '../hooks/idempotency.ts'
import { noBody } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'

const Offer = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    price: z.number().describe('INR'),
    duration_days: z.number(),
    features: z.array(z.string()).readonly(),
  })
  .meta({ id: 'Offer' })
const Offers = z.object({
  available_offers: z.array(Offer),
  activated_offers: z.array(Offer).describe('That run'),
  used_offers: z.array(z.string()).describe('Ids of free ones on sale that you had: an account has each once'),
})
export const ActivatedOffer = z.object({
  data: z
    .object({
      offer: Offer,
      activated_at: timestamp(),
      expires_at: timestamp(),
      datasets: z.array(z.enum(entityTypes)).describe('The feeds that it opens; see GET /api/access'),
    })
    .meta({ id: 'ActivatedOffer' }),
})

export const offerRoutes: Routes = async (app, { db }) => {
  app.get(
    '/api/offers/available',
    {
      schema: {
        operationId: 'listOffers',
        tags: ['Account'],
        summary: 'Offers on sale, and yours',
        description: 'An offer opens feeds for a number of days.',
        response: { 200: Offers },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const [available, activated, used] = await Promise.all([
        listAvailableOffers(db),
        listActivatedOffers(db, accountId),
        listUsedOffers(db, accountId),
      ])
      return { available_offers: available, activated_offers: activated, used_offers: used }
    },
  )

  app.post(
    '/api/offers/:id/activate',
    {
      config: { idempotent: 'with-effect', scopes: ['order'], errors: ['CONFLICT'] },
      schema: {
        operationId: 'activateOffer',
        tags: ['Account'],
        summary: 'Activate a free offer',
        description:
          'Opens its feeds for its days, once per account. While it is active a repeat changes nothing. A priced offer ' +
          'is bought.',
        params: z.object({
          id: z
            .string()
            .max(200)
            .meta({ description: 'Id of the offer', examples: [exampleIds.offer] }),
        }),
        body: noBody,
        response: { 200: ActivatedOffer },
      },
    },
    async (request) =>
      db.transaction(async (tx) => {
        const { accountId } = principalOf(request)
        const body = activationOf(
          await activateOffer(tx, { accountId, offerId: request.params.id, by: `account:${accountId}` }),
        )
        await keepAnswerOf(tx, request, 200, body)
        return body
      }),
  )
}

export function activationOf({ offer, activatedAt, expiresAt, datasets }: Activation): z.output<typeof ActivatedOffer> {
  return {
    data: {
      offer,
      activated_at: activatedAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      datasets: [...datasets],
    },
  }
}
