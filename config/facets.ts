/** What narrows a search best, the most telling first: fields of which each value is counted, and bounds that a search is narrowed by. */

export interface Facets {
  /** Fields of few values. */
  readonly values: readonly string[]
  /** Of a field: conditions of which each is counted. */
  readonly bounds: Readonly<Record<string, readonly string[]>>
}

const reach = { has_mobile: [''], has_email: [''], has_website: [''], owned: ['== false'] } as const
const days = ['IN last 7 days', 'IN this month', 'IN last 90 days', 'IN this year', 'IN last 5 years']

export const facets: Readonly<Record<'company' | 'gst', Facets>> = {
  company: {
    values: ['State', 'District', 'llpStatus', 'companyType', 'classOfCompany', 'NICDesc'],
    bounds: {
      dateOfIncorporation: days,
      paidUpCapital: ['>= 1 lakh', '>= 10 lakh', '>= 1 crore', '>= 10 crore'],
      boardSize: ['>= 2', '>= 3', '>= 5', '>= 10'],
      ...reach,
    },
  },
  gst: {
    values: ['state', 'District', 'Status', 'TaxpayerType', 'ConstitutionBusiness'],
    bounds: { DateOfRegistration: days, ...reach },
  },
}
