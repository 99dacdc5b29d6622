import { z } from 'zod'
import { listCreditLots } from '../../../orders/credit-lots.ts'
import { creditTypes } from '../../../orders/ledger.ts'
import { timestamp } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'

const Lot = z
  .object({
    credit_type: z.enum(creditTypes),
    left: z.number().describe('That can be spent now'),
    total: z.number().describe('That were put in'),
    ends_at: timestamp('from which what is left is gone').nullable().describe('Null: no end'),
  })
  .meta({ id: 'CreditLot' })

export default operation({
  id: 'listCreditLots',
  method: 'GET',
  path: '/api/credits/lots',
  tag: 'Account',
  summary: 'Your credits, by when they end',
  description: 'In the order in which they are spent: those that end first, first; 1,000 lots at most.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: z.object({ data: z.array(Lot) }) },
  example: {
    data: [
      {
        credit_type: 'granted',
        left: 2000,
        total: 2000,
        ends_at: null,
      },
    ],
  },
  handle:
    ({ db }) =>
    async (request) => {
      const lots = await listCreditLots(db, principalOf(request).accountId)
      return {
        data: lots.map(({ type: credit_type, left, total, endsAt }) => ({
          ...{ credit_type, left, total, ends_at: endsAt?.toISOString() ?? null },
        })),
      }
    },
})
