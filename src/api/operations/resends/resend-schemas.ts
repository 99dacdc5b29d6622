/** Resends and their plans. */
import { z } from 'zod'
import { exampleIds, exampleRecords } from '../../example-records.ts'
import { idText } from '../../parameters.ts'
import { Plan } from '../deliveries/delivery-schemas.ts'

export const path = '/api/crm/destinations/:destination_id/resend'

const selection = {
  order_id: idText('Only records that this order delivered').optional(),
  record: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .describe('Only this record: `gst:GSTIN`, `company:CIN`, `director:DIN`, or the identifier alone'),
}

export const ResendPlanBody = z
  .strictObject(selection)
  .nullish()
  .meta({ examples: [{ record: `gst:${exampleRecords.gstin}` }] })

export const ResendBody = z
  .strictObject({
    ...selection,
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be the hash of a plan')
      .optional()
      .describe('Hash of a plan: send exactly what it shows, or nothing where the CRM or the data has changed since'),
    adopt: z
      .boolean()
      .optional()
      .describe(
        'With the hash of a plan: whether the records of its `adopt` rows are adopted, or new ones created next to them',
      ),
  })
  .refine(({ hash, adopt }) => adopt === undefined || hash !== undefined, {
    path: ['adopt'],
    message: 'needs the hash of the plan that names the records',
  })
  .nullish()
  .meta({ examples: [{ order_id: exampleIds.order }] })

/** Rows of a plan in an answer; the counts cover all. */
export const rowsShownMax = 1_000

export const ResendPlan = Plan.extend({
  order_id: idText('ID of the order whose records are planned').nullable(),
  record: z.string().nullable().describe('The single record that is planned'),
  records: z.number().describe('Records that would be sent again'),
  rows: Plan.shape.rows.describe(`Records that would change, up to ${rowsShownMax}`),
}).meta({ id: 'ResendPlan' })

export const Resent = z
  .object({
    resent: z.number().describe('Records that are read from the CRM, compared, and written where they differ'),
  })
  .meta({ id: 'Resent' })
