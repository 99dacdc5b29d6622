/** The run that is decided. */
import { z } from 'zod'

export const DecideBody = z
  .strictObject({ run_id: z.int().min(1).optional().describe('By default the run that has waited longest') })
  .nullish()
  .meta({ examples: [{}] })
