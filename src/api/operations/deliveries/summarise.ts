import { z } from 'zod'
import { summariseDeliveries, summaryDays } from '../../../deliver/record/summarise-deliveries.ts'
import { exampleIds } from '../../example-records.ts'
import { day, timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'

export default operation({
  id: 'summariseDeliveries',
  method: 'GET',
  path: '/api/crm/delivery-summary',
  summary: 'Summarise your deliveries by CRM',
  description: `The last ${summaryDays} days in India, what is rejected by reason, what was accepted without some fields, and what is waiting.`,
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: {
    200: z.object({
      data: z.array(
        z
          .object({
            destination_id: uuid('ID of the destination'),
            days: z
              .array(
                z
                  .object({ day: day('In India'), delivered: z.number(), rejected: z.number() })
                  .meta({ id: 'DeliveryDay' }),
              )
              .describe('Oldest first; each delivery on the day on which it last changed'),
            rejected: z
              .array(
                z
                  .object({
                    code: z.string().nullable(),
                    field: z.string().nullable(),
                    message: z.string().nullable().describe("One of the CRM's messages"),
                    records: z.number(),
                  })
                  .meta({ id: 'RejectionGroup' }),
              )
              .describe('What is rejected now, by reason, most frequent first; at most 20 reasons'),
            left_out: z
              .array(
                z
                  .object({
                    field: z.string().nullable().describe('Field of the CRM; several separated by commas'),
                    message: z.string().nullable(),
                    records: z.number(),
                  })
                  .meta({ id: 'LeftOutGroup' }),
              )
              .describe(
                'Fields that no longer exist in the CRM, or that its user may not write, for leads accepted without them in these days; at most 20',
              ),
            waiting: z.number().describe('The CRM has not decided yet'),
            undecided: z
              .number()
              .describe(
                'Of these: the CRM holds similar records, and a plan of the order must decide whether they are adopted',
              ),
            next_attempt_at: timestamp('at which the first of these is tried again').nullable(),
          })
          .meta({ id: 'DeliverySummary' }),
      ),
    }),
  },
  example: {
    data: [
      {
        destination_id: exampleIds.destination,
        days: [{ day: '2026-11-23', delivered: 42, rejected: 1 }],
        rejected: [{ code: 'INVALID_EMAIL', field: 'Email', message: 'Enter a valid e-mail address.', records: 1 }],
        left_out: [],
        waiting: 0,
        undecided: 0,
        next_attempt_at: null,
      },
    ],
  },
  handle: async ({ db }, _request, { accountId }) => {
    const summaries = await summariseDeliveries(db, accountId)
    return {
      data: summaries.map((each) => ({ ...each, next_attempt_at: each.next_attempt_at?.toISOString() ?? null })),
    }
  },
})
