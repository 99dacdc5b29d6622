import { z } from 'zod'
import { listInvoices } from '../../../orders/invoices/read-invoices.ts'
import { operation } from '../../operation.ts'
import { paging } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'
import { documented, Invoice } from './invoice-schemas.ts'

export default operation({
  id: 'listInvoices',
  method: 'GET',
  path: '/api/invoices',
  tag: 'Account',
  summary: 'Your invoices and credit notes',
  description: 'Of everything that was paid in money, the newest first.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  query: z.object({ ...paging(100) }),
  reply: { 200: z.object({ data: z.array(Invoice), total: z.number(), page: z.number(), limit: z.number() }) },
  example: {
    data: [],
    total: 0,
    page: 1,
    limit: 10,
  },
  handle:
    ({ db }) =>
    async (request) => {
      const { page, limit } = request.query
      const { invoices, total } = await listInvoices(db, principalOf(request).accountId, { page, limit })
      return { data: invoices.map(documented), total, page, limit }
    },
})
