import { z } from 'zod'
import { listWatchlists, watchlistSorts } from '../../../access/watchlists.ts'
import { operation } from '../../operation.ts'
import { paging, sorting } from '../../parameters.ts'
import example from './list.example.json' with { type: 'json' }
import { pageOf, Summary, summaryOf, Type } from './watchlist-schemas.ts'

export default operation({
  id: 'listWatchlists',
  method: 'GET',
  path: '/api/watchlist',
  summary: 'List your watchlists',
  description: 'Without their entities, newest first unless sorted; `count` says how many each has.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  query: z.object({
    type: Type.optional().describe('Only lists of this type'),
    ...sorting(watchlistSorts),
    ...paging(100),
  }),
  reply: { 200: z.object({ data: z.array(Summary), ...pageOf }) },
  example,
  handle: async ({ db }, request, { accountId }) => {
    const { page, limit } = request.query
    const { data, total } = await listWatchlists(db, accountId, request.query)
    return { data: data.map(summaryOf), total, page, limit }
  },
})
