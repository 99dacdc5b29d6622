/** /api/watchlist: an account's own lists of companies, directors or GST registrations. */
import { z } from 'zod'
import {
  addEntities,
  createWatchlist,
  deleteWatchlist,
  listWatchedEntities,
  listWatchlists,
  readWatchlist,
  removeEntities,
  renameWatchlist,
  type Watchlist,
} from '../../access/watchlists.ts'
import { entityTypes } from '../../domain/identity.ts'
import { exampleIds, exampleRecords } from '../example-records.ts'
import { timestamp, uuid } from '../formats.ts'
import { keepAnswerOf } from '../hooks/idempotency.ts'
import { paging, plainText } from '../parameters.ts'
import { principalOf, type Routes } from '../route-context.ts'

const tags = ['Watchlists']
const Type = z.enum(entityTypes).describe('What the list holds')
const Name = plainText(200).trim().min(1).describe('A name of your own')
const Entities = z
  .array(
    z.strictObject({
      identifier: plainText(40).describe('CIN or LLPIN, DIN, or GSTIN, as the type of the list says'),
      name: plainText(500).trim().min(1).describe('Name as you know it'),
    }),
  )
  .max(1000)
  .describe('Up to 1,000 at a time')
const exampleEntities = [{ identifier: exampleRecords.cin, name: exampleRecords.companyName }]
const Draft = z
  .strictObject({ name: Name, watchlist_type: Type, entities: Entities.default([]) })
  .meta({ examples: [{ name: 'Suppliers', watchlist_type: 'company', entities: exampleEntities }] })

const Summary = z
  .object({
    id: uuid('Of the watchlist'),
    name: z.string(),
    type: Type,
    count: z.number().describe('Entities on the list'),
    created_at: timestamp(),
  })
  .meta({ id: 'Watchlist' })
const Entity = z
  .object({ identifier: z.string(), name: z.string(), added_at: timestamp() })
  .meta({ id: 'WatchlistEntity' })
const Detailed = Summary.extend({ entities: z.array(Entity) }).meta({ id: 'WatchlistDetails' })
const pageOf = { total: z.number(), page: z.number(), limit: z.number() }
const One = z.object({ data: Summary })
const ById = z.object({ watchlist_id: uuid('Id of the watchlist').meta({ examples: [exampleIds.watchlist] }) })
const merged = 'Identifiers are checked and spelt canonically; a repeated one is on the list once.'

