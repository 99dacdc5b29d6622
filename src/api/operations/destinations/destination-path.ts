/** One destination of the calling account, as the operations that pause, resume and remove it answer with it. */
import type {
  pauseDestination,
  removeDestination,
  resumeDestination,
} from '../../../deliver/destinations/destinations.ts'
import type { Asked } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import type { Principal } from '../../route-context.ts'
import type { ServerContext } from '../../server-context.ts'
import { Destination, DestinationPath } from './destination-schemas.ts'
import example from './get.example.json' with { type: 'json' }

export const path = '/api/crm/destinations/:destination_id'

export const changing = (change: typeof pauseDestination | typeof removeDestination | typeof resumeDestination) => ({
  caller: { scopes: ['deliver'], atLeast: 'admin' } as const,
  audit: 'act' as const,
  params: DestinationPath,
  body: noBody,
  reply: { 200: Destination },
  example,
  handle: ({ delivery }: ServerContext, request: Asked<typeof DestinationPath>, { accountId }: Principal) =>
    change(delivery, request.params.destination_id, accountId),
})
