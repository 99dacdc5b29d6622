import { z } from 'zod'
import { rejectCodeNames } from '../../../ingest/conduct/read-rejects.ts'

export const code = z
  .enum(rejectCodeNames)
  .optional()
  .describe('Only those that were refused for this')
  .meta({ examples: ['cin_malformed'] })
