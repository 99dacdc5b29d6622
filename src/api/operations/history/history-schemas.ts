import { z } from 'zod'
import type { Db } from '../../../db/db.ts'
import type { EntityType } from '../../../domain/identity.ts'
import { historyEntities } from '../../../registry/history/field-names.ts'
import { readTrace } from '../../../registry/history/lineage.ts'
import { historySorts, readHistory } from '../../../registry/history/read-history.ts'
import { exampleRecords } from '../../example-records.ts'
import { day, timestamp } from '../../formats.ts'
import { paging, sorting } from '../../parameters.ts'
import type { LimitState } from '../../route-context.ts'
import { found, identifierParameter, RateLimit, rateLimitOf, text } from '../details/record-read.ts'

const value = z.union([z.string(), z.number(), z.array(z.string()).readonly()]).nullable()

const Entry = z
  .object({
    entity: z.enum(historyEntities),
    identifier: z.string().describe('Of a directorship: CIN, DIN, designation and date of appointment, joined with |'),
    kind: z
      .enum(['insert', 'update', 'close', 'reopen', 'withdraw'])
      .describe(
        'close: absent from a later snapshot of its part of the register; reopen: back again; withdraw: out of the register, since the run that had entered it was taken back',
      ),
    as_of: day('Day that the snapshot shows, YYYY-MM-DD'),
    run_id: z.number(),
    undone_by: z.number().nullable().describe('The run that took this change back; null where it stands'),
    source: text,
    file: text.describe("The snapshot's file, by name"),
    sha256: text.describe("Of the snapshot's bytes"),
    line: z
      .number()
      .nullable()
      .describe('First line of the record in the file; null where no record says so, as for a closure'),
    changed_at: timestamp('at which the register changed'),
    changes: z
      .array(z.object({ field: z.string(), before: value, after: value }).meta({ id: 'FieldChange' }))
      .readonly(),
  })
  .meta({ id: 'HistoryEntry' })

export const HistoryReply = z.object({
  data: z.array(Entry).readonly(),
  total: z.number().describe('Entries on all pages'),
  page: z.number(),
  limit: z.number(),
  retained_from: day('Day before which changes were thinned out; null while all are kept').nullable(),
  rate_limit: RateLimit,
})

export const PageQuery = z.object({
  include: z
    .literal('directorships')
    .optional()
    .describe('directorships: the history of the appointments too, in the same list'),
  ...sorting(historySorts),
  ...paging(100),
})

export const description =
  'Newest first unless you sort them. An insert names every field that had a value; the entries replayed from it give the present record. ' +
  'Counts as one call of the daily details limit.'

export const response = { 200: HistoryReply }

const Trace = z
  .object({
    identifier: z.string(),
    fields: z
      .array(
        z
          .object({
            field: z.string(),
            value,
            origin: z
              .object({
                run_id: z.number(),
                source: text,
                file: text.describe("The snapshot's file, by name"),
                sha256: text.describe("Of the snapshot's bytes"),
                as_of: day('Day that the snapshot shows, YYYY-MM-DD'),
                line: z
                  .number()
                  .nullable()
                  .describe('First line of the record in the file; null where it was not kept'),
                changed_at: timestamp('at which the register took the value in'),
              })
              .meta({ id: 'FieldOrigin' })
              .nullable()
              .describe('Null where the history was thinned out'),
          })
          .meta({ id: 'TracedField' }),
      )
      .readonly(),
  })
  .meta({ id: 'RecordTrace' })

export const TraceReply = z.object({ data: Trace, rate_limit: RateLimit })

export const traceDescription =
  'Every field that has a value, with the run, file, day and line that it came from. Counts as one call of the daily details limit.'

export const cin = identifierParameter(exampleRecords.cin, 'CIN, LLPIN, FLLPIN or FCRN')

export const gstin = identifierParameter(exampleRecords.gstin, 'GSTIN, 15 characters')

export const din = identifierParameter(exampleRecords.din, 'DIN, eight digits')

/** @throws AppError NOT_FOUND */
export async function readPage(
  db: Db,
  record: { readonly entity: EntityType; readonly identifier: string },
  { page, limit, include, sort }: z.infer<typeof PageQuery>,
  limitState: LimitState | null,
): Promise<z.infer<typeof HistoryReply>> {
  const query = { ...record, withDirectorships: include === 'directorships', page, limit, sort }
  const history = found(await readHistory(db, query), `${record.entity} ${record.identifier}`)
  return { ...history, page, limit, rate_limit: rateLimitOf(limitState) }
}

/** @throws AppError NOT_FOUND */
export async function traceRecord(
  db: Db,
  entity: EntityType,
  identifier: string,
  limitState: LimitState | null,
): Promise<z.infer<typeof TraceReply>> {
  const data = found(await readTrace(db, entity, identifier), `${entity} ${identifier}`)
  return { data, rate_limit: rateLimitOf(limitState) }
}
