/** One page of the deliveries of one account or of all, for both operations that list them. */
import type { z } from 'zod'
import type { Db } from '../../../db/db.ts'
import { deliverySorts, listDeliveries } from '../../../deliver/record/list-deliveries.ts'
import { growing, sorting } from '../../parameters.ts'
import { type DeliveryPage, DeliveryQuery, deliveryRow } from './delivery-schemas.ts'

export const DeliveryPageQuery = DeliveryQuery.extend({ ...sorting(deliverySorts), ...growing })

export async function pageOfDeliveries(
  db: Db,
  accountId: string | undefined,
  query: z.output<typeof DeliveryPageQuery>,
): Promise<z.output<typeof DeliveryPage>> {
  const { order_id: orderId, destination_id: destinationId, outcome, record, page, limit, sort, until } = query
  const { deliveries, total } = await listDeliveries(db, {
    ...{ accountId, orderId, destinationId, outcome, record },
    ...{ limit, offset: (page - 1) * limit, sort, until },
  })
  return { data: deliveries.map(deliveryRow), total, page, limit }
}
