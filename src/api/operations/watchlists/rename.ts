import { z } from 'zod'
import { renameWatchlist } from '../../../access/watchlists.ts'
import { operation } from '../../operation.ts'
import { ById, Name, One, summaryOf } from './watchlist-schemas.ts'

export default operation({
  id: 'renameWatchlist',
  method: 'PUT',
  path: '/api/watchlist/:watchlist_id',
  summary: 'Rename a watchlist',
  description: 'Its type and entities do not change.',
  caller: { scopes: ['write'] },
  audit: 'act',
  params: ById,
  body: z.strictObject({ name: Name }).meta({ examples: [{ name: 'Suppliers in Goa' }] }),
  reply: { 200: One },
  example: {
    data: {
      id: '1694f73d-5d0a-4074-9c0a-d084d4795f29',
      name: 'Suppliers in Goa',
      type: 'company',
      count: 0,
      created_at: '2026-11-23T17:06:37.252Z',
    },
  },
  handle: async ({ db }, request, { accountId }) => {
    const renamed = await db.transaction((tx) =>
      renameWatchlist(tx, accountId, request.params.watchlist_id, request.body.name),
    )
    return { data: summaryOf(renamed) }
  },
})
