import { z } from 'zod'
import { createWatchlist } from '../../../access/watchlists.ts'
import { keepAnswerOf } from '../../hooks/idempotency.ts'
import { operation } from '../../operation.ts'
import { Entities, exampleEntities, merged, Name, One, summaryOf, Type } from './watchlist-schemas.ts'

const Draft = z
  .strictObject({ name: Name, watchlist_type: Type, entities: Entities.default([]) })
  .meta({ examples: [{ name: 'Suppliers', watchlist_type: 'company', entities: exampleEntities }] })

export default operation({
  id: 'createWatchlist',
  method: 'POST',
  path: '/api/watchlist',
  summary: 'Make a watchlist',
  description: merged,
  caller: { scopes: ['write'] },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'QUOTA_EXCEEDED'],
  idempotent: 'with-effect',
  body: Draft,
  reply: { 201: One },
  example: {
    data: {
      id: 'd907643d-aece-4fb4-b0fb-887147641df2',
      name: 'Suppliers',
      type: 'company',
      count: 1,
      created_at: '2026-11-21T04:40:50.903Z',
    },
  },
  handle: async ({ db }, request, { accountId }) => {
    const { name, watchlist_type: type, entities } = request.body
    return await db.transaction(async (tx) => {
      const watchlist = await createWatchlist(tx, accountId, { name, type, entities })
      const body = { data: summaryOf(watchlist) }
      await keepAnswerOf(tx, request, 201, body)
      return body
    })
  },
})
