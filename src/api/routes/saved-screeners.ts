/** Saved screeners, and their runs. A run uses the screener limit. */
import { z } from 'zod'
import { soldRegistrations } from '../../access/sold-registrations.ts'
import { runScreener } from '../../registry/screener/run-screener.ts'
import {
  createScreener,
  deleteScreener,
  listScreeners,
  readScreener,
  type SavedScreener,
  updateScreener,
} from '../../registry/screener/saved-screeners.ts'
import { dearErrors } from '../documented-errors.ts'
import { exampleIds } from '../example-records.ts'
import { timestamp, uuid } from '../formats.ts'
import { keepAnswerOf } from '../hooks/idempotency.ts'
import { tellTrail } from '../hooks/trail.ts'
import { paging, plainText } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'
import {
  type CompanyHit,
  Cursor,
  companyRunHit,
  GstHit,
  NextCursor,
  Notice,
  Query,
  soldRule,
  Type,
} from './screener-schemas.ts'

const CompanyRunHit = z.object(companyRunHit).meta({ id: 'CompanyRunHit' })

const Saved = z
  .object({
    id: uuid('Of the screener'),
    name: z.string(),
    type: Type,
    query: z.string(),
    description: z.string().nullable(),
    created_at: timestamp(),
  })
  .meta({ id: 'Screener' })
const Draft = z
  .strictObject({
    name: plainText(200).trim().min(1).describe('A name of your own'),
    type: Type,
    query: Query,
    description: plainText(2000).nullable().default(null).describe('A note of your own'),
  })
  .meta({
    examples: [
      { name: 'Large in Maharashtra', type: 'company', query: "State == 'Maharashtra' AND paidUpCapital > 1000000" },
    ],
  })
const Change = z
  .strictObject({
    name: Draft.shape.name.optional(),
    type: Type.optional(),
    query: Query.optional(),
    description: plainText(2000).nullable().optional().describe('A note of your own'),
  })
  .meta({ examples: [{ name: 'Larger in Maharashtra', query: "State == 'Maharashtra' AND paidUpCapital > 5000000" }] })
const ById = z.object({ screener_id: uuid('Id of the saved screener').meta({ examples: [exampleIds.screener] }) })
const One = { 200: z.object({ data: Saved }) }
const Many = { 200: z.object({ data: z.array(Saved) }) }
const tags = ['Screener']

export const savedScreenerRoutes: Routes = async (app, { db, dearReads }) => {
  app.get(
    '/api/screener/screeners',
    {
      schema: {
        operationId: 'listScreeners',
        tags,
        summary: 'Saved screeners, newest first',
        description: 'Those of your account.',
        response: Many,
      },
    },
    async (request) => ({ data: (await listScreeners(db, principalOf(request).accountId)).map(present) }),
  )

  app.post(
    '/api/screener/screeners',
    {
      config: { idempotent: 'with-effect', errors: ['QUERY_SYNTAX', 'QUOTA_EXCEEDED'] },
      schema: {
        operationId: 'createScreener',
        tags,
        summary: 'Save a screener',
        description: 'The query is checked first. Run it with POST /api/screener/screeners/{screener_id}/run.',
        body: Draft,
        response: { 201: z.object({ data: Saved }) },
      },
    },
    async (request, reply) => {
      const created = await db.transaction(async (tx) => {
        const body = { data: present(await createScreener(tx, principalOf(request).accountId, request.body)) }
        await keepAnswerOf(tx, request, 201, body)
        return body
      })
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/api/screener/screeners/:screener_id',
    {
      schema: {
        operationId: 'getScreener',
        tags,
        summary: 'One saved screener',
        description: 'Name, type, query.',
        params: ById,
        response: One,
      },
    },
    async (request) => ({
      data: present(await readScreener(db, principalOf(request).accountId, request.params.screener_id)),
    }),
  )

  app.put(
    '/api/screener/screeners/:screener_id',
    {
      config: { errors: ['QUERY_SYNTAX', 'QUOTA_EXCEEDED'] },
      schema: {
        operationId: 'updateScreener',
        tags,
        summary: 'Change a saved screener',
        description: 'Members left out keep their value.',
        params: ById,
        body: Change,
        response: One,
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const change = Object.fromEntries(Object.entries(request.body).filter(([, value]) => value !== undefined))
      const { screener_id: id } = request.params
      return { data: present(await db.transaction((tx) => updateScreener(tx, accountId, id, change))) }
    },
  )

  app.delete(
    '/api/screener/screeners/:screener_id',
    {
      schema: {
        operationId: 'deleteScreener',
        tags,
        summary: 'Delete a saved screener',
        description: 'At once and for good.',
        params: ById,
        response: { 200: z.object({ id: uuid('Of the screener'), deleted: z.literal(true) }) },
      },
    },
    async (request) => {
      await deleteScreener(db, principalOf(request).accountId, request.params.screener_id)
      return { id: request.params.screener_id, deleted: true as const }
    },
  )

  app.post(
    '/api/screener/screeners/:screener_id/run',
    {
      config: { limit: 'screener', errors: ['NO_DATASET_ACCESS', 'QUERY_SYNTAX', ...dearErrors] },
      schema: {
        operationId: 'runScreener',
        tags,
        summary: 'Run a saved screener against current data',
        description: `Nothing is cached. Uses one unit of the screener limit. A company is named by \`company\` here. ${soldRule}`,
        params: ById,
        querystring: z.object({
          ...paging(100),
          cursor: Cursor,
        }),
        response: {
          200: z.object({
            data: z.array(z.union([CompanyRunHit, GstHit])),
            total: z.number(),
            page: z.number(),
            limit: z.number(),
            screener: Saved.pick({ id: true, name: true, type: true, query: true }).meta({ id: 'ScreenerThatRan' }),
            next_cursor: NextCursor,
            notice: Notice,
          }),
        },
      },
    },
    async (request) => {
      const saved = await readScreener(db, principalOf(request).accountId, request.params.screener_id)
      const { id, name, type, query } = saved
      tellTrail(request, { reason: `screener ${id}` })
      const sold = await soldRegistrations(db, principalOf(request), type)
      const found = await dearReads.run(request, (dearDb, timeoutMs) =>
        runScreener(dearDb, { type, query, ...request.query, sold, timeoutMs }),
      )
      const { total, page, next_cursor, notice } = found
      return {
        data: found.results.map(nameAsCompany),
        total,
        page,
        limit: request.query.limit,
        screener: { id, name, type, query },
        next_cursor,
        ...(notice === undefined ? {} : { notice }),
      }
    },
  )
}

type Hit = z.infer<typeof CompanyHit> | z.infer<typeof GstHit>

/** A run names a company by `company` where a search says `companyName`. */
function nameAsCompany(hit: Hit): z.infer<typeof CompanyRunHit> | z.infer<typeof GstHit> {
  if (!('companyName' in hit)) return hit
  const { companyName, ...rest } = hit
  return { ...rest, company: companyName }
}

const present = (saved: SavedScreener): z.infer<typeof Saved> => ({
  ...saved,
  created_at: saved.created_at.toISOString(),
})
