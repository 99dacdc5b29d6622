import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import { closeEvent } from '../../../orders/payments/payment-events.ts'
import { operation } from '../../operation.ts'

const EventPath = z.object({ event_id: z.string().meta({ description: 'event_id', examples: ['1'] }) })
const CloseBody = z
  .strictObject({ reason: z.string().trim().min(1, 'say what was done').max(500).describe('What was done about it') })
  .meta({ examples: [{ reason: 'given back by bank transfer' }] })

export default operation({
  id: 'closePaymentEvent',
  method: 'POST',
  path: '/admin/payments/:event_id/close',
  summary: 'Mark an event as handled',
  description: 'It no longer needs attention. The reason is stored with it and in the audit log.',
  caller: { role: 'operator' },
  audit: 'act',
  errors: ['NOT_FOUND'],
  params: EventPath,
  body: CloseBody,
  reply: { 200: z.object({ event_id: z.number(), closed: z.literal(true) }) },
  example: {
    event_id: 1,
    closed: true,
  },
  handle: async ({ db }, request, actor) => {
    const eventId = eventIdOf(request.params.event_id)
    await db.transaction((tx) => closeEvent(tx, eventId, request.body.reason, actor))
    return { event_id: eventId, closed: true as const }
  },
})

/** @throws AppError NOT_FOUND for anything that is not a number. */
function eventIdOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw new AppError('NOT_FOUND', 'There is no such event.')
  return Number(id)
}
