/** Limits on the work behind an operation. */
import { crmTalkBounds, eventStreamBounds } from '../../../config/http-bounds.ts'
import { budgets, expensiveReadPlans, expensiveReadQueue, openAnswers } from '../../../config/plans.ts'
import { each, perPlan, seconds } from '../figures.ts'
import { httpFile, type Limits, plansFile, untilBucket } from './limit.ts'

export const workLimits = {
  refusedQueries: {
    what: 'Queries refused by their estimate a minute',
    of: 'account',
    held: 'bucket',
    figures: () => `${expensiveReadQueue.refusedPerMinute}`,
    answer: { code: 'RATE_LIMITED', retryAfter: untilBucket },
    setBy: plansFile,
  },
  expensiveReads: {
    what: 'Searches by screener and filter, feeds and exports at the same time; the last slot is reserved for premium',
    of: 'account and process',
    held: 'gate',
    figures: ({ expensiveReads }) =>
      `${perPlan(expensiveReadPlans, ({ atOnce, waiting }) => `${atOnce}, ${waiting} waiting`)}; ${expensiveReads} in all, ` +
      `${expensiveReadQueue.waiting} waiting, ${expensiveReadQueue.waitSeconds} s at most`,
    answer: { code: 'TOO_MANY_CONCURRENT', retryAfter: 'based on how long reads take, 1 to 30' },
    setBy: `PANJI_EXPENSIVE_READS, ${plansFile}`,
  },
  expensiveReadTime: {
    what: 'Time of a single one',
    of: 'request',
    held: 'server',
    figures: () => perPlan(expensiveReadPlans, (plan) => `${plan.seconds} s`),
    answer: { code: 'QUERY_TOO_EXPENSIVE' },
    setBy: plansFile,
  },
  dayBudgets: {
    what: 'Records of feeds, unknown items, quoted items, orders and ordered items a day (UTC)',
    of: 'account',
    held: 'counter',
    figures: () =>
      perPlan(budgets, ({ feedRecords, unknownItems, quotedItems, orders, orderedItems }) =>
        each([feedRecords, unknownItems, quotedItems, orders, orderedItems]),
      ),
    answer: { code: 'RATE_LIMITED', retryAfter: 'until midnight UTC' },
    setBy: plansFile,
  },
  openAnswers: {
    what: `Exports and leads of more than ${openAnswers.whole.itemsMax} items being read`,
    of: 'account and process',
    held: 'gate',
    figures: () =>
      `${perPlan(openAnswers.perAccount, (atOnce) => `${atOnce}`)}; ${openAnswers.inAll} in all, ${openAnswers.reserved} of them for premium`,
    answer: { code: 'TOO_MANY_CONCURRENT', retryAfter: '5' },
    setBy: plansFile,
  },
  wholeAnswers: {
    what: 'Exports and leads of fewer items, which are built whole',
    of: 'account',
    held: 'gate',
    figures: () => `${openAnswers.whole.perAccount}`,
    answer: { code: 'TOO_MANY_CONCURRENT', retryAfter: '5' },
    setBy: plansFile,
  },
  unpaidAnswers: {
    what: `Those of more than ${openAnswers.whole.itemsMax} items of unpaid orders`,
    of: 'account and process',
    held: 'gate',
    figures: () => `${openAnswers.unpaid.perAccount}; ${openAnswers.unpaid.inAll} in all`,
    answer: { code: 'TOO_MANY_CONCURRENT', retryAfter: '5' },
    setBy: plansFile,
  },
  crmRequests: {
    what: 'Plans and tests that ask a CRM at the same time',
    of: 'account and process',
    held: 'gate',
    figures: () =>
      `${crmTalkBounds.perAccount}; ${crmTalkBounds.inAll} in all, ${seconds(crmTalkBounds.longestMs)} each`,
    answer: { code: 'TOO_MANY_CONCURRENT', retryAfter: '5' },
    setBy: httpFile,
  },
  eventStreams: {
    what: 'Event streams that operators hold open',
    of: 'credential and process',
    held: 'gate',
    figures: () => `${eventStreamBounds.perCredential}; ${eventStreamBounds.inAll} in all`,
    answer: { code: 'TOO_MANY_CONCURRENT', retryAfter: '5' },
    setBy: httpFile,
  },
} as const satisfies Limits
