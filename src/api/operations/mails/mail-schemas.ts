import { z } from 'zod'
import { eventTypes } from '../../../notify/event-types.ts'

export const events = z.array(z.enum(eventTypes)).max(eventTypes.length)

export const Mails = z.object({ to: z.string(), events: events.describe('What you are told') }).meta({ id: 'Mails' })
