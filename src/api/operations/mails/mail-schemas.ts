import { z } from 'zod'
import { eventTypes } from '../../../notify/event-types.ts'
import { revision } from '../../formats.ts'

export const events = z.array(z.enum(eventTypes)).max(eventTypes.length)

export const Mails = z
  .object({
    to: z.string().describe('Address that they go to'),
    events: events.describe('Events that you are notified of'),
    revision,
  })
  .meta({ id: 'Mails' })
