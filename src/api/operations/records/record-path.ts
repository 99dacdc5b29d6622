import { z } from 'zod'
import { entityTypes } from '../../../domain/identity.ts'
import { exampleRecords } from '../../example-records.ts'

/** How paths identify a record. */
export const RecordPath = z.object({
  entity: z.enum(entityTypes).meta({ description: 'Register of the record', examples: ['company'] }),
  identifier: z
    .string()
    .max(40)
    .meta({ description: 'CIN, LLPIN, DIN or GSTIN', examples: [exampleRecords.cin] }),
})
