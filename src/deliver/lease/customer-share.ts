/** How much of the day's calls of a CRM account deliveries leave to the customer's other programs: a number goes in, one that holds comes out. */
import { AppError } from '../../errors.ts'

export const usualCustomerShare = 0.2
/** Something must be left to deliver with. */
export const customerShareMax = 0.9

/** @throws AppError DESTINATION_INVALID */
export function readCustomerShare(share: number): number {
  if (share >= 0 && share <= customerShareMax) return share
  throw new AppError('DESTINATION_INVALID', `customer_share: ${share} is no share from 0 to ${customerShareMax}`)
}
