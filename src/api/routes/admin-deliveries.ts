/** /admin/deliveries: what became of each lead in each CRM, of all accounts, and further tries. Each act leaves an audit row. */
import { z } from 'zod'
import { listDeliveries } from '../../deliver/list-deliveries.ts'
import { retryDeliveries } from '../../deliver/retry.ts'
import { audit } from '../../trail/audit.ts'
import { exampleIds } from '../example-records.ts'
import { operatorOf } from '../hooks/operator.ts'
import { idText } from '../parameters.ts'
import type { Routes } from '../route-context.ts'
import { admin } from './admin.ts'
import { DeliveryPage, DeliveryQuery, deliveryRow, Retried } from './delivery-schemas.ts'

const RetryBody = z
  .strictObject({
    user_id: idText('Only those of this account').optional(),
    order_id: idText('Only those of this order').optional(),
    destination_id: idText('Only those into this destination').optional(),
    delivery_id: idText('Only this one').optional(),
  })
  .nullish()
  .meta({ examples: [{ destination_id: exampleIds.destination }] })

export const adminDeliveryRoutes: Routes = async (app, { db, queue }) => {
  app.get(
    '/admin/deliveries',
    {
      schema: {
        operationId: 'findDeliveries',
        ...admin,
        summary: 'What became of leads in CRMs, the newest first',
        description:
          "Of all accounts: one row per lead and destination, with the CRM's own code, field and sentence, and the record's page there.",
        querystring: DeliveryQuery.extend({
          user_id: idText('Of this account')
            .meta({ examples: [exampleIds.account] })
            .optional(),
        }),
        response: { 200: DeliveryPage },
      },
    },
    async ({ query }) => {
      const {
        user_id: accountId,
        order_id: orderId,
        destination_id: destinationId,
        outcome,
        record,
        page,
        limit,
      } = query
      const { deliveries, total } = await listDeliveries(db, {
        ...{ accountId, orderId, destinationId, outcome, record },
        ...{ limit, offset: (page - 1) * limit },
      })
      return { data: deliveries.map(deliveryRow), total, page, limit }
    },
  )

  app.post(
    '/admin/deliveries/retry',
    {
      schema: {
        operationId: 'retryDeliveriesOf',
        ...admin,
        summary: 'Ask CRMs again for what they refused or put off',
        description:
          'All that was refused or waits, or that of one account, order or destination, or one delivery alone.',
        body: RetryBody,
        response: { 200: Retried },
      },
    },
    async (request) => {
      const { user_id, order_id, destination_id, delivery_id } = request.body ?? {}
      const actor = operatorOf(request)
      const retried = await db.transaction(async (tx) => {
        const selection = {
          accountId: user_id,
          orderId: order_id,
          destinationId: destination_id,
          deliveryId: delivery_id,
        }
        const count = await retryDeliveries(tx, queue, selection)
        const subject = delivery_id ?? destination_id ?? order_id ?? user_id ?? 'all'
        await audit(tx, { actor, action: 'retry deliveries', subject, detail: { retried: count } })
        return count
      })
      return { retried }
    },
  )
}
