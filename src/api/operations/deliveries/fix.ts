import { z } from 'zod'
import { cellCharactersMax, fixRejected } from '../../../deliver/record/rejected/fix-rejected.ts'
import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { idText } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'

const rowsMax = 1_000
const cell = z.union([z.string().max(cellCharactersMax), z.number(), z.null()])
const FixBody = z
  .strictObject({
    rows: z
      .array(
        z.strictObject({
          delivery_id: idText('Of the refused delivery'),
          values: z
            .record(z.string().max(100), cell)
            .describe('Columns of the lead as they are to be; columns that are not named stay'),
        }),
      )
      .min(1)
      .max(rowsMax)
      .describe('Refused rows, each once'),
  })
  .meta({ examples: [{ rows: [{ delivery_id: exampleIds.delivery, values: { Email: 'office@example.in' } }] }] })
const Fixed = z
  .object({
    fixed: z.number().describe('Rows that changed and go again'),
    unchanged: z.number().describe('Rows that say what was refused already; they do not go again'),
    not_rejected: z.number().describe('Rows that no CRM refuses now, or that are owed no more'),
  })
  .meta({ id: 'Fixed' })

export default operation({
  id: 'fixDeliveries',
  method: 'POST',
  path: '/api/crm/deliveries/fix',
  tag: 'CRM',
  summary: 'Fix refused rows by hand and send them again',
  description:
    'Whole or not at all. A row whose values are what was refused stays refused. What you fix stands for the record in that ' +
    'CRM for as long as the register says what you fixed; your order and its exports stay as they are.',
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
  handle:
    ({ db, queue }) =>
    async (request) => {
      const { accountId } = principalOf(request)
      const rows = request.body.rows.map(({ delivery_id: deliveryId, values }) => ({ deliveryId, values }))
      return { ...(await db.transaction((tx) => fixRejected(tx, queue, rows, accountId))) }
    },
})
