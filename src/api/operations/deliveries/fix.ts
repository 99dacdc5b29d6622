import { z } from 'zod'
import { cellCharactersMax, mendRefused } from '../../../deliver/record/refused/mend-refused.ts'
import { exampleIds } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { idText } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'

const rowsMax = 1_000
const cell = z.union([z.string().max(cellCharactersMax), z.number(), z.null()])
const MendBody = z
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
const Mended = z
  .object({
    mended: z.number().describe('Rows that changed and go again'),
    unchanged: z.number().describe('Rows that say what was refused already; they do not go again'),
    not_refused: z.number().describe('Rows that no CRM refuses now, or that are owed no more'),
  })
  .meta({ id: 'Mended' })

export default operation({
  id: 'mendDeliveries',
  method: 'POST',
  path: '/api/crm/deliveries/mend',
  tag: 'CRM',
  summary: 'Mend refused rows by hand and send them again',
  description:
    'Whole or not at all. A row whose values are what was refused stays refused. What you mend stands for the record in that ' +
    'CRM for as long as the register says what you mended; your order and its exports stay as they are.',
  caller: { scopes: ['deliver'] },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'NOT_FOUND'],
  body: MendBody,
  reply: { 200: Mended },
  example: {
    mended: 0,
    unchanged: 0,
    not_refused: 1,
  },
  handle:
    ({ db, queue }) =>
    async (request) => {
      const { accountId } = principalOf(request)
      const rows = request.body.rows.map(({ delivery_id: deliveryId, values }) => ({ deliveryId, values }))
      return { ...(await db.transaction((tx) => mendRefused(tx, queue, rows, accountId))) }
    },
})
