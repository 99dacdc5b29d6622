/** Attempts of a delivery: what was sent, what the CRM answered, and each field before and after. */
import { z } from 'zod'
import { attemptsMax } from '../../../deliver/record/attempts/read-attempts.ts'
import { timestamp } from '../../formats.ts'

const AttemptField = z
  .object({
    field: z.string().describe('Field of the CRM'),
    sent: z.unknown().describe('[hidden] where the caller may not see personal data, and for people who objected'),
    before: z
      .unknown()
      .describe('null where the record had no value, or was not read because a new record was expected'),
    after: z.unknown().describe('null where it is unknown whether it was written'),
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
      .describe("The CRM's own code, where it rejected or deferred the lead or accepted it without some fields"),
    field: z.string().nullable(),
    message: z.string().nullable(),
    fields: z.array(AttemptField).describe('Members that were sent; none where the record had every value already'),
  })
  .meta({ id: 'DeliveryAttempt' })

export const Attempts = z.object({
  data: z.array(Attempt).describe(`The newest ${attemptsMax} attempts for the record, kept for thirty days`),
})
