/** Limits on a call once its account is known. */
import { burstPerMinute, dailyLimits } from '../../../config/plans.ts'
import { each, perPlan } from '../figures.ts'
import { type Limits, plansFile } from './limit.ts'

export const accountLimits = {
  burst: {
    what: 'Requests a minute',
    of: 'account',
    held: 'counter',
    figures: () => `${burstPerMinute}`,
    answer: { code: 'RATE_LIMITED', retryAfter: 'until the next minute' },
    setBy: plansFile,
  },
  daily: {
    what: 'Searches, details and screener queries a day (UTC); a failed one is returned',
    of: 'account',
    held: 'counter',
    figures: () => perPlan(dailyLimits, ({ search, details, screener }) => each([search, details, screener])),
    answer: { code: 'RATE_LIMITED', retryAfter: 'until midnight UTC' },
    setBy: plansFile,
  },
} as const satisfies Limits
