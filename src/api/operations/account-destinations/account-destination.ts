/** One destination of one account, for the operator operations that do on it what the account itself can do. */
import type { z } from 'zod'
import { getAccount } from '../../../access/accounts.ts'
import type {
  pauseDestination,
  removeDestination,
  resumeDestination,
} from '../../../deliver/destinations/destinations.ts'
import type { ServerContext } from '../../server-context.ts'
import { UserPath } from '../accounts/account-schemas.ts'
import { DestinationPath } from '../destinations/destination-schemas.ts'

export const path = '/admin/users/:id/destinations/:destination_id'
export const AccountDestinationPath = UserPath.extend(DestinationPath.shape)

interface Asked {
  readonly params: z.output<typeof AccountDestinationPath>
}

/** A destination of another account is not found. */
export const changing =
  (change: typeof pauseDestination | typeof removeDestination | typeof resumeDestination) =>
  async ({ db, delivery }: ServerContext, { params: { id, destination_id: destinationId } }: Asked) => {
    const { accountId } = await getAccount(db, id)
    return change(delivery, destinationId, accountId)
  }
