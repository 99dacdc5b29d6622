/**
 * The facets that narrow a search, most useful first: fields whose values are counted, codes counted by their heading,
 * and conditions to narrow by.
 */

export interface Facets {
  /** Fields with few values. */
  readonly values: readonly string[]
  /** Fields with several codes per record, and the number of digits of the heading that they are counted by. */
  readonly headings: Readonly<Record<string, number>>
  /** By field: the conditions that are counted. */
  readonly bounds: Readonly<Record<string, readonly string[]>>
}

const reach = { has_mobile: [''], has_email: [''], has_website: [''], owned: ['== false'] } as const
const days = ['IN last 7 days', 'IN this month', 'IN last 90 days', 'IN this year', 'IN last 5 years']

export const facets: Readonly<Record<'company' | 'gst', Facets>> = {
  company: {
    values: ['State', 'District', 'llpStatus', 'companyType', 'classOfCompany', 'NICDesc'],
    headings: {},
    bounds: {
      dateOfIncorporation: days,
      paidUpCapital: ['>= 1 lakh', '>= 10 lakh', '>= 1 crore', '>= 10 crore'],
      boardSize: ['>= 2', '>= 3', '>= 5', '>= 10'],
      ...reach,
    },
  },
  gst: {
    values: ['state', 'District', 'Status', 'TaxpayerType', 'ConstitutionBusiness'],
    headings: { hsncd: 4 },
    bounds: { DateOfRegistration: days, ...reach },
  },
}
