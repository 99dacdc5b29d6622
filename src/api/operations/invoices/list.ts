import { z } from 'zod'
import { invoiceSorts, listInvoices } from '../../../orders/invoices/read-invoices.ts'
import { operation } from '../../operation.ts'
import { pageOf, paging, sorting } from '../../parameters.ts'
import { documented, Invoice } from './invoice-schemas.ts'

export default operation({
  id: 'listInvoices',
  method: 'GET',
  path: '/api/invoices',
  summary: 'List your invoices and credit notes',
  description: 'For everything paid in money, newest first unless sorted.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  query: z.object({ ...sorting(invoiceSorts), ...paging(100) }),
  reply: { 200: pageOf(Invoice) },
  example: {
    data: [
      {
        number: 'PI-2627-0000001',
        kind: 'invoice',
        issued_at: '2026-11-23T17:06:39.070Z',
        against: null,
        against_issued_at: null,
        description: '100 credits for records of the Indian registers',
        lines: [{ description: '100 credits for records of the Indian registers', quantity: 100, net: 100000 }],
        rate: 18,
        buyer: { name: 'Mandovi Trading LLP', address: '12 Altinho, Panaji 403001' },
        sac: '998439',
        place_of_supply: '30',
        gstin: null,
        net: 100000,
        cgst: 9000,
        sgst: 9000,
        igst: 0,
        total: 118000,
      },
    ],
    total: 1,
    page: 1,
    limit: 10,
  },
  handle: async ({ db }, request, { accountId }) => {
    const { page, limit, sort } = request.query
    const { invoices, total } = await listInvoices(db, accountId, { page, limit, sort })
    return { data: invoices.map(documented), total, page, limit }
  },
})
