import { z } from 'zod'
import { deleteWatchlist } from '../../../access/watchlists.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { ById } from './watchlist-schemas.ts'

export default operation({
  id: 'deleteWatchlist',
  method: 'DELETE',
  path: '/api/watchlist/:watchlist_id',
  summary: 'Delete a watchlist',
  description:
    'With its entities; takes effect at once and cannot be undone. A watchlist that a standing order follows cannot be deleted until that has ended (409).',
  caller: { scopes: ['write'] },
  audit: 'act',
  params: ById,
  reply: { 200: z.object({ id: uuid('ID of the watchlist'), deleted: z.literal(true) }) },
  example: {
    id: '22cdb486-85e1-41f0-a260-49d76aa36a84',
    deleted: true,
  },
  handle: async ({ db }, request, { accountId }) => {
    const { watchlist_id: id } = request.params
    await db.transaction((tx) => deleteWatchlist(tx, accountId, id))
    return { id, deleted: true as const }
  },
})
