/**
 * What an account may use: daily limits by plan, the burst limit, quotas and budgets, and the terms of orders and
 * payments. Data, not code.
 */

export type PlanName = 'free' | 'premium'

/** Requests per UTC day; null for unlimited. */
export const dailyLimits = {
  free: { search: 100, details: 100, screener: 10 },
  premium: { search: null, details: 1000, screener: 100 },
} as const satisfies Record<PlanName, Record<'search' | 'details' | 'screener', number | null>>

/** Requests per account and minute over all endpoints. */
export const burstPerMinute = 600

export interface ExpensiveReadPlan {
  /** Concurrent expensive reads of one account; always at least one slot fewer than there are. */
  readonly atOnce: number
  /** Reads of the account that may wait for a slot; further ones are rejected at once. */
  readonly waiting: number
  /** May use the last free slot; otherwise all accounts of the plan together leave one for the others. */
  readonly takesLast: boolean
  /** Time limit in seconds; a search that takes longer is stopped and still counts. */
  readonly seconds: number
  /** May use further database cores to finish sooner. */
  readonly parallel: boolean
}

/** Expensive reads scan and count: the screener, filters, feeds, exports. They have their own database connections. */
export const expensiveReadPlans: Readonly<Record<PlanName, ExpensiveReadPlan>> = {
  free: { atOnce: 1, waiting: 16, takesLast: false, seconds: 5, parallel: false },
  premium: { atOnce: 2, waiting: 32, takesLast: true, seconds: 15, parallel: true },
}

export const expensiveReadQueue = {
  /** An expensive read that gets no slot within this time is rejected with 429. */
  waitSeconds: 3,
  /** Reads of all accounts that may wait in one process; for plans that leave the last slot, three quarters of it. */
  waiting: 256,
  /** Queries per account and minute that may be rejected by the planner's estimate; each still costs a planning. */
  refusedPerMinute: 30,
} as const

/**
 * Exports and leads of orders, streamed as they are read: a response is open until its client has received all of it.
 * Small ones are built in memory and use none of the shared slots.
 */
export const openAnswers = {
  /** Responses of up to this many items are built in memory, like a page of a search; per account and process. */
  whole: { itemsMax: 100, perAccount: 64 },
  /** Per account and process. */
  perAccount: { free: 2, premium: 64 },
  /** Over all accounts in one process: each holds a slice of leads. */
  inAll: 192,
  /** Of these, reserved for premium accounts. */
  reserved: 128,
  /** For unpaid orders, which use none of the slots above. */
  unpaid: { perAccount: 2, inAll: 32 },
  /** A client that receives nothing for this long is disconnected. */
  idleSeconds: 120,
  /** So is one that has kept a response waiting for this long in total and received fewer bytes per second. */
  slow: { seconds: 60, bytesPerSecond: 4_096 },
} as const

/** Plans as quotas distinguish them: an account's enterprise flag overrides its plan. */
export type QuotaPlan = PlanName | 'enterprise'

/** What details show, by plan, of the data that leads sell. */
export interface DetailsShown {
  /**
   * False: a company's e-mail address is null in its details (current and as of a day), and left out of its history and
   * trace.
   */
  readonly companyEmail: boolean
}

export const detailsShown: Readonly<Record<QuotaPlan, DetailsShown>> = {
  free: { companyEmail: true },
  premium: { companyEmail: true },
  enterprise: { companyEmail: true },
}

/**
 * What an account may have stored at one time. Beyond it, a request is rejected with QUOTA_EXCEEDED and the limit; for
 * sessions, the oldest ends instead. Keys that were replaced and still work count as replaced keys only.
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
    replacedKeys: 25,
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
    replacedKeys: 100,
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
    replacedKeys: 500,
    people: 1_000,
    standingOrders: 200,
    standingDrafts: 2_000,
  },
} as const satisfies Record<QuotaPlan, Record<string, number>>

export type QuotaName = keyof (typeof quotas)['free']

/**
 * What an account may use per UTC day in addition to its requests; null for unlimited. Beyond it, requests are rejected
 * with RATE_LIMITED until midnight.
 */
