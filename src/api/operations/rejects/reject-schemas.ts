import { z } from 'zod'
import { rejectCodeNames } from '../../../ingest/conduct/read-rejects.ts'

export const code = z
  .enum(rejectCodeNames)
  .optional()
  .describe('Only rows rejected with this code')
  .meta({ examples: ['cin_malformed'] })
