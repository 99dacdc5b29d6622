/** What an account may use: daily limits by plan, the burst limit, login throttling and the offers on sale. Data, not code. */

export type PlanName = 'free' | 'premium'

/** Requests per UTC day; null where the plan has no limit. */
export const dailyLimits = {
  free: { search: 100, details: 100, screener: 10 },
  premium: { search: null, details: 1000, screener: 100 },
} as const satisfies Record<PlanName, Record<'search' | 'details' | 'screener', number | null>>

/** Requests per account and minute over all endpoints. */
export const burstPerMinute = 600

export const loginThrottle = {
  /** Wrong keys per address (IPv6: per /64) or key prefix within the window, before further wrong ones are a 429. */
  failuresMax: 10,
  windowMinutes: 15,
  /** Wrong keys per address within 24 hours, before it is noted as blocked and wrong keys of it are a 403. */
  failuresPerDayMax: 100,
} as const

/** Living API keys per account. */
export const apiKeysMax = 25

/** Minutes since the login within which a session may do what cannot be taken back, such as erasing the account. */
export const freshLoginMinutes = 5

export const accessTokenSeconds = 3600
export const refreshTokenDays = 30

/** Which feed a feature of an offer opens. `API_ACCESS` opens none: it is a label. */
export const featureDatasets = {
  Recent_GST: 'gst',
  Recent_COMP: 'company',
  Recent_DIR: 'director',
} as const satisfies Record<string, 'gst' | 'company' | 'director'>

export interface OfferDefinition {
  readonly id: string
  readonly name: string
  readonly description: string
  /** INR. An account activates a free offer itself, once; a priced one the operator activates when it is paid. */
  readonly price: number
  readonly durationDays: number
  readonly features: readonly (keyof typeof featureDatasets | 'API_ACCESS')[]
}

/** The offers on sale; one that leaves this list stays valid for those who activated it. */
export const offers: readonly OfferDefinition[] = [
  {
    id: 'recent-gst-trial-7',
    name: 'New GST registrations, trial of 7 days',
    description: 'The feed of recently registered GST taxpayers, nationwide, for 7 days; once per account.',
    price: 0,
    durationDays: 7,
    features: ['Recent_GST', 'API_ACCESS'],
  },
  {
    id: 'recent-gst-30',
    name: 'New GST registrations, 30 days',
    description: 'The feed of recently registered GST taxpayers, nationwide, for 30 days.',
    price: 2999,
    durationDays: 30,
    features: ['Recent_GST', 'API_ACCESS'],
  },
  {
    id: 'recent-companies-30',
    name: 'New companies and directors, 30 days',
    description: 'The feeds of recently registered companies and directors, nationwide, for 30 days.',
    price: 3999,
    durationDays: 30,
    features: ['Recent_COMP', 'Recent_DIR', 'API_ACCESS'],
  },
  {
    id: 'recent-all-365',
    name: 'All feeds, one year',
    description: 'All three feeds of recently registered records, nationwide, for a year.',
    price: 49_999,
    durationDays: 365,
    features: ['Recent_GST', 'Recent_COMP', 'Recent_DIR', 'API_ACCESS'],
  },
]