export const budgets = {
  free: {
    /** Records that the feeds return. An account that bought a feed has the premium budget. */
    feedRecords: 1_000,
    /** Ordered or quoted items that are in no register. */
    unknownItems: 100,
    /** Items priced in quotes. */
    quotedItems: 5_000,
    orders: 500,
    orderedItems: 20_000,
    /** Responses stored under an Idempotency-Key, for 24 hours each. */
    keptAnswers: 2_000,
    /** Body bytes of requests that store something; each counts as at least `writtenBytesMin`. */
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
 * The feeds sell registrations of this many past days. Searches by date find them only for accounts entitled to the
 * dataset.
 */
export const saleHorizonDays = 90

/** Standing orders: what a run may find before it needs approval. */
export const standingTerms = {
  /** Multiple of a usual day's matches; the first run that finds something always needs approval. */
  unusualTimes: 5,
  /** Days that a usual day is computed from, and that a preview shows. */
  usualDays: 30,
  previewDays: 30,
  /** The largest budget, in credits. */
  budgetMax: { day: 100_000, month: 1_000_000, run: 1_000 },
  /** Time of day in India at which the daily digest is sent. */
  digestAt: '08:30',
} as const

/** What a buyer can rely on after an order. */
export const orderTerms = {
  /** Days within which a record bought and paid for can be ordered again without a charge. */
  ownedDays: 30,
  /**
   * Days within which items that could not be reached at first are delivered and charged if they can be reached now.
   */
  reclaimDays: 30,
  /** Hours after which an unpaid order expires. */
  unpaidHours: 48,
  /** Items whose contact turned out to be bad. An operator decides; accepting a report refunds the credit. */
  disputes: {
    /** Days since its charge within which an item may be reported. */
    days: 30,
    /** Reports of one account that may be pending. */
    openMax: 200,
    /** Reports that one request of an operator decides; the number of those left is returned. */
    decidedMax: 1_000,
  },
} as const

/**
 * When the credit of an ordered row is spent. For an account whose orders go into a CRM automatically, it is held at
 * the order and spent when the CRM acknowledges the row; for any other account, it is spent at the order.
 */
export const settlement = {
  /** False: at the order, for every account. */
  onAcknowledgement: true,
  /** Days after which the credit of a row that every CRM rejected, and nobody fixed, is released. */
  releaseDays: 30,
  /**
   * If more rows of an account are rejected, and a larger share of those held for it within the days, further ones need
   * an operator: a CRM can be configured to reject rows after reading them.
   */
  refusals: { rows: 10, share: 0.1, days: 90 },
  /** Days after which the held credit of a row without any remaining destination is spent. */
  undeliveredDays: 30,
  /** Days after which it is spent although a destination exists: broken, paused or silent for this long. */
  longestDays: 90,
} as const

/** Days for which the access statement shows a grant that has ended. */
export const endedGrantDays = 90

/** Days that a summary of a feed covers by default, and at most. */
export const summaryDays = { usual: 30, max: 92 } as const

/** How orders awaiting payment are followed up. */
export const pendingPayments = {
  /** Minutes that the buyer has before the processor is asked. */
  askAfterMinutes: 5,
  /**
   * Hours after which an unpaid order ends, once the processor was asked; sooner than `unpaidHours`, which ends it
   * without asking.
   */
  endAfterHours: 47,
  /** Hours for which the processor is still asked about an order that ended unpaid. */
  askUntilHours: 96,
  /** Purchases of one account that may await payment. */
  purchasesMax: 20,
  /** Orders and payments checked in one run. */
  askedMax: 1_000,
  /** Days for which a payment is checked for refunds, in case a webhook was lost. */
  refundDays: 45,
} as const

/** Forged webhooks that are recorded per hour; further ones are rejected without a record. */
export const forgedNoticesPerHour = 60
