import { z } from 'zod'
import { closeMonth } from '../../../orders/month/month-report.ts'
import { operation } from '../../operation.ts'
import { reasonText } from '../../parameters.ts'
import example from './get-month.example.json' with { type: 'json' }
import { MonthPath, MonthReport } from './month-schemas.ts'

export default operation({
  id: 'closeLedgerMonth',
  method: 'POST',
  path: '/admin/ledger/months/:month/close',
  summary: 'Close a month',
  description:
    'Permanent: nothing more is booked or issued in it, and its report no longer changes. Closing it again changes nothing.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['NOT_FOUND', 'CONFLICT'],
  params: MonthPath,
  body: z
    .strictObject({ reason: reasonText('Who requested it') })
    .meta({ examples: [{ reason: 'reported by the accountant' }] }),
  reply: { 200: MonthReport },
  example,
  handle: ({ db }, request, actor) => closeMonth(db, request.params.month, { actor, reason: request.body.reason }),
})
