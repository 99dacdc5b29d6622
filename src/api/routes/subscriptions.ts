/** The account's subscriptions: listed, renewed and cancelled. */
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { cancelSubscription } from '../../orders/subscriptions/cancel-subscription.ts'
import { productOf } from '../../orders/subscriptions/products.ts'
import { listSubscriptions, readSubscription } from '../../orders/subscriptions/read-subscriptions.ts'
import { exampleIds } from '../example-records.ts'
import { uuid } from '../formats.ts'
import { noBody, paging } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { buyAndAnswer, buyingErrors } from './buying.ts'
import { Bought, BuyBody, Subscription, shownSubscription } from './subscription-schemas.ts'

const params = z.object({ id: uuid('Of the subscription').meta({ examples: [exampleIds.order] }) })

export const subscriptionRoutes: Routes = async (app, context) => {
  const { db } = context
  app.get(
    '/api/subscriptions',
    {
      schema: {
        operationId: 'listSubscriptions',
        tags: ['Account'],
        summary: 'Your plans and offers, with their terms',
        description: 'Those that are open and those that are over, the one that ends last first.',
        querystring: z.object({ ...paging(100) }),
        response: {
          200: z.object({ data: z.array(Subscription), total: z.number(), page: z.number(), limit: z.number() }),
        },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const { subscriptions, total } = await listSubscriptions(db, principalOf(request).accountId, { page, limit })
      return { data: subscriptions.map(shownSubscription), total, page, limit }
    },
  )

  app.post(
    '/api/subscriptions/:id/renew',
    {
      config: { idempotent: 'with-effect', scopes: ['order'], errors: [...buyingErrors] },
      schema: {
        operationId: 'renewSubscription',
        tags: ['Account'],
        summary: 'Renew a subscription',
        description:
          'A further term begins where the last one ends, at the price of today; also within the days of grace. One that is ' +
          'over is bought anew.',
        params,
        body: BuyBody,
        response: { 201: Bought },
      },
    },
    async (request, reply) => {
      const { accountId } = principalOf(request)
      const { kind, product, status } = await readSubscription(db, accountId, request.params.id)
      if (status === 'ended') throw new AppError('CONFLICT', 'This subscription is over; buy it anew.')
      const bought = await buyAndAnswer(context, request, accountId, productOf(kind, product, request.body.auto_renew))
      return reply.code(201).send(bought)
    },
  )

  app.post(
    '/api/subscriptions/:id/cancel',
    {
      config: { scopes: ['order'], errors: ['NOT_FOUND', 'CONFLICT'] },
      schema: {
        operationId: 'cancelSubscription',
        tags: ['Account'],
        summary: 'Cancel a subscription at its end',
        description: 'It stays open to the end of what was paid, without days of grace. Repeated, it changes nothing.',
        params,
        body: noBody,
        response: { 200: Subscription },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      return shownSubscription(
        await db.transaction((tx) => cancelSubscription(tx, accountId, request.params.id, `account:${accountId}`)),
      )
    },
  )
}
