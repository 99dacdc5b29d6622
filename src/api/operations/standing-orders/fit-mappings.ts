/** Before a standing order saves fields of its own, each CRM confirms that it has them. */
import type { FastifyRequest } from 'fastify'
import { requireFit } from '../../../deliver/mapping/change-mapping.ts'
import type { Mappings } from '../../../standing/standing-order.ts'
import { principalOf, type RouteContext } from '../../route-context.ts'

/** @throws AppError NOT_FOUND, DESTINATION_INVALID with the faults, and any error of the connector. */
export async function fitMappings(
  { db, delivery }: Pick<RouteContext, 'db' | 'delivery'>,
  request: FastifyRequest,
  mappings: Mappings,
): Promise<void> {
  const { accountId } = principalOf(request)
  const { connectors, secretKey, crmRequests } = delivery
  for (const [destinationId, fields] of Object.entries(mappings)) {
    await crmRequests.run(request, (signal) =>
      requireFit({ db, connectors, secretKey }, { destinationId, mapping: fields }, signal, accountId),
    )
  }
}
