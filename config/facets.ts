/**
 * What narrows a search best, the most telling first: fields of which each value is counted, codes that are counted by
 * their heading, and bounds that a search is narrowed by.
 */

export interface Facets {
  /** Fields of few values. */
  readonly values: readonly string[]
  /** Fields of several codes of a record, with the digits of the heading by which they are counted. */
  readonly headings: Readonly<Record<string, number>>
  /** Of a field: conditions of which each is counted. */
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
