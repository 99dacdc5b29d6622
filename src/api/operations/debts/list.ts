import { z } from 'zod'
import { listReceivables } from '../../../orders/receivables.ts'
import { email, timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'

const Debt = z
  .object({
    user_id: uuid('ID of the account'),
    email: email('E-mail address of the account; null once it is erased').nullable(),
    owed: z.number().describe('Paise'),
    since: timestamp('of the last chargeback'),
  })
  .meta({ id: 'Debt' })

export default operation({
  id: 'listDebts',
  method: 'GET',
  path: '/admin/debts',
  summary: 'List what accounts owe after chargebacks',
  description: 'The largest debt comes first.',
  caller: { role: 'viewer' },
  audit: { reads: 'accounts' },
  reply: { 200: z.object({ data: z.array(Debt) }) },
  example: {
    data: [
      {
        user_id: '76b068a4-7b08-4d26-b08f-81297441e755',
        email: 'customer16@example.com',
        owed: 59000,
        since: '2026-11-23T17:06:39.745Z',
      },
    ],
  },
  handle: async ({ db }) => ({
    data: (await listReceivables(db)).map(({ since, ...debt }) => ({ ...debt, since: since.toISOString() })),
  }),
})
