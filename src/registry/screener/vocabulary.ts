/**
 * Values that fields are known to hold. Vocabularies are open: an unknown value is searched as it stands; a known
 * value in another case, a near miss of one, or another register's word for it is taken for a slip and explained.
 */
import { nearest } from '../../domain/nearest.ts'

export const companyStatuses = [
  'Active',
  'Struck Off',
  'Under process of striking off',
  'Amalgamated',
  'Converted to LLP',
  'Under Liquidation',
  'Dormant under section 455',
  'Dissolved (Liquidated)',
  'Inactive for e-filing',
  'Under CIRP',
  'Dissolved under section 59(8)',
  'Inactive',
  'Dormant',
  'Dissolved',
  'Converted to LLP and Dissolved',
  'Not available for e-filing',
  'Vanished',
] as const
export const companyTypes = ['Company', 'LLP', 'Foreign LLP', 'Foreign Company'] as const
export const companyClasses = ['Private', 'Public', 'One Person Company'] as const
export const companyCategories = [
  'Company limited by shares',
  'Company limited by guarantee',
  'Unlimited company',
] as const
export const listings = ['Listed', 'Unlisted'] as const
export const gstStatuses = ['Active', 'Cancelled', 'Suspended', 'Inactive', 'Provisional'] as const
export const taxpayerTypes = [
  'Regular',
  'Composition',
  'Casual Taxable Person',
  'SEZ Unit',
  'SEZ Developer',
  'Input Service Distributor (ISD)',
  'Tax Deductor',
  'Tax Collector (Electronic Commerce Operator)',
  'Non Resident Taxable Person',
  'Non Resident Online Services Provider',
  'United Nation Body',
  'Consulate or Embassy of Foreign Country',
  'Other Notified Person',
  'Government Department ID',
] as const
export const constitutions = [
  'Foreign Company',
  'Foreign Limited Liability Partnership',
  'Government Department',
  'Hindu Undivided Family',
  'Limited Liability Partnership',
  'Local Authority',
  'Others',
  'Partnership',
  'Private Limited Company',
  'Proprietorship',
  'Public Limited Company',
  'Public Sector Undertaking',
  'Society/ Club/ Trust/ AOP',
  'Statutory Body',
  'Unlimited Company',
] as const

/** What people write, from the registers' own words or habit, and the value that the API uses; keys in lower case. */
const otherWords: Readonly<Record<string, string>> = {
  'strike off': 'Struck Off',
  'struck-off': 'Struck Off',
  canceled: 'Cancelled',
  'cancelled suo-moto': 'Cancelled',
  'cancelled on application of taxpayer': 'Cancelled',
  opc: 'One Person Company',
}
/** Below this length two different words are too close to call one a slip of the other. */
const slipLengthMin = 5

/** @returns the known value that `value` was probably meant to be; undefined when it is known or unlike all. */
export function meantValue(value: string, known: readonly string[]): string | undefined {
  if (known.includes(value)) return undefined
  const folded = value.trim().toLowerCase()
  const sameLetters = known.find((each) => each.toLowerCase() === folded)
  if (sameLetters !== undefined) return sameLetters
  const other = otherWords[folded]
  if (other !== undefined && known.includes(other)) return other
  return folded.length < slipLengthMin ? undefined : nearest(value, known, folded.length < 8 ? 1 : 2)
}
