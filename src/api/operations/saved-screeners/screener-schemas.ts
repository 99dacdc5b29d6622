import { z } from 'zod'
import type { SavedScreener } from '../../../registry/screener/saved-screeners.ts'
import { exampleIds } from '../../example-records.ts'
import { timestamp, uuid } from '../../formats.ts'
import { plainText } from '../../parameters.ts'
import { Query, Type } from '../screener/screener-schemas.ts'

export const Saved = z
  .object({
    id: uuid('ID of the screener'),
    name: z.string(),
    type: Type,
    query: z.string(),
    description: z.string().nullable(),
    created_at: timestamp(),
  })
  .meta({ id: 'Screener' })

export const Draft = z
  .strictObject({
    name: plainText(200).trim().min(1).describe('Your name for it'),
    type: Type,
    query: Query,
    description: plainText(2000).nullable().default(null).describe('Your note'),
  })
  .meta({
    examples: [
      { name: 'Large in Maharashtra', type: 'company', query: "State == 'Maharashtra' AND paidUpCapital > 1000000" },
    ],
  })

export const ById = z.object({
  screener_id: uuid('ID of the saved screener').meta({ examples: [exampleIds.screener] }),
})

export const One = { 200: z.object({ data: Saved }) }

export const present = (saved: SavedScreener): z.infer<typeof Saved> => ({
  ...saved,
  created_at: saved.created_at.toISOString(),
})
