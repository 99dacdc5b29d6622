/** Shapes of resends and their plans. */
import { z } from 'zod'
import { exampleIds, exampleRecords } from '../../example-records.ts'
import { idText } from '../../parameters.ts'
import { Plan } from '../deliveries/delivery-schemas.ts'

export const path = '/api/crm/destinations/:destination_id/resend'

const selection = {
  order_id: idText('Only what this order delivered').optional(),
  record: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .describe('Only this one: `gst:GSTIN`, `company:CIN`, `director:DIN`, or the identifier alone'),
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
      .describe('Of a plan: send as it says, or not at all where the CRM or the data has moved since'),
    adopt: z
      .boolean()
      .optional()
      .describe(
        'With the hash of a plan: whether the records of its `adopt` rows are taken, or new ones made beside them',
      ),
  })
  .refine(({ hash, adopt }) => adopt === undefined || hash !== undefined, {
    path: ['adopt'],
    message: 'needs the hash of the plan that names the records',
  })
  .nullish()
  .meta({ examples: [{ order_id: exampleIds.order }] })

/** Rows of a plan in an answer; the counts are of all. */
export const rowsShownMax = 1_000

export const ResendPlan = Plan.extend({
  order_id: idText('Whose records are meant').nullable(),
  record: z.string().nullable().describe('The one that is meant'),
  records: z.number().describe('That would be sent again'),
  rows: Plan.shape.rows.describe(`Those that would not be left as they are, up to ${rowsShownMax}`),
}).meta({ id: 'ResendPlan' })

export const Resent = z
  .object({ resent: z.number().describe('Records that are read in the CRM, compared, and written where they differ') })
  .meta({ id: 'Resent' })
