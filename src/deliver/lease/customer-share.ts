/** The share of a CRM account's daily calls that deliveries leave to the customer's other programs. */
import { AppError } from '../../errors.ts'

export const usualCustomerShare = 0.2
/** Leaves a tenth for deliveries. */
export const customerShareMax = 0.9

/** @throws AppError DESTINATION_INVALID */
export function readCustomerShare(share: number): number {
  if (share >= 0 && share <= customerShareMax) return share
  throw new AppError('DESTINATION_INVALID', `customer_share: ${share} is not a share from 0 to ${customerShareMax}`)
}
