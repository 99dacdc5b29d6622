/** Shapes of the attempts of a delivery: what was sent, what the CRM answered, each field before and after. */
import { z } from 'zod'
import { attemptsMax } from '../../../deliver/record/attempts/read-attempts.ts'
import { timestamp } from '../../formats.ts'

const AttemptField = z
  .object({
    field: z.string().describe('Of the CRM'),
    sent: z.unknown().describe('[hidden] from whoever may not see personal data, and of somebody who objected'),
    before: z.unknown().describe('Null where the record held nothing, or was not read since it was to be new'),
    after: z.unknown().describe('Null where nobody knows whether it was written'),
  })
  .meta({ id: 'AttemptField' })

const Attempt = z
  .object({
    at: timestamp('of the answer'),
    status: z.enum(['created', 'updated', 'unchanged', 'rejected', 'deferred', 'unknown']),
    crm_id: z.string().nullable(),
    code: z
      .string()
      .nullable()
      .describe("The CRM's own word, where it rejected, deferred or took the lead without some fields"),
    field: z.string().nullable(),
    message: z.string().nullable(),
    fields: z.array(AttemptField).describe('Members that were sent; none where the record held everything already'),
  })
  .meta({ id: 'DeliveryAttempt' })

export const Attempts = z.object({
  data: z.array(Attempt).describe(`The newest ${attemptsMax} of the record, kept for thirty days`),
})
