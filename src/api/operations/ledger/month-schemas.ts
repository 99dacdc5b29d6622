import { z } from 'zod'
import { day, paise, timestamp } from '../../formats.ts'

export const MonthPath = z.object({
  month: z
    .string()
    .max(100)
    .meta({ description: 'YYYY-MM, in India', examples: ['2026-04'] }),
})

const sums = {
  sold: paise('Paid by buyers, without tax'),
  sold_tax: paise('Tax paid by buyers'),
  revenue: paise('Earned from credits spent and time passed, net of reversals'),
  breakage: paise('Earned from lapsed credits, net of reversals'),
  deferred: paise('Owed in credits and time on the last day'),
  fees: paise('Processor fees, without tax'),
  fee_taxes: paise('Tax on the fees'),
  refunds: paise('Refunded, without tax'),
  refunds_tax: paise('Tax refunded'),
  chargebacks: paise('Charged back by banks, without tax'),
  chargebacks_tax: paise('Tax charged back by banks'),
  receivables: paise('Owed by buyers on the last day'),
  collected: paise('Receivables that were paid another way'),
  written_off: paise('Receivables that were written off'),
}

export const MonthReport = z
  .object({
    month: z.string().describe('YYYY-MM'),
    first_day: day('In India'),
    last_day: day('In India'),
    is_over: z.boolean().describe('Whether the month has ended in India; until then more may be booked'),
    closed: z.boolean().describe('Whether the month is closed: nothing more is booked in it'),
    closed_at: timestamp('since when the report no longer changes').nullable(),
    ...sums,
    revenue_by_product: z
      .array(
        z
          .object({
            product: z.string().describe('A pack, plan or offer; `records`: orders that were paid online'),
            earned: paise('From credits spent and time passed, without tax'),
            breakage: paise('From lapsed credits, without tax'),
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
      .describe('As of the last day: debits equal credits in each currency'),
  })
  .meta({ id: 'MonthReport' })
