import { readMonthReport } from '../../../orders/month/month-report.ts'
import { operation } from '../../operation.ts'
import example from './get-month.example.json' with { type: 'json' }
import { MonthPath, MonthReport } from './month-schemas.ts'

export default operation({
  id: 'getLedgerMonth',
  method: 'GET',
  path: '/admin/ledger/months/:month',
  summary: 'Get the accounting report of a month',
  description:
    'Trial balance as of the last day, revenue by product, deferred revenue, fees, refunds, chargebacks and receivables.',
  caller: { role: 'accountant' },
  audit: 'nothing',
  errors: ['NOT_FOUND'],
  params: MonthPath,
  reply: { 200: MonthReport },
  example,
  handle: ({ db }, request) => readMonthReport(db, request.params.month),
})
