import { z } from 'zod'
import { creditPacks } from '../../../../config/sales.ts'
import { splitTax } from '../../../orders/tax.ts'
import { operation } from '../../operation.ts'
import { paise } from '../subscriptions/subscription-schemas.ts'
import example from './list-packs.example.json' with { type: 'json' }

const Pack = z
  .object({
    id: z.string(),
    credits: z.number(),
    amount: paise('What is paid, tax included'),
    net: paise('Of it without tax'),
    tax: paise('Of it GST'),
    currency: z.literal('INR'),
    valid_days: z.number().describe('Days that the credits can be spent'),
  })
  .meta({ id: 'CreditPack' })

export default operation({
  id: 'listCreditPacks',
  method: 'GET',
  path: '/api/credits/packs',
  tag: 'Account',
  summary: 'Credits on sale',
  description: 'What packs of credits cost, GST included.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: {
    200: z.object({
      data: z.array(Pack),
      online_payment: z.boolean().describe('Money can be taken here: a processor is configured, and who sells'),
    }),
  },
  example,
  handle:
    ({ settings }) =>
    async () => ({
      online_payment: settings.payments?.seller !== undefined,
      data: creditPacks.map(({ id, credits, amount, validDays }) => ({
        ...{ id, credits, amount, ...splitTax(amount) },
        ...{ currency: 'INR' as const, valid_days: validDays },
      })),
    }),
})
