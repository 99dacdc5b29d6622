/** The trail as it is shown: to operators all of it, to an account its own rows. What is gathered is written first. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { isUuid } from '../../domain/uuid.ts'
import { nextCursor, ownTrailState, placeOf, readTrail, type TrailFilter, trailState } from '../../trail/read-trail.ts'
import { exampleIds } from '../example-records.ts'
import { timestamp, uuid } from '../formats.ts'
import { calendarDay, textFilter } from '../parameters.ts'
import { principalOf } from '../route-context.ts'
import type { ServerContext } from '../server-context.ts'
import { admin } from './admin.ts'

const kinds = z.enum(['act', 'reading', 'refusal'])
const text = z.string().nullable()
const shared = {
  at: timestamp(),
  kind: kinds.describe('act, reading of personal data, or refused credential'),
  actor: z.string(),
  action: z.string(),
  subject: z.string().describe('What was acted on; of a reading the record, or how many'),
  detail: z.record(z.string(), z.unknown()),
  credential: text.describe('Id of the API key or operator, environment, or the user of the machine'),
  operation: text.describe('operationId, or the command'),
  address: text,
  reason: text.describe('What for: order <id>, screener <id>'),
  data_class: text.describe('Of a reading: details, leads, …'),
  identifiers: z.array(z.string()).nullable().describe('Of a reading: the records that were shown'),
  records: z.number().nullable().describe('Of a reading: how many were shown'),
}
const Row = z
  .object({
    id: z.number(),
    place: z.number().nullable().describe('In the chain, from 1'),
    ...shared,
    actor: shared.actor.describe('operator (at the command line), operator:<name>, system, stranger or account:<id>'),
    account_id: uuid('Of the account whose matter it is').nullable(),
  })
  .meta({ id: 'AuditEntry' })
const OwnRow = z
  .object({ ...shared, actor: shared.actor.describe('you, operator or system') })
  .meta({ id: 'OwnAuditEntry' })
const pageOf = <T extends z.ZodType>(row: T) =>
  z.object({
    data: z.array(row),
    limit: z.number(),
    next_cursor: text.describe('Send as `cursor` for the next page; null on the last one'),
  })
const paging = {
  from: calendarDay.optional().describe('First day, in UTC'),
  to: calendarDay.optional().describe('Last day, in UTC'),
  cursor: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'next_cursor of the page before', examples: ['dDEtMTI'] }),
  limit: z.coerce.number().int().min(1).max(500).default(50).describe('Rows per page'),
}

export const trailRoutes: FastifyPluginAsyncZod<ServerContext> = async (app, { db, trail }) => {
  app.get(
    '/api/audit',
    {
      config: { errors: ['UNPROCESSABLE'] },
      schema: {
        operationId: 'listOwnAudit',
        tags: ['Account'],
        summary: 'What was done with your account, the newest first',
        description:
          'Logins and refusals, keys, orders, every record that was read, and what operators did: when, by which key, from which address. Kept for a year at least.',
        querystring: z.object({ kind: kinds.optional().describe('Only rows of this kind'), ...paging }),
        response: { 200: pageOf(OwnRow) },
      },
    },
    async (request) => {
      const { cursor, limit, ...filter } = request.query
      const before = placeOf(cursor)
      await trail.settle()
      const rows = await readTrail(db, { ...filter, accountId: principalOf(request).accountId }, { before, limit })
      return { data: rows.map(ownTrailState), limit, next_cursor: nextCursor(rows, limit) }
    },
  )
}

export const adminTrailRoutes: FastifyPluginAsyncZod<ServerContext> = async (app, { db, trail }) => {
  app.get(
    '/admin/audit',
    {
      config: { errors: ['UNPROCESSABLE'] },
      schema: {
        operationId: 'listAuditLog',
        ...admin,
        summary: 'The trail, the newest first',
        description:
          'Who did or read what, when, from where and why, without secrets. `panji audit verify` shows that no row was changed or left out.',
        querystring: z.object({
          kind: kinds.optional().describe('Only rows of this kind'),
          actor: textFilter('Who: operator (all of them), operator:<name>, system or account:<id>').meta({
            examples: ['operator'],
          }),
          action: textFilter('Verb and object, for example "suspend account"').meta({ examples: ['suspend account'] }),
          subject: textFilter('What was acted on, or a record that was shown: id, CIN, DIN, GSTIN').meta({
            examples: [exampleIds.account],
          }),
          account: textFilter('Id of the account whose matter it is').meta({ examples: [exampleIds.account] }),
          credential: textFilter('Id of an API key or operator').meta({ examples: ['environment'] }),
          address: textFilter('Address of the caller').meta({ examples: ['203.0.113.7'] }),
          ...paging,
        }),
        response: { 200: pageOf(Row) },
      },
    },
    async ({ query: { cursor, limit, account, credential, ...filter } }) => {
      const before = placeOf(cursor)
      await trail.settle()
      if (account !== undefined && !isUuid(account)) return { data: [], limit, next_cursor: null }
      const asked: TrailFilter = {
        ...filter,
        accountId: account,
        credentials: credential === undefined ? undefined : [credential],
      }
      const rows = await readTrail(db, asked, { before, limit })
      return { data: rows.map(trailState), limit, next_cursor: nextCursor(rows, limit) }
    },
  )
}
