/** Fields and filters in a buyer's words. */
import { dayInWords } from '../../../look/days.ts'
import type { Term } from './terms.ts'

const headings: Readonly<Record<string, string>> = {
  State: 'State',
  state: 'State',
  llpStatus: 'Status',
  companyType: 'Kind',
  classOfCompany: 'Class',
  companyCategory: 'Category',
  TaxpayerType: 'Type of taxpayer',
  ConstitutionBusiness: 'Constitution',
  BusinessActivities: 'Activity',
  NICDesc: 'Industry',
  NICCode: 'NIC code',
  mainDivision: 'NIC division',
  hsncd: 'HSN code',
  saccd: 'SAC code',
  dateOfIncorporation: 'Registered',
  DateOfRegistration: 'Registered',
  paidUpCapital: 'Paid-up capital',
  authorisedCapital: 'Authorised capital',
  boardSize: 'Directors',
  company: 'Name',
  TradeName: 'Trade name',
  LegalName: 'Legal name',
  ROCCode: 'Registrar',
  Pincode: 'PIN code',
}

export const headingOf = (field: string): string => headings[field] ?? field

const flags: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  has_mobile: ['Has mobile', 'No mobile'],
  has_email: ['Has e-mail', 'No e-mail'],
  has_website: ['Has website', 'No website'],
  owned: ['Owned', 'Not owned yet'],
}

const amounts = new Set(['paidUpCapital', 'authorisedCapital'])
const days = new Set(['dateOfIncorporation', 'DateOfRegistration'])

export const isAmount = (field: string): boolean => amounts.has(field)
export const isDay = (field: string): boolean => days.has(field)

/** `₹10 lakh`, `18 Nov 2026`; everything else unchanged. */
export function shownValue(field: string, value: string): string {
  if (amounts.has(field) && /^\d+$/.test(value)) return inLakhAndCrore(Number(value))
  if (/^\d{4}-\d\d-\d\d$/.test(value) && days.has(field)) return dayInWords(value)
  return value
}

function inLakhAndCrore(rupees: number): string {
  const round = (value: number) => new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 }).format(value)
  if (rupees >= 1e7) return `₹${round(rupees / 1e7)} crore`
  return rupees >= 1e5 ? `₹${round(rupees / 1e5)} lakh` : `₹${round(rupees)}`
}

/** `State: Goa or Kerala`, `Paid-up capital: ₹10 lakh or more`, `Has mobile`; any other query text unchanged. */
export function wordsOf({ field, operator, values, text }: Term): string {
  if (field === null) return text
  const flag = flags[field]
  if (flag) return values[0] === 'true' ? flag[0] : flag[1]
  return `${headingOf(field)}: ${condition(
    field,
    operator,
    values.map((value) => shownValue(field, value)),
  )}`
}

function condition(field: string, operator: string, values: readonly string[]): string {
  const [first = '', last = ''] = values
  const isDay = days.has(field)
  switch (operator) {
    case '!=':
    case 'NOT IN':
      return `not ${values.join(' or ')}`
    case '>=':
      return isDay ? `since ${first}` : `${first} or more`
    case '<=':
      return isDay ? `until ${first}` : `${first} or less`
    case '>':
      return isDay ? `after ${first}` : `more than ${first}`
    case '<':
      return isDay ? `before ${first}` : `less than ${first}`
    case 'BETWEEN':
      return `${first} to ${last}`
    case 'CONTAINS':
      return `has “${first}”`
    case 'STARTS_WITH':
      return `begins with “${first}”`
    case 'ENDS_WITH':
      return `ends with “${first}”`
    case 'IS NULL':
      return 'not known'
    case 'IS NOT NULL':
      return 'known'
    default:
      return values.join(' or ')
  }
}

/** A bound as the panel lists it, which is what its facet counts. */
export function boundOf(field: string, value: string): string {
  if (days.has(field)) return value.charAt(0).toUpperCase() + value.slice(1)
  return `${shownValue(field, value)} or more`
}

export const flagOf = (field: string): string => (field === 'owned' ? 'Not owned yet' : (flags[field]?.[0] ?? field))
