import { z } from 'zod'
import type { Watchlist } from '../../../access/watchlists.ts'
import { entityTypes } from '../../../domain/identity.ts'
import { exampleIds, exampleRecords } from '../../example-records.ts'
import { timestamp, uuid } from '../../formats.ts'
import { plainText, recordNameMax } from '../../parameters.ts'

export const Type = z.enum(entityTypes).describe('What the list holds')

export const Name = plainText(200).trim().min(1).describe('Your name for it')

export const Entities = z
  .array(
    z.strictObject({
      identifier: plainText(40).describe('CIN or LLPIN, DIN, or GSTIN, as the type of the list says'),
      name: plainText(recordNameMax).trim().min(1).describe('Your name for it'),
    }),
  )
  .max(1000)
  .describe('Up to 1,000 at a time')

export const exampleEntities = [{ identifier: exampleRecords.cin, name: exampleRecords.companyName }]

export const Summary = z
  .object({
    id: uuid('ID of the watchlist'),
    name: z.string(),
    type: Type,
    count: z.number().describe('Entities on the list'),
    created_at: timestamp(),
  })
  .meta({ id: 'Watchlist' })

export const pageOf = { total: z.number(), page: z.number(), limit: z.number() }

export const One = z.object({ data: Summary })

export const ById = z.object({ watchlist_id: uuid('ID of the watchlist').meta({ examples: [exampleIds.watchlist] }) })

export const merged = 'Identifiers are validated and normalised; a repeated one is on the list once.'

export function summaryOf({ id, name, type, count, created_at }: Watchlist): z.infer<typeof Summary> {
  return { id, name, type, count, created_at: created_at.toISOString() }
}
