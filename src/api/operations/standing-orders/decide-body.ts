/** Which run is decided. */
import { z } from 'zod'

export const DecideBody = z
  .strictObject({ run_id: z.int().min(1).optional().describe('Without it the one that waits longest') })
  .nullish()
  .meta({ examples: [{}] })
