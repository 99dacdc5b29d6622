/** What an account may use: daily limits by plan, the burst limit, quotas and budgets, and the terms of orders and payments. Data, not code. */

export type PlanName = 'free' | 'premium'

/** Requests per UTC day; null where the plan has no limit. */
export const dailyLimits = {
  free: { search: 100, details: 100, screener: 10 },
  premium: { search: null, details: 1000, screener: 100 },
} as const satisfies Record<PlanName, Record<'search' | 'details' | 'screener', number | null>>

/** Requests per account and minute over all endpoints. */
export const burstPerMinute = 600

export interface ExpensiveReadPlan {
  /** Expensive reads of one account that run at the same time; always one place less than there are is left to others. */
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

/** Expensive reads scan and count: the screener, filters, feeds, exports. They have database connections of their own. */
export const expensiveReadPlans: Readonly<Record<PlanName, ExpensiveReadPlan>> = {
  free: { atOnce: 1, waiting: 16, takesLast: false, seconds: 5, parallel: false },
  premium: { atOnce: 2, waiting: 32, takesLast: true, seconds: 15, parallel: true },
}

export const expensiveReadQueue = {
  /** An expensive read that found no place within this time is refused with 429. */
  waitSeconds: 3,
  /** Those of all accounts that may wait in one process; of plans that leave the last place, three quarters. */
  waiting: 256,
  /** Queries per account and minute that may be refused by the planner's estimate, each of which costs a look. */
  refusedPerMinute: 30,
} as const

/**
 * Exports and leads of orders, sent as they are read: an answer is under way until its caller has taken the last of it.
 * Those of few items are built whole, and take none of the places that all share.
 */
export const openAnswers = {
  /** Answers of so few items are built whole, as a page of a search is; of one account in one process. */
  whole: { itemsMax: 100, perAccount: 64 },
  /** Of one account in one process. */
  perAccount: { free: 2, premium: 64 },
  /** Of all accounts in one process: each holds a slice of leads. */
  inAll: 192,
  /** Of these, kept for accounts of premium. */
  reserved: 128,
  /** Of orders that are not paid, which take none of the places above. */
  unpaid: { perAccount: 2, inAll: 32 },
  /** Whoever takes nothing of an answer for so long is cut off. */
  idleSeconds: 120,
  /** So is whoever keeps it waiting for so long in all, and has taken less meanwhile than so many bytes a second. */
  slow: { seconds: 60, bytesPerSecond: 4_096 },
} as const

/** Plans as quotas know them: the enterprise flag of an account goes before its plan. */
export type QuotaPlan = PlanName | 'enterprise'

/** What details show per plan of what a lead sells, too. */
export interface DetailsShown {
  /** False: a company's e-mail address is null in its details, of today and of a day, and left out of its history and trace. */
  readonly companyEmail: boolean
}

export const detailsShown: Readonly<Record<QuotaPlan, DetailsShown>> = {
  free: { companyEmail: true },
  premium: { companyEmail: true },
  enterprise: { companyEmail: true },
}

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
    people: 20,
    standingOrders: 20,
    standingDrafts: 200,
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
    people: 100,
    standingOrders: 20,
    standingDrafts: 200,
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
    people: 1_000,
    standingOrders: 200,
    standingDrafts: 2_000,
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

/** Standing orders: what a run may find before somebody has to look at it. */
export const standingTerms = {
  /** Times the matches of a usual day; the first run that finds something always waits. */
  unusualTimes: 5,
  /** Days that a usual day is learnt from, and that a preview shows. */
  usualDays: 30,
  previewDays: 30,
  /** Time of India at which the digest of a day goes out. */
  digestAt: '08:30',
} as const

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
    /** Reports that one act of an operator decides; what waits beyond them is told. */
    decidedMax: 1_000,
  },
} as const

/**
 * When the credit of an ordered row is spent. An account whose orders go into a CRM automatically has it held at the order, and
 * spent by the CRM's acknowledgement; any other account spends it at the order.
 */
export const settlement = {
  /** False: at the order, for every account. */
  onAcknowledgement: true,
  /** Days after which the credit of a row that every CRM refused, and nobody fixed, is released. */
  releaseDays: 30,
  /**
   * Beyond so many refused rows of an account, and such a share of those that were held for it within the days, the next ones wait for an
   * operator: a CRM can be told to refuse what it has read.
   */
  refusals: { rows: 10, share: 0.1, days: 90 },
  /** Days after which the held credit of a row is spent that no destination is there for any more. */
  undeliveredDays: 30,
  /** Days after which it is spent though one is there: broken, paused or silent for so long. */
  longestDays: 90,
} as const

/** Days that the access statement tells of a grant that has ended. */
export const endedGrantDays = 90

/** Days that a summary of a feed counts unless told, and at most. */
export const summaryDays = { usual: 30, max: 92 } as const

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
