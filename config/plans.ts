/** What an account may use: daily limits by plan, the burst limit, login throttling and the offers on sale. Data, not code. */

export type PlanName = 'free' | 'premium'

/** Requests per UTC day; null where the plan has no limit. */
export const dailyLimits = {
  free: { search: 100, details: 100, screener: 10 },
  premium: { search: null, details: 1000, screener: 100 },
} as const satisfies Record<PlanName, Record<'search' | 'details' | 'screener', number | null>>

/** Requests per account and minute over all endpoints. */
export const burstPerMinute = 600

export interface DearReadPlan {
  /** Dear reads of one account that run at the same time; always one place less than there are is left to others. */
  readonly atOnce: number
  /** Those of the account that may wait for a place; further ones are refused at once. */
  readonly waiting: number
  /** May take the last free place: without it, all accounts of the plan together leave one to the others. */
  readonly takesLast: boolean
  /** Time that one may take, in seconds; a search that takes longer is stopped and has used its unit. */
  readonly seconds: number
  /** May take further cores of the database, to be done sooner. */
  readonly parallel: boolean
}

/** Dear reads scan and count: the screener, filters, feeds, exports. They have database connections of their own. */
export const dearReadPlans: Readonly<Record<PlanName, DearReadPlan>> = {
  free: { atOnce: 1, waiting: 16, takesLast: false, seconds: 5, parallel: false },
  premium: { atOnce: 2, waiting: 32, takesLast: true, seconds: 15, parallel: true },
}

export const dearReadQueue = {
  /** A dear read that found no place within this time is refused with 429. */
  waitSeconds: 3,
  /** Those of all accounts that may wait in one process; of plans that leave the last place, three quarters. */
  waiting: 256,
  /** Queries per account and minute that may be refused by the planner's estimate, each of which costs a look. */
  hopelessPerMinute: 30,
} as const

/** Exports and leads of orders, sent as they are read: an answer is under way until its caller has taken the last of it. */
export const openAnswers = {
  /** Of one account in one process. */
  perAccount: 64,
  /** Of all accounts in one process: each holds a slice of leads. */
  inAll: 192,
  /** Whoever takes nothing of an answer for so long is cut off. */
  idleSeconds: 120,
} as const

export const loginThrottle = {
  /** Wrong keys per address (IPv6: per /64) or key prefix within the window, before further wrong ones are a 429. */
  failuresMax: 10,
  windowMinutes: 15,
  /** Wrong keys per address within 24 hours, before it is noted as blocked and wrong keys of it are a 403. */
  failuresPerDayMax: 100,
} as const

/** Plans as quotas know them: the enterprise flag of an account goes before its plan. */
export type QuotaPlan = PlanName | 'enterprise'

/**
 * What an account may have stored at one time. Beyond it a request is refused with QUOTA_EXCEEDED and the figure; of
 * sessions the oldest ends instead.
 */
export const quotas = {
  free: {
    watchlists: 50,
    watchedEntities: 20_000,
    savedScreeners: 50,
    savedScreenerBytes: 200_000,
    sessions: 200,
    pendingOrders: 5,
    pendingItems: 2_000,
    destinations: 5,
    apiKeys: 25,
  },
  premium: {
    watchlists: 500,
    watchedEntities: 500_000,
    savedScreeners: 500,
    savedScreenerBytes: 2_000_000,
    sessions: 1_000,
    pendingOrders: 50,
    pendingItems: 20_000,
    destinations: 20,
    apiKeys: 100,
  },
  enterprise: {
    watchlists: 5_000,
    watchedEntities: 5_000_000,
    savedScreeners: 5_000,
    savedScreenerBytes: 20_000_000,
    sessions: 5_000,
    pendingOrders: 500,
    pendingItems: 200_000,
    destinations: 100,
    apiKeys: 500,
  },
} as const satisfies Record<QuotaPlan, Record<string, number>>
export type QuotaName = keyof (typeof quotas)['free']

/**
 * What an account may use up per UTC day beside its calls; null where there is no limit. Beyond it a request is refused
 * with RATE_LIMITED until midnight.
 */
export const budgets = {
  free: {
    /** Records that the feeds return. An account that has bought a feed has the budget of premium. */
    feedRecords: 1_000,
    /** Ordered or quoted items that are in no register. */
    unknownItems: 100,
    /** Items that quotes count. */
    quotedItems: 5_000,
    orders: 500,
    orderedItems: 20_000,
    /** Answers kept under an Idempotency-Key, for 24 hours each. */
    keptAnswers: 2_000,
    /** Of the bodies of requests that store something; each counts as at least `writtenBytesMin`. */
    writtenBytes: 25_000_000,
  },
  premium: {
    feedRecords: 100_000,
    unknownItems: 2_000,
    quotedItems: 200_000,
    orders: 10_000,
    orderedItems: 500_000,
    keptAnswers: 50_000,
    writtenBytes: 500_000_000,
  },
  enterprise: {
    feedRecords: null,
    unknownItems: 20_000,
    quotedItems: null,
    orders: null,
    orderedItems: null,
    keptAnswers: 200_000,
    writtenBytes: 2_000_000_000,
  },
} as const satisfies Record<QuotaPlan, Record<string, number | null>>
export type BudgetName = keyof (typeof budgets)['free']

/** A request that stores something costs a row, its index entries and its log record, however short its body is. */
export const writtenBytesMin = 1_024

/**
 * Days, counted back from today, whose registrations are what the feeds sell. Searches by date find them only for
 * accounts that are entitled to the dataset.
 */
export const saleHorizonDays = 90

