import { z } from 'zod'
import { creditPacks } from '../../../../config/sales.ts'
import { splitTax } from '../../../orders/tax.ts'
import { paise } from '../../formats.ts'
import { operation } from '../../operation.ts'
import example from './list-packs.example.json' with { type: 'json' }

const Pack = z
  .object({
    id: z.string(),
    credits: z.number(),
    amount: paise('Price, tax included'),
    net: paise('Price without tax'),
    tax: paise('GST included in the price'),
    currency: z.literal('INR'),
    valid_days: z.number().describe('Days for which the credits can be spent'),
  })
  .meta({ id: 'CreditPack' })

export default operation({
  id: 'listCreditPacks',
  method: 'GET',
  path: '/api/credits/packs',
  summary: 'Credits on sale',
  description: 'Prices of credit packs, GST included.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: {
    200: z.object({
      data: z.array(Pack),
      online_payment: z
        .boolean()
        .describe('Whether online payment is available: a processor and a seller are configured'),
    }),
  },
  example,
  handle: async ({ settings }) => ({
    online_payment: settings.payments?.seller !== undefined,
    data: creditPacks.map(({ id, credits, amount, validDays }) => ({
      ...{ id, credits, amount, ...splitTax(amount) },
      ...{ currency: 'INR' as const, valid_days: validDays },
    })),
  }),
})
