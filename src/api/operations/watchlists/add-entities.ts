import { z } from 'zod'
import { addEntities } from '../../../access/watchlists.ts'
import { keepAnswerOf } from '../../hooks/idempotency.ts'
import { operation } from '../../operation.ts'
import { ById, Entities, exampleEntities, merged, One, summaryOf } from './watchlist-schemas.ts'

export default operation({
  id: 'addWatchlistEntities',
  method: 'POST',
  path: '/api/watchlist/:watchlist_id/entities',
  summary: 'Add entities',
  description: `${merged} Entities that are already on the list are unchanged.`,
  caller: { scopes: ['write'] },
  audit: 'act',
  errors: ['UNPROCESSABLE', 'QUOTA_EXCEEDED'],
  idempotent: 'with-effect',
  params: ById,
  body: z.strictObject({ entities: Entities.min(1) }).meta({ examples: [{ entities: exampleEntities }] }),
  reply: { 200: One.extend({ added: z.number() }) },
  example: {
    data: {
      id: 'e9d1667a-9260-4939-9464-dde6dbb6c55b',
      name: 'Mine',
      type: 'company',
      count: 1,
      created_at: '2026-11-23T17:06:37.296Z',
    },
    added: 1,
  },
  handle: async ({ db }, request, { accountId }) => {
    return db.transaction(async (tx) => {
      const { entities } = request.body
      const { watchlist, added } = await addEntities(tx, accountId, request.params.watchlist_id, entities)
      const body = { data: summaryOf(watchlist), added }
      await keepAnswerOf(tx, request, 200, body)
      return body
    })
  },
})
