/**
 * What the snapshots changed in one company, GST registration or director, field by field, newest first, with the
 * snapshot that each change came from. A call uses one unit of the daily details limit.
 */
import { z } from 'zod'
import type { EntityType } from '../../domain/identity.ts'
import { readCompanyLinks } from '../../registry/history/company-links.ts'
import { historyEntities } from '../../registry/history/field-names.ts'
import { readTrace } from '../../registry/history/lineage.ts'
import { readHistory } from '../../registry/history/read-history.ts'
import { companyIdFrom, dinFrom, gstinFrom } from '../../registry/identifier-input.ts'
import { recordErrors } from '../documented-errors.ts'
import { exampleRecords } from '../example-records.ts'
import { day, timestamp } from '../formats.ts'
import { paging } from '../parameters.ts'
import type { LimitState, Routes } from '../route-context.ts'
import { found, identifierParameter, RateLimit, rateLimitOf, text } from './record-read.ts'

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
const HistoryReply = z.object({
  data: z.array(Entry).readonly(),
  total: z.number().describe('Entries on all pages'),
  page: z.number(),
  limit: z.number(),
  retained_from: day('Day before which changes were thinned out; null while all are kept').nullable(),
  rate_limit: RateLimit,
})
const CompanyHistoryReply = HistoryReply.extend({
  previous_cins: z
    .array(z.string())
    .readonly()
    .describe('Identifiers that the company had before, where a source says so'),
  succeeded_by: z.array(z.string()).readonly().describe('Companies that name this identifier among their earlier ones'),
})
const PageQuery = z.object({
  include: z
    .literal('directorships')
    .optional()
    .describe('directorships: the history of the appointments too, in the same list'),
  ...paging(100),
})
const description =
  'Newest first. An insert names every field that had a value; the entries replayed from it give the present record. ' +
  'Counts as one call of the daily details limit.'
const response = { 200: HistoryReply }

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
const TraceReply = z.object({ data: Trace, rate_limit: RateLimit })
const traceDescription =
  'Every field that has a value, with the run, file, day and line that it came from. Counts as one call of the daily details limit.'

export const historyRoutes: Routes = async (app, { db }) => {
  const trace = async (
    entity: EntityType,
    identifier: string,
    limitState: LimitState | null,
  ): Promise<z.infer<typeof TraceReply>> => {
    const data = found(await readTrace(db, entity, identifier), `${entity} ${identifier}`)
    return { data, rate_limit: rateLimitOf(limitState) }
  }
  const answer = async (
    record: { readonly entity: EntityType; readonly identifier: string },
    { page, limit, include }: z.infer<typeof PageQuery>,
    limitState: LimitState | null,
  ): Promise<z.infer<typeof HistoryReply>> => {
    const query = { ...record, withDirectorships: include === 'directorships', page, limit }
    const history = found(await readHistory(db, query), `${record.entity} ${record.identifier}`)
    return { ...history, page, limit, rate_limit: rateLimitOf(limitState) }
  }

  const cin = identifierParameter(exampleRecords.cin, 'CIN, LLPIN, FLLPIN or FCRN')
  app.get(
    '/api/company/history',
    {
      config: { limit: 'details', errors: recordErrors },
      schema: {
        operationId: 'getCompanyHistory',
        tags: ['Details'],
        summary: 'History of one company or LLP',
        description,
        querystring: z.object({ cin, ...PageQuery.shape }),
        response: { 200: CompanyHistoryReply },
      },
    },
    async ({ query, limitState }) => {
      const identifier = companyIdFrom(query.cin)
      const history = await answer({ entity: 'company', identifier }, query, limitState)
      return { ...history, ...(await readCompanyLinks(db, identifier)) }
    },
  )

  app.get(
    '/api/company/trace',
    {
      config: { limit: 'details', errors: recordErrors },
      schema: {
        operationId: 'getCompanyTrace',
        tags: ['Details'],
        summary: 'Where each field of a company or LLP comes from',
        description: traceDescription,
        querystring: z.object({ cin }),
        response: { 200: TraceReply },
      },
    },
    async ({ query, limitState }) => trace('company', companyIdFrom(query.cin), limitState),
  )

  const gstin = identifierParameter(exampleRecords.gstin, 'GSTIN, 15 characters')
  app.get(
    '/api/gst/history',
    {
      config: { limit: 'details', errors: recordErrors },
      schema: {
        operationId: 'getGstHistory',
        tags: ['Details'],
        summary: 'History of one GST registration',
        description,
        querystring: z.object({ gstin, ...paging(100) }),
        response,
      },
    },
    async ({ query, limitState }) => answer({ entity: 'gst', identifier: gstinFrom(query.gstin) }, query, limitState),
  )

  app.get(
    '/api/gst/trace',
    {
      config: { limit: 'details', errors: recordErrors },
      schema: {
        operationId: 'getGstTrace',
        tags: ['Details'],
        summary: 'Where each field of a GST registration comes from',
        description: traceDescription,
        querystring: z.object({ gstin }),
        response: { 200: TraceReply },
      },
    },
    async ({ query, limitState }) => trace('gst', gstinFrom(query.gstin), limitState),
  )

  const din = identifierParameter(exampleRecords.din, 'DIN, eight digits')
  app.get(
    '/api/company/director-history',
    {
      config: { limit: 'details', errors: recordErrors },
      schema: {
        operationId: 'getDirectorHistory',
        tags: ['Details'],
        summary: 'History of one director',
        description,
        querystring: z.object({ din, ...PageQuery.shape }),
        response,
      },
    },
    async ({ query, limitState }) => answer({ entity: 'director', identifier: dinFrom(query.din) }, query, limitState),
  )

  app.get(
    '/api/company/director-trace',
    {
      config: { limit: 'details', errors: recordErrors },
      schema: {
        operationId: 'getDirectorTrace',
        tags: ['Details'],
        summary: 'Where each field of a director comes from',
        description: traceDescription,
        querystring: z.object({ din }),
        response: { 200: TraceReply },
      },
    },
    async ({ query, limitState }) => trace('director', dinFrom(query.din), limitState),
  )
}
