/** Before a standing order saves fields of its own, each CRM confirms that it has them. */
import type { FastifyRequest } from 'fastify'
import { requireFit } from '../../../deliver/mapping/change-mapping.ts'
import type { Mappings } from '../../../standing/standing-order.ts'
import { principalOf, type RouteContext } from '../../route-context.ts'

/** @throws AppError NOT_FOUND, DESTINATION_INVALID with the faults, and any error of the connector. */
export async function fitMappings(
  { delivery }: Pick<RouteContext, 'delivery'>,
  request: FastifyRequest,
  mappings: Mappings,
): Promise<void> {
  const { accountId } = principalOf(request)
  for (const [destinationId, fields] of Object.entries(mappings)) {
    await delivery.crmRequests.run(request, (signal) =>
      requireFit(delivery, { destinationId, mapping: fields }, signal, accountId),
    )
  }
}
