import { z } from 'zod'
import { summariseDeliveries, summaryDays } from '../../../deliver/record/summarise-deliveries.ts'
import { exampleIds } from '../../example-records.ts'
import { day, timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'

export default operation({
  id: 'summariseDeliveries',
  method: 'GET',
  path: '/api/crm/delivery-summary',
  tag: 'CRM',
  summary: 'How your deliveries go, CRM by CRM',
  description: `By day of the last ${summaryDays} days in India, what is rejected by reason, what was taken without some fields, and what waits.`,
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: {
    200: z.object({
      data: z.array(
        z
          .object({
            destination_id: uuid('Of the destination'),
            days: z
              .array(
                z
                  .object({ day: day('In India'), delivered: z.number(), rejected: z.number() })
                  .meta({ id: 'DeliveryDay' }),
              )
              .describe('The oldest first; each delivery on the day on which it last changed'),
            rejected: z
              .array(
                z
                  .object({
                    code: z.string().nullable(),
                    field: z.string().nullable(),
                    message: z.string().nullable().describe('One of those that the CRM gave'),
                    records: z.number(),
                  })
                  .meta({ id: 'RejectionGroup' }),
              )
              .describe('What is rejected now, by reason, the most frequent first; 20 reasons at most'),
            left_out: z
              .array(
                z
                  .object({
                    field: z.string().nullable().describe('Of the CRM; several with commas between them'),
                    message: z.string().nullable(),
                    records: z.number(),
                  })
                  .meta({ id: 'LeftOutGroup' }),
              )
              .describe(
                'Fields that the CRM has no more, or that its user may not write, of leads that it took without them in these days; 20 at most',
              ),
            waiting: z.number().describe('Not decided by the CRM yet'),
            undecided: z
              .number()
              .describe(
                'Of these: the CRM holds records like them, and a plan of their order is to say whether they are taken',
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
  handle:
    ({ db }) =>
    async (request) => {
      const summaries = await summariseDeliveries(db, principalOf(request).accountId)
      const data = summaries.map(({ days, rejected, left_out, next_attempt_at, ...rest }) => ({
        ...rest,
        days: [...days],
        rejected: [...rejected],
        left_out: [...left_out],
        next_attempt_at: next_attempt_at?.toISOString() ?? null,
      }))
      return { data }
    },
})
