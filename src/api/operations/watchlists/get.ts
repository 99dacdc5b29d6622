import { z } from 'zod'
import { listWatchedEntities, readWatchlist, watchedSorts } from '../../../access/watchlists.ts'
import { timestamp } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { paging, plainText, sorting } from '../../parameters.ts'
import example from './get.example.json' with { type: 'json' }
import { ById, pageOf, Summary, summaryOf } from './watchlist-schemas.ts'

const Entity = z
  .object({ identifier: z.string(), name: z.string(), added_at: timestamp() })
  .meta({ id: 'WatchlistEntity' })
const Detailed = Summary.extend({ entities: z.array(Entity) }).meta({ id: 'WatchlistDetails' })

export default operation({
  id: 'getWatchlist',
  method: 'GET',
  path: '/api/watchlist/:watchlist_id',
  summary: 'Get a watchlist with a page of its entities',
  description: '`total` counts the entities that match; `data.count` counts all.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  params: ById,
  query: z.object({
    ...sorting(watchedSorts),
    ...paging(100),
    search_query: plainText(200)
      .optional()
      .meta({ description: 'Part of a name or identifier, in any case', examples: ['Lantern'] }),
  }),
  reply: { 200: z.object({ data: Detailed, ...pageOf }) },
  example,
  handle: async ({ db }, request, { accountId }) => {
    const { page, limit, sort, search_query: search } = request.query
    const watchlist = await readWatchlist(db, accountId, request.params.watchlist_id)
    const { entities, total } = await listWatchedEntities(db, watchlist, { search, page, limit, sort })
    const shown = entities.map((entity) => ({ ...entity, added_at: entity.added_at.toISOString() }))
    return { data: { ...summaryOf(watchlist), entities: shown }, total, page, limit }
  },
})
