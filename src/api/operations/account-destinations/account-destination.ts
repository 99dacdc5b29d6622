/** One CRM of one account, as operators name it. */
import { UserPath } from '../accounts/account-schemas.ts'
import { DestinationPath } from '../destinations/destination-schemas.ts'

export const path = '/admin/users/:id/destinations/:destination_id'
export const AccountDestinationPath = UserPath.extend(DestinationPath.shape)
