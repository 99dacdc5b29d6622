import { z } from 'zod'
import type { Db } from '../../../db/db.ts'
import type { EntityType } from '../../../domain/identity.ts'
import { historyEntities } from '../../../registry/history/field-names.ts'
import { readTrace } from '../../../registry/history/lineage.ts'
import { historySorts, readHistory } from '../../../registry/history/read-history.ts'
import { recordErrors } from '../../documented-errors.ts'
import { exampleRecords } from '../../example-records.ts'
import { day, timestamp } from '../../formats.ts'
import { paging, sorting } from '../../parameters.ts'
import type { LimitState } from '../../route-context.ts'
import { found, identifierParameter, RateLimit, rateLimitOf, text } from '../details/record-read.ts'

const value = z.union([z.string(), z.number(), z.array(z.string()).readonly()]).nullable()

const Entry = z
  .object({
    entity: z.enum(historyEntities),
    identifier: z.string().describe('For a directorship: CIN, DIN, designation and date of appointment, joined with |'),
    kind: z
      .enum(['insert', 'update', 'close', 'reopen', 'withdraw'])
      .describe(
        'close: absent from a later snapshot of its partition; reopen: present again; withdraw: removed from the register because the run that had inserted it was undone',
      ),
    as_of: day('As-of day of the snapshot, YYYY-MM-DD'),
    run_id: z.number(),
    undone_by: z.number().nullable().describe('The run that undid this change; null otherwise'),
    source: text,
    file: text.describe("Name of the snapshot's file"),
    sha256: text.describe('SHA-256 of the snapshot'),
    line: z
      .number()
      .nullable()
      .describe('First line of the record in the file; null where no line shows the change, as for a closure'),
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
  retained_from: day('Day before which changes were pruned; null while all are kept').nullable(),
  rate_limit: RateLimit,
})

export const PageQuery = z.object({
  include: z.literal('directorships').optional().describe('directorships: also lists the history of the appointments'),
  ...sorting(historySorts),
  ...paging(100),
})

export const historyFacts = {
  method: 'GET',
  caller: { scopes: ['read'] },
  audit: { reads: 'history' },
  seesAll: true,
  limit: 'details',
  errors: recordErrors,
} as const

export const description =
  'Newest first unless sorted. An insert names every field that had a value; replaying the entries yields the current record. ' +
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
                file: text.describe("Name of the snapshot's file"),
                sha256: text.describe('SHA-256 of the snapshot'),
                as_of: day('As-of day of the snapshot, YYYY-MM-DD'),
                line: z
                  .number()
                  .nullable()
                  .describe('First line of the record in the file; null where it was not kept'),
                changed_at: timestamp('at which the register ingested the value'),
              })
              .meta({ id: 'FieldOrigin' })
              .nullable()
              .describe('null where the history was pruned'),
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

export async function readPage(
  db: Db,
  record: { readonly entity: EntityType; readonly identifier: string },
  { page, limit, include, sort }: z.infer<typeof PageQuery>,
  limitState: LimitState | null,
): Promise<z.infer<typeof HistoryReply>> {
  const query = { ...record, withDirectorships: include === 'directorships', page, limit, sort }
  const history = found(await readHistory(db, query), record.entity, record.identifier)
  return { ...history, page, limit, rate_limit: rateLimitOf(limitState) }
}

export async function traceRecord(
  db: Db,
  entity: EntityType,
  identifier: string,
  limitState: LimitState | null,
): Promise<z.infer<typeof TraceReply>> {
  const data = found(await readTrace(db, entity, identifier), entity, identifier)
  return { data, rate_limit: rateLimitOf(limitState) }
}
