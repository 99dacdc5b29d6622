/**
 * What all reads of one record have in common: the identifier, the requested day, and the daily limit in the answer.
 */

import { z } from 'zod'
import { type EntityType, recordWords } from '../../../domain/identity.ts'
import { AppError } from '../../../errors.ts'
import { exampleRecords } from '../../example-records.ts'
import { day, timestamp } from '../../formats.ts'
import { calendarDay } from '../../parameters.ts'
import type { LimitState } from '../../route-context.ts'

export const text = z.string().nullable()

export const date = day('YYYY-MM-DD').nullable()

export const RateLimit = z
  .object({
    remaining: z.number().nullable().describe('Calls left today; null without a limit'),
    limit: z.number().nullable().describe('Calls per UTC day; null without a limit'),
    reset: timestamp('of the next reset'),
  })
  .meta({ id: 'RateLimit' })

export const identifierParameter = (example: string, description: string) =>
  z
    .string()
    .min(1, 'must not be empty')
    .meta({ description, examples: [example] })

export const asOfParameter = calendarDay
  .meta({
    description: 'YYYY-MM-DD: the record as of that day, with `version` saying where that comes from',
    examples: [exampleRecords.dayOfRegister],
  })
  .optional()

export function found<T>(record: T | undefined, entity: EntityType, identifier: string): T {
  if (record === undefined)
    throw new AppError('NOT_FOUND', `The register holds no ${recordWords[entity]} ${identifier}.`)
  return record
}

export function rateLimitOf(state: LimitState | null): z.infer<typeof RateLimit> {
  if (!state) throw new Error('this route runs without the limit hook')
  return { remaining: state.remaining, limit: state.limit, reset: state.resetAt.toISOString() }
}
