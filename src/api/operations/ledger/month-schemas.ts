import { z } from 'zod'
import { day, timestamp } from '../../formats.ts'
import { paise } from '../subscriptions/subscription-schemas.ts'

export const MonthPath = z.object({
  month: z
    .string()
    .max(100)
    .meta({ description: 'YYYY-MM, of India', examples: ['2026-04'] }),
})

const sums = {
  sold: paise('What buyers paid, without tax'),
  sold_tax: paise('The tax that they paid'),
  revenue: paise('Earned by credits spent and time passed, less what went back of it'),
  breakage: paise('Earned by credits that lapsed, less what went back of it'),
  deferred: paise('Owed in credits and time on the last day'),
  fees: paise('Of the processor, without tax'),
  fee_taxes: paise('Tax on the fees'),
  refunds: paise('Given back, without tax'),
  refunds_tax: paise('Tax given back'),
  chargebacks: paise('Taken back by banks, without tax'),
  chargebacks_tax: paise('Tax taken back by banks'),
  receivables: paise('Owed by buyers on the last day'),
  collected: paise('Of receivables, that came another way'),
  written_off: paise('Of receivables, that never came'),
}

export const MonthReport = z
  .object({
    month: z.string().describe('YYYY-MM'),
    first_day: day('In India'),
    last_day: day('In India'),
    is_over: z.boolean().describe('Whether the month has ended in India; more may come into one that has not'),
    closed: z.boolean().describe('Whether nothing is booked in it any more'),
    closed_at: timestamp('since when the report stays as it is').nullable(),
    ...sums,
    revenue_by_product: z
      .array(
        z
          .object({
            product: z.string().describe('A pack, plan or offer; records: orders that were paid online'),
            earned: paise('By credits spent and time passed, without tax'),
            breakage: paise('By credits that lapsed, without tax'),
          })
          .meta({ id: 'ProductRevenue' }),
      )
      .readonly(),
    trial_balance: z
      .array(
        z
          .object({
            account: z.string(),
            currency: z.enum(['credits', 'paise']),
            debit: z.number(),
            credit: z.number(),
          })
          .meta({ id: 'TrialBalanceRow' }),
      )
      .readonly()
      .describe('As of the last day: debits are credits in either currency'),
  })
  .meta({ id: 'MonthReport' })
