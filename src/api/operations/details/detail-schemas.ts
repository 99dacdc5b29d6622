import { z } from 'zod'
import type { Queryable } from '../../../db/db.ts'
import type { EntityType } from '../../../domain/identity.ts'
import { readOrigin } from '../../../registry/history/lineage.ts'
import { day, timestamp } from '../../formats.ts'
import { unchanged } from '../../parameters.ts'
import { date, RateLimit, text } from './record-read.ts'

export const Version = z
  .object({
    as_of: day('Day of the snapshot that last changed the record up to the day asked for'),
    closed_on: date.describe('Day from which the record was absent from its snapshots; null while it stood in them'),
    run_id: z.number().describe('The run that took the snapshot in'),
    source: text,
    sha256: text.describe("Of the snapshot's bytes"),
    changed_at: timestamp('at which the register changed'),
  })
  .meta({ id: 'RecordVersion' })
  .optional()
  .describe('Only with as_of')

export const Origin = z
  .object({
    data_as_of: day('Day as of which the register was last known to hold the record so'),
    source: z.string(),
    run_id: z.number().describe('The run that changed the record last'),
    file: text.describe('Its file, by name'),
    sha256: text.describe("Of the file's bytes"),
  })
  .meta({ id: 'RecordOrigin' })
  .optional()
  .describe('Only with include=origin')

export const include = z
  .literal('origin')
  .optional()
  .describe('origin: the day, source and file that the answer stands on')

export const repliesWith = <T extends z.ZodType>(data: T) => ({
  200: z.object({ data, version: Version, origin: Origin, rate_limit: RateLimit }),
  304: unchanged,
})

export const readAskedOrigin = async (
  db: Queryable,
  asked: 'origin' | undefined,
  entity: EntityType,
  identifier: string,
): Promise<Awaited<ReturnType<typeof readOrigin>> | undefined> =>
  asked === undefined ? undefined : readOrigin(db, entity, identifier)
