import { z } from 'zod'
import { entityTypes } from '../../../domain/identity.ts'
import { exampleRecords } from '../../example-records.ts'

/** How paths of records name one. */
export const RecordPath = z.object({
  entity: z.enum(entityTypes).meta({ description: 'Of which register', examples: ['company'] }),
  identifier: z
    .string()
    .max(40)
    .meta({ description: 'CIN, LLPIN, DIN or GSTIN', examples: [exampleRecords.cin] }),
})

/** As the registers hold it. */
export const identifierOf = (text: string): string => text.trim().toUpperCase()
