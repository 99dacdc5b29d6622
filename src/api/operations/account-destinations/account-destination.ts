/** One destination of one account, for the operator operations that do on it what the account itself can do. */
import { getAccount } from '../../../access/accounts.ts'
import type {
  pauseDestination,
  removeDestination,
  resumeDestination,
} from '../../../deliver/destinations/destinations.ts'
import type { Asked } from '../../operation.ts'
import { noBody } from '../../parameters.ts'
import type { ServerContext } from '../../server-context.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import { Destination, DestinationPath } from '../destinations/destination-schemas.ts'
import example from '../destinations/get.example.json' with { type: 'json' }

export const path = '/admin/users/:id/destinations/:destination_id'
export const AccountDestinationPath = UserPath.extend(DestinationPath.shape)

/** A destination of another account is not found. */
export const changing = (change: typeof pauseDestination | typeof removeDestination | typeof resumeDestination) => ({
  caller: { role: 'operator' } as const,
  audit: 'act' as const,
  params: AccountDestinationPath,
  body: noBody,
  reply: { 200: Destination },
  example,
  handle: async ({ db, delivery }: ServerContext, { params }: Asked<typeof AccountDestinationPath>) => {
    const { accountId } = await getAccount(db, params.id)
    return change(delivery, params.destination_id, accountId)
  },
})