export const watchlistRoutes: Routes = async (app, { db }) => {
  app.post(
    '/api/watchlist',
    {
      config: { idempotent: 'with-effect', errors: ['UNPROCESSABLE', 'QUOTA_EXCEEDED'] },
      schema: {
        operationId: 'createWatchlist',
        tags,
        summary: 'Make a watchlist',
        description: merged,
        body: Draft,
        response: { 201: One },
      },
    },
    async (request, reply) => {
      const { name, watchlist_type: type, entities } = request.body
      const created = await db.transaction(async (tx) => {
        const watchlist = await createWatchlist(tx, principalOf(request).accountId, { name, type, entities })
        const body = { data: summaryOf(watchlist) }
        await keepAnswerOf(tx, request, 201, body)
        return body
      })
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/api/watchlist',
    {
      schema: {
        operationId: 'listWatchlists',
        tags,
        summary: 'Your watchlists, the newest first',
        description: 'Without their entities; `count` says how many each holds.',
        querystring: z.object({ type: Type.optional().describe('Only lists of this type'), ...paging(100) }),
        response: { 200: z.object({ data: z.array(Summary), ...pageOf }) },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const { data, total } = await listWatchlists(db, principalOf(request).accountId, request.query)
      return { data: data.map(summaryOf), total, page, limit }
    },
  )

  app.get(
    '/api/watchlist/:watchlist_id',
    {
      schema: {
        operationId: 'getWatchlist',
        tags,
        summary: 'One watchlist with a page of its entities',
        description: '`total` counts the entities that match; `data.count` counts all.',
        params: ById,
        querystring: z.object({
          ...paging(100),
          search_query: plainText(200)
            .optional()
            .meta({ description: 'Part of a name or identifier, in any case', examples: ['Lantern'] }),
        }),
        response: { 200: z.object({ data: Detailed, ...pageOf }) },
      },
    },
    async (request) => {
      const { page, limit, search_query: search } = request.query
      const watchlist = await readWatchlist(db, principalOf(request).accountId, request.params.watchlist_id)
      const { entities, total } = await listWatchedEntities(db, watchlist, { search, page, limit })
      const shown = entities.map((entity) => ({ ...entity, added_at: entity.added_at.toISOString() }))
      return { data: { ...summaryOf(watchlist), entities: shown }, total, page, limit }
    },
  )

  app.put(
    '/api/watchlist/:watchlist_id',
    {
      schema: {
        operationId: 'renameWatchlist',
        tags,
        summary: 'Rename a watchlist',
        description: 'Its type and entities stay as they are.',
        params: ById,
        body: z.strictObject({ name: Name }).meta({ examples: [{ name: 'Suppliers in Goa' }] }),
        response: { 200: One },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const renamed = await db.transaction((tx) =>
        renameWatchlist(tx, accountId, request.params.watchlist_id, request.body.name),
      )
      return { data: summaryOf(renamed) }
    },
  )

  app.post(
    '/api/watchlist/:watchlist_id/entities',
    {
      config: { idempotent: 'with-effect', errors: ['UNPROCESSABLE', 'QUOTA_EXCEEDED'] },
      schema: {
        operationId: 'addWatchlistEntities',
        tags,
        summary: 'Add entities',
        description: `${merged} One that is on the list already stays as it is.`,
        params: ById,
        body: z.strictObject({ entities: Entities.min(1) }).meta({ examples: [{ entities: exampleEntities }] }),
        response: { 200: One.extend({ added: z.number() }) },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      return db.transaction(async (tx) => {
        const { entities } = request.body
        const { watchlist, added } = await addEntities(tx, accountId, request.params.watchlist_id, entities)
        const body = { data: summaryOf(watchlist), added }
        await keepAnswerOf(tx, request, 200, body)
        return body
      })
    },
  )

  app.delete(
    '/api/watchlist/:watchlist_id/entities',
    {
      config: { errors: ['UNPROCESSABLE'] },
      schema: {
        operationId: 'removeWatchlistEntity',
        tags,
        summary: 'Remove entities',
        description: '`removed` counts those that were on the list.',
        params: ById,
        querystring: z.object({
          identifiers: plainText(8000)
            .trim()
            .min(1)
            .meta({
              description: 'Separated by commas; those not on the list are no fault',
              examples: [exampleRecords.cin],
            }),
        }),
        response: { 200: One.extend({ removed: z.number() }) },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request)
      const identifiers = request.query.identifiers.split(',').flatMap((part) => part.trim() || [])
      const { watchlist, removed } = await db.transaction((tx) =>
        removeEntities(tx, accountId, request.params.watchlist_id, identifiers),
      )
      return { data: summaryOf(watchlist), removed }
    },
  )

  app.delete(
    '/api/watchlist/:watchlist_id',
    {
      schema: {
        operationId: 'deleteWatchlist',
        tags,
        summary: 'Delete a watchlist',
        description: 'With its entities, at once and for good.',
        params: ById,
        response: { 200: z.object({ id: uuid('Of the watchlist'), deleted: z.literal(true) }) },
      },
    },
    async (request) => {
      const { watchlist_id: id } = request.params
      await db.transaction((tx) => deleteWatchlist(tx, principalOf(request).accountId, id))
      return { id, deleted: true as const }
    },
  )
}

function summaryOf({ id, name, type, count, created_at }: Watchlist): z.infer<typeof Summary> {
  return { id, name, type, count, created_at: created_at.toISOString() }
}
