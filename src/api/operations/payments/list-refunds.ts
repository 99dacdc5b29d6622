import { z } from 'zod'
import { findRefunds, refundStates } from '../../../orders/payments/find-refunds.ts'
import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { pageOf, paging, textFilter } from '../../parameters.ts'
import { ListedRefund } from './refund-schemas.ts'

export default operation({
  id: 'listPaymentRefunds',
  method: 'GET',
  path: '/admin/payments/refunds',
  summary: 'List requested refunds',
  description:
    'Newest first. Those with the status `asked` are in progress: the processor has not made them yet, or could not be reached yet, and their state ' +
    'is checked automatically. Refunds that were made elsewhere, such as in its dashboard, are only among the events.',
  caller: { role: 'accountant' },
  audit: { reads: 'accounts' },
  query: z.object({
    status: z.enum(refundStates).optional().describe('Only refunds with this status'),
    search: textFilter('ID of an order or purchase, of the processor, or a reference').meta({
      examples: [exampleIds.order],
    }),
    ...paging(100),
  }),
  reply: { 200: pageOf(ListedRefund) },
  example: {
    data: [
      {
        request_id: '9c1f6f0e-4a53-4f7e-a0f5-6a3c1a4b7d21',
        payment_id: 'pay_Q2m8Zk3hVfXw1b',
        amount: 59000,
        status: 'asked',
        refund_id: null,
        detail: null,
        takes_back: [],
        reference: 'ticket-7',
        reason: 'asked for by the buyer',
        actor: 'operator:ravi',
        asked_at: '2026-11-23T17:08:02.114Z',
        answered_at: null,
      },
    ],
    total: 1,
    page: 1,
    limit: 10,
  },
  handle: async ({ db }, { query }) => {
    const { refunds, total } = await findRefunds(db, query)
    const data = refunds.map(({ asked_at, answered_at, ...refund }) => ({
      ...refund,
      ...{ asked_at: asked_at.toISOString(), answered_at: answered_at?.toISOString() ?? null },
    }))
    return { data, total, page: query.page, limit: query.limit }
  },
})