/** What a buyer may count on after an order. */
export const orderTerms = {
  /** Days within which a record that was bought and paid for comes again without a charge. */
  ownedDays: 30,
  /** Days within which what could not be reached then is delivered and charged late, where it can be now. */
  reclaimDays: 30,
  /** Hours after which an order that was not paid expires. */
  unpaidHours: 48,
  /** Items whose contact turned out to be bad. An operator decides; an accepted one brings its credit back. */
  disputes: {
    /** Days since the order within which an item may be reported. */
    days: 30,
    /** Reports of one account that may wait for their decision. */
    openMax: 200,
  },
} as const

/**
 * When the credit of an ordered row is spent. An account whose orders go into a CRM by themselves has it held at the order, and
 * spent by the CRM's acknowledgement; any other account spends it at the order.
 */
export const settlement = {
  /** False: at the order, for every account. */
  onAcknowledgement: true,
  /** Days after which the credit of a row that every CRM refused, and nobody mended, is released. */
  releaseDays: 30,
  /** Days after which the held credit of a row is spent that no destination is there for any more. */
  undeliveredDays: 30,
} as const

/** A free offer opens its feeds from so many days before its start to its end. */
export const trialDaysBefore = 30

/** Days that the access statement tells of a grant that has ended. */
export const endedGrantDays = 90

/** Days that a summary of a feed counts unless told, and at most. */
export const summaryDays = { usual: 30, max: 92 } as const

/** Minutes since the login within which a session may do what cannot be taken back, such as erasing the account. */
export const freshLoginMinutes = 5

/** Percent of GST that prices include; with it the tax within a sum is `sum × percent ÷ (100 + percent)`. */
export const gstPercent = 18

/** Paise per credit, tax included, where the sample world sells credits without PANJI_CREDIT_PAISE. */
export const sampleCreditPaise = 1_180

export interface CreditPack {
  readonly id: string
  readonly credits: number
  /** Paise, tax included. */
  readonly amount: number
  /** Days after the payment within which its credits can be spent. */
  readonly validDays: number
}

/** Credits on sale; one that leaves this list stays valid for those who bought it. */
export const creditPacks = [
  { id: 'credits-100', credits: 100, amount: 118_000, validDays: 365 },
  { id: 'credits-500', credits: 500, amount: 531_000, validDays: 365 },
  { id: 'credits-2500', credits: 2_500, amount: 2_360_000, validDays: 365 },
] as const satisfies readonly CreditPack[]

/** How orders that wait for their payment are followed up. */
export const pendingPayments = {
  /** Minutes that the buyer has before the processor is asked. */
  askAfterMinutes: 5,
  /** Hours after which an order that nobody paid ends, once the processor was asked: before `unpaidHours` ends it unasked. */
  endAfterHours: 47,
  /** Hours that an order which ended unpaid is still asked for. */
  askUntilHours: 96,
  /** Purchases of one account that may wait for their payment. */
  purchasesMax: 20,
  /** Orders and payments asked for in one run. */
  askedMax: 1_000,
  /** Days that refunds of a payment are asked for, for notices that were lost. */
  refundDays: 45,
} as const

/** Forged notices that are recorded per hour; further ones are refused as well, without a record. */
export const forgedNoticesPerHour = 60

export const accessTokenSeconds = 3600
export const refreshTokenDays = 30
/** From signing in with a browser, of operators and accounts alike; then the credential is asked for again. */
export const browserSessionHours = 12
/** That an operator may look at an account as it sees itself, before asking anew. */
export const accountViewMinutes = 30
/** Without any call of its pages; then the credential is asked for again. */
export const browserRestMinutes = 60
/** That the code of a printed link is good for, once. */
export const consoleCodeMinutes = 15

/** Links that sign an account in with a browser, sent by e-mail. What is asked for beyond these is not sent, and nobody is told. */
export const signInLinks = {
  /** From the sending of the e-mail. */
  minutes: 15,
  windowMinutes: 15,
  /** Asked for by one address (IPv6: by one /64) within the window. */
  perAddressMax: 10,
  /** About one e-mail address within the window. */
  perEmailMax: 3,
} as const

/** Which feed a feature of an offer opens. `API_ACCESS` opens none: it is a label. */
export const featureDatasets = {
  Recent_GST: 'gst',
  Recent_COMP: 'company',
  Recent_DIR: 'director',
} as const satisfies Record<string, 'gst' | 'company' | 'director'>

export interface PlanDefinition {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Paise, tax included, where it is paid online. */
  readonly amount: number
  /** What it costs in credits; null: nothing but money buys it. */
  readonly priceCredits: number | null
  readonly interval: 'month' | 'year'
  /** Of one term. */
  readonly days: number
  /** Days after the last term that everything stays open for, unless it was cancelled; fewer than a term has. */
  readonly graceDays: number
  /** Whose daily limits and quotas it brings; null: the account's own. */
  readonly limits: 'premium' | null
  /** Feeds that it opens, nationwide. */
  readonly datasets: readonly ('gst' | 'company' | 'director')[]
  /** The feeds begin with the day on which the subscription did. */
  readonly anchored: boolean
  /** Credits of each term, which can be spent until its end. */
  readonly credits: number
}

/** The plans on sale; one that leaves this list stays with those who have it, to the end of what they paid for. */
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

/** Hours before its end that a subscription is renewed which its owner wants renewed with credits. */
export const renewHoursBefore = 24

export interface OfferDefinition {
  readonly id: string
  readonly name: string
  readonly description: string
  /** INR, tax included. An account activates a free offer itself, once, and buys a priced one; an operator may activate it, too. */
  readonly price: number
  readonly durationDays: number
  /** What it costs in credits; null: nothing but money buys it. Of a free offer nothing is asked. */
  readonly priceCredits: number | null
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
