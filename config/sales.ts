/** What is on sale: plans, offers and packs of credits, with their prices. Data, not code. */

/** A free offer includes registrations of this many days before its start. */
export const trialDaysBefore = 30

/** GST in percent, included in prices: the tax within a sum is `sum × percent ÷ (100 + percent)`. */
export const gstPercent = 18

/** Paise per credit, tax included, if the sample world sells credits without PANJI_CREDIT_PAISE. */
export const sampleCreditPaise = 1_180

/** An account is notified when its credits fall below this. */
export const lowCredits = 20

/** Days before which an account is notified that credits expire. */
export const expiringDaysBefore = 7

export interface CreditPack {
  readonly id: string
  readonly credits: number
  /** Paise, tax included. */
  readonly amount: number
  /** Days from the payment within which its credits can be spent. */
  readonly validDays: number
}

/** Credits on sale; removing a pack does not affect those who bought it. */
export const creditPacks = [
  { id: 'credits-100', credits: 100, amount: 118_000, validDays: 365 },
  { id: 'credits-500', credits: 500, amount: 531_000, validDays: 365 },
  { id: 'credits-2500', credits: 2_500, amount: 2_360_000, validDays: 365 },
] as const satisfies readonly CreditPack[]

/** The feed that an offer's feature opens. `API_ACCESS` opens none: it is a label. */
export const featureDatasets = {
  Recent_GST: 'gst',
  Recent_COMP: 'company',
  Recent_DIR: 'director',
} as const satisfies Record<string, 'gst' | 'company' | 'director'>

export interface PlanDefinition {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Paise, tax included, when paid online. */
  readonly amount: number
  /** Price in credits; null if it can only be bought with money. */
  readonly priceCredits: number | null
  readonly interval: 'month' | 'year'
  /** Length of a term. */
  readonly days: number
  /** Days after the last term for which everything stays open, unless it was cancelled; fewer than a term has. */
  readonly graceDays: number
  /** The plan whose daily limits and quotas apply; null: the account's own. */
  readonly limits: 'premium' | null
  /** Feeds that it opens, nationwide. */
  readonly datasets: readonly ('gst' | 'company' | 'director')[]
  /** The feeds start with the day on which the subscription started. */
  readonly anchored: boolean
  /** Credits per term, which can be spent until its end. */
  readonly credits: number
}

/** The plans on sale; subscribers of a removed plan keep it to the end of what they paid for. */
export const plans = [
  {
    id: 'premium-month',
    name: 'Premium, monthly',
    description:
      'Premium limits, the feed of new GST registrations from the first day on, and 100 credits for 30 days.',
    amount: 354_000,
    priceCredits: 300,
    interval: 'month',
    days: 30,
    graceDays: 3,
    limits: 'premium',
    datasets: ['gst'],
    anchored: true,
    credits: 100,
  },
  {
    id: 'premium-year',
    name: 'Premium, yearly',
    description: 'Premium limits, all three feeds, and 1,500 credits for a year.',
    amount: 3_540_000,
    priceCredits: null,
    interval: 'year',
    days: 365,
    graceDays: 7,
    limits: 'premium',
    datasets: ['gst', 'company', 'director'],
    anchored: false,
    credits: 1_500,
  },
] as const satisfies readonly PlanDefinition[]

/** Hours before its end at which a subscription is renewed, if its owner chose renewal with credits. */
export const renewHoursBefore = 24

export interface OfferDefinition {
  readonly id: string
  readonly name: string
  readonly description: string
  /**
   * INR, tax included. An account activates a free offer itself, once, and buys a priced one; an operator may activate
   * it, too.
   */
  readonly price: number
  readonly durationDays: number
  /** Price in credits; null if it can only be bought with money. Ignored for a free offer. */
  readonly priceCredits: number | null
  readonly features: readonly (keyof typeof featureDatasets | 'API_ACCESS')[]
}

/** The offers on sale; removing one does not affect those who activated it. */
export const offers: readonly OfferDefinition[] = [
  {
    id: 'recent-gst-trial-7',
    name: 'New GST registrations, trial of 7 days',
    description: 'The feed of recently registered GST taxpayers, nationwide, for 7 days; once per account.',
    price: 0,
    durationDays: 7,
    priceCredits: null,
    features: ['Recent_GST', 'API_ACCESS'],
  },
  {
    id: 'recent-gst-30',
    name: 'New GST registrations, 30 days',
    description: 'The feed of recently registered GST taxpayers, nationwide, for 30 days.',
    price: 2999,
    durationDays: 30,
    priceCredits: 250,
    features: ['Recent_GST', 'API_ACCESS'],
  },
  {
    id: 'recent-companies-30',
    name: 'New companies and directors, 30 days',
    description: 'The feeds of recently registered companies and directors, nationwide, for 30 days.',
    price: 3999,
    durationDays: 30,
    priceCredits: 330,
    features: ['Recent_COMP', 'Recent_DIR', 'API_ACCESS'],
  },
  {
    id: 'recent-all-365',
    name: 'All feeds, one year',
    description: 'All three feeds of recently registered records, nationwide, for a year.',
    price: 49_999,
    durationDays: 365,
    priceCredits: 4_000,
    features: ['Recent_GST', 'Recent_COMP', 'Recent_DIR', 'API_ACCESS'],
  },
]
