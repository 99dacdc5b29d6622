/** Parameters and answers that several routes share. */
import { z } from 'zod'
import { pinCode } from '../../config/fields/forms.ts'
import type { ListSorts } from '../db/list-sorts.ts'
import { endOfIndianDay, isIsoDate } from '../domain/iso-date.ts'
import { readStateName } from '../domain/state-name.ts'
import { AppError } from '../errors.ts'
import { contentFault } from './request/request-faults.ts'

/** Text without NUL, which PostgreSQL cannot store. */
export const plainText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((value) => !value.includes('\0'), 'must not contain a NUL character')

/**
 * Maximum characters of a record's name in a body. The number identifies the record, so any name of a register is
 * accepted.
 */
export const recordNameMax = 4_000

/** Non-empty text. Surrounding spaces are trimmed; spaces alone would filter nothing, and return everything. */
export const wording = (charactersMax: number) => plainText(charactersMax).trim().min(1, 'must not be empty')

/** An operator's reason for an act; others read it later. */
export const reasonText = (description: string) => plainText(500).trim().min(1, 'say why').describe(description)

/** The operator's own idempotency reference: an invoice, a ticket. */
export const referenceText = (description: string) =>
  plainText(200).trim().min(1, 'must not be empty').describe(description)

/** An e-mail address in a form that mail servers accept; only sending shows whether it exists. */
export const addressText = (description: string) =>
  plainText(320)
    .trim()
    .regex(/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/, 'must be an e-mail address')
    .describe(description)

/** A text filter in a query string: must not be empty if present. */
export const textFilter = (description: string) => wording(200).optional().describe(description)

/** An ID in a query or a body; a malformed one in a path is simply not found. */
export const idText = (description: string) =>
  z.guid({ error: 'must be an id as it was given' }).meta({ format: 'uuid', description })

/** The id of something in config/sales.ts. */
export const productId = (description: string, example: string) =>
  z
    .string()
    .max(200)
    .meta({ description, examples: [example] })

/** For a call whose path says everything; an empty object is accepted, because many clients send one. */
export const noBody = z
  .strictObject({})
  .nullish()
  .meta({ examples: [{}] })

/** A day of the calendar: another format is a 400, a day that does not exist a 422. */
export const calendarDay = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a day written YYYY-MM-DD', abort: true })
  .refine(isIsoDate, { error: 'must be a day of the calendar, from the year 1600', params: contentFault })
  .meta({ format: 'date', examples: ['2026-04-01'] })

interface Days {
  readonly from?: string | undefined
  readonly to?: string | undefined
}
/** What `from` and `to` of a list must be besides days: an empty list would look as if nothing had happened between them. */
export const inOrder: readonly [
  (days: Days) => boolean,
  { path: PropertyKey[]; error: string; params: typeof contentFault },
] = [
  ({ from, to }) => from === undefined || to === undefined || from <= to,
  { path: ['to'], error: 'must not be before from', params: contentFault },
]

/** A month: another format is a 400, a month that does not exist a 422. */
export const calendarMonth = z
  .string()
  .regex(/^\d{4}-\d{2}$/, { error: 'must be a month written YYYY-MM', abort: true })
  .refine((text) => isIsoDate(`${text}-01`), {
    error: 'must be a month of the calendar, from the year 1600',
    params: contentFault,
  })
  .meta({ examples: ['2026-04'] })

const momentOf = (shape: RegExp, error: string) =>
  z
    .string()
    .regex(shape, { error, abort: true })
    .refine((text) => isIsoDate(text.slice(0, 10)), {
      error: 'must be a day of the calendar, from the year 1600',
      params: contentFault,
    })

export const moment = momentOf(
  /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/,
  'must be a moment such as 2027-03-31T18:30:00Z',
)
export const momentOrDay = momentOf(
  /^\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/,
  'must be a day YYYY-MM-DD or a moment such as 2027-03-31T18:30:00Z',
)
/** A day ends where the next begins in India. */
export const endOf = (momentOrDay: string): Date =>
  isIsoDate(momentOrDay) ? endOfIndianDay(momentOrDay) : new Date(momentOrDay)

/**
 * The canonical spelling of the requested state; undefined without one. @throws AppError UNPROCESSABLE with a suggested
 * name.
 */
export function stateAsked(parameter: string, text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const reading = readStateName(text)
  if (reading.ok) return reading.name
  const { suggestion } = reading
  throw new AppError('UNPROCESSABLE', reading.message, { extra: { parameter, suggestion } })
}

/** The requested PIN without the space that people write in it. @throws AppError UNPROCESSABLE */
export function pinCodeAsked(parameter: string, text: string): string {
  const compact = text.replace(/\s+/g, '')
  if (pinCode.shape.test(compact)) return compact
  throw new AppError('UNPROCESSABLE', `${parameter}: ${JSON.stringify(text.slice(0, 40))} is not ${pinCode.words}.`, {
    extra: { parameter, expected: [pinCode.words] },
  })
}

export const paging = (limitMax: number) => ({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Page number, from 1'),
  limit: z.coerce.number().int().min(1).max(limitMax).default(10).describe('Records per page'),
})

export const pageOf = <T extends z.ZodType>(record: T) =>
  z.object({ data: z.array(record), total: z.number(), page: z.number(), limit: z.number() })

/** `until` in addition to `page` and `limit`, for a list that grows at its first page. */
export const growing = {
  until: moment.optional().meta({
    description:
      'For pages after the first: when the newest row of the first was created. Later rows are left out, so that no row appears on two pages',
    examples: ['2026-11-23T17:06:39.105Z'],
  }),
}

export const sorting = <Name extends string>({ names, usual }: ListSorts<Name>) => ({
  sort: z.enum(names).optional().meta({ default: usual, description: 'Sort order; a trailing hyphen reverses it' }),
})

export const unchanged = z.undefined().describe('Unchanged: the ETag is the one of If-None-Match')

/** For what is replaced as a whole. */
export const revisionRead = z
  .string()
  .max(64)
  .optional()
  .describe('The `revision` that you read: if it has changed since, nothing is changed')
