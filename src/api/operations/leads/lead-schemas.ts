import { z } from 'zod'

export const LeadFormat = z.object({ format: z.enum(['flat', 'nested']).default('flat').describe('Shape of a lead') })
