import { z } from 'zod'
import type { Queryable } from '../../../db/db.ts'
import type { EntityType } from '../../../domain/identity.ts'
import { readOrigin } from '../../../registry/history/lineage.ts'
import { recordErrors } from '../../documented-errors.ts'
import { day, timestamp } from '../../formats.ts'
import { unchanged } from '../../parameters.ts'
import { date, RateLimit, text } from './record-read.ts'

export const Version = z
  .object({
    as_of: day('Day of the latest snapshot, up to the requested day, that changed the record'),
    closed_on: date.describe('Day from which the record was absent from its snapshots; null while it was present'),
    run_id: z.number().describe('The run that ingested the snapshot'),
    source: text,
    sha256: text.describe('SHA-256 of the snapshot'),
    changed_at: timestamp('at which the register changed'),
  })
  .meta({ id: 'RecordVersion' })
  .optional()
  .describe('Only with as_of')

export const Origin = z
  .object({
    data_as_of: day('Day as of which the register was last known to hold this version of the record'),
    source: z.string(),
    run_id: z.number().describe('The run that last changed the record'),
    file: text.describe('Name of its file'),
    sha256: text.describe('SHA-256 of the file'),
  })
  .meta({ id: 'RecordOrigin' })
  .optional()
  .describe('Only with include=origin')

export const detailsFacts = {
  method: 'GET',
  caller: { scopes: ['read'] },
  audit: { reads: 'details' },
  seesAll: true,
  exempt: true,
  limit: 'details',
  errors: recordErrors,
  etag: true,
} as const

export const include = z
  .literal('origin')
  .optional()
  .describe('origin: the day, source and file that the answer is based on')

export const repliesWith = <T extends z.ZodType>(data: T) => ({
  200: z.object({ data, version: Version, origin: Origin, rate_limit: RateLimit }),
  304: unchanged,
})

export const readAskedOrigin = async (
  db: Queryable,
  requested: 'origin' | undefined,
  entity: EntityType,
  identifier: string,
): Promise<Awaited<ReturnType<typeof readOrigin>> | undefined> =>
  requested === undefined ? undefined : readOrigin(db, entity, identifier)
