import { z } from 'zod'
import { cellCharactersMax, fixRejected } from '../../../deliver/record/rejected/fix-rejected.ts'
import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { idText } from '../../parameters.ts'

const rowsMax = 1_000
const cell = z.union([z.string().max(cellCharactersMax), z.number(), z.null()])
const FixBody = z
  .strictObject({
    rows: z
      .array(
        z.strictObject({
          delivery_id: idText('ID of the rejected delivery'),
          values: z
            .record(z.string().max(100), cell)
            .describe('New values by column of the lead; columns that are not named keep theirs'),
        }),
      )
      .min(1)
      .max(rowsMax)
      .describe('Rejected rows, each once'),
  })
  .meta({ examples: [{ rows: [{ delivery_id: exampleIds.delivery, values: { Email: 'office@example.in' } }] }] })
const Fixed = z
  .object({
    fixed: z.number().describe('Rows that changed and are sent again'),
    unchanged: z.number().describe('Rows whose values were rejected before; they are not sent again'),
    not_rejected: z.number().describe('Rows that no CRM rejects any more, or that are no longer owed'),
  })
  .meta({ id: 'Fixed' })

export default operation({
  id: 'fixDeliveries',
  method: 'POST',
  path: '/api/crm/deliveries/fix',
  summary: 'Fix rejected rows and send them again',
  description:
    'All rows or none. A row whose values are those that were rejected stays rejected. Your fix overrides the record in that ' +
    'CRM for as long as the register has the value that you fixed; your order and its exports do not change.',
  caller: { scopes: ['deliver'] },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'NOT_FOUND'],
  body: FixBody,
  reply: { 200: Fixed },
  example: {
    fixed: 0,
    unchanged: 0,
    not_rejected: 1,
  },
  handle: async ({ db, queue }, request, { accountId }) => {
    const rows = request.body.rows.map(({ delivery_id: deliveryId, values }) => ({ deliveryId, values }))
    return db.transaction((tx) => fixRejected(tx, queue, rows, accountId))
  },
})
