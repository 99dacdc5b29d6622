import { z } from 'zod'
import { listCreditLots } from '../../../orders/credit-lots.ts'
import { creditTypes } from '../../../orders/ledger.ts'
import { timestamp } from '../../formats.ts'
import { operation } from '../../operation.ts'

const Lot = z
  .object({
    credit_type: z.enum(creditTypes),
    left: z.number().describe('Credits that can be spent now'),
    total: z.number().describe('Credits that the lot began with'),
    ends_at: timestamp('at which what is left expires').nullable().describe('Null: no end'),
  })
  .meta({ id: 'CreditLot' })

export default operation({
  id: 'listCreditLots',
  method: 'GET',
  path: '/api/credits/lots',
  summary: 'List your credits by expiry',
  description: 'In the order in which they are spent: those that expire first come first; at most 1,000 lots.',
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
  handle: async ({ db }, _request, { accountId }) => {
    const lots = await listCreditLots(db, accountId)
    return {
      data: lots.map(({ type: credit_type, left, total, endsAt }) => ({
        ...{ credit_type, left, total, ends_at: endsAt?.toISOString() ?? null },
      })),
    }
  },
})
