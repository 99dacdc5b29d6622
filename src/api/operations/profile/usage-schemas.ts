/** Usage of an account, in the same shape for the account and for operators. */

import { z } from 'zod'
import type { AccountUsage } from '../../../access/account-usage.ts'
import { day, uuid } from '../../formats.ts'

export const Usage = z
  .object({
    user_id: uuid('ID of the account'),
    limits: z
      .record(z.string(), z.number().nullable())
      .describe('Per UTC day, with the current limits; null: no limit')
      .meta({ examples: [{ search: 100, details: 100, feed_records: 1000 }] }),
    days: z
      .array(
        z
          .object({
            day: day('UTC day'),
            used: z.record(z.string(), z.number()).describe('By kind; kinds without usage are left out'),
          })
          .meta({ id: 'UsedOnDay' }),
      )
      .describe('Newest first, always including today; other days without usage are left out'),
  })
  .meta({ id: 'AccountUsage' })

export const UsageQuery = z.object({
  days: z.coerce.number().int().min(1).max(90).default(30).describe('Number of days, including today'),
})

export const shownUsage = (accountId: string, { days, limits }: AccountUsage): z.output<typeof Usage> => ({
  user_id: accountId,
  limits: { ...limits },
  days: days.map((each) => ({ ...each, used: { ...each.used } })),
})
