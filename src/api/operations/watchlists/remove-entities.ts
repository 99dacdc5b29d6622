import { z } from 'zod'
import { removeEntities } from '../../../access/watchlists.ts'
import { exampleRecords } from '../../example-records.ts'
import { operation } from '../../operation.ts'
import { plainText } from '../../parameters.ts'
import { ById, One, summaryOf } from './watchlist-schemas.ts'

export default operation({
  id: 'removeWatchlistEntity',
  method: 'DELETE',
  path: '/api/watchlist/:watchlist_id/entities',
  summary: 'Remove entities',
  description: '`removed` counts those that were on the list.',
  caller: { scopes: ['write'] },
  audit: 'act',
  errors: ['UNPROCESSABLE'],
  params: ById,
  query: z.object({
    identifiers: plainText(8000)
      .trim()
      .min(1)
      .meta({
        description: 'Separated by commas; identifiers that are not on the list are ignored',
        examples: [exampleRecords.cin],
      }),
  }),
  reply: { 200: One.extend({ removed: z.number() }) },
  example: {
    data: {
      id: '9ac2007a-5391-4efb-98bb-bfcfce72d854',
      name: 'Mine',
      type: 'company',
      count: 0,
      created_at: '2026-11-23T17:06:37.316Z',
    },
    removed: 0,
  },
  handle: async ({ db }, request, { accountId }) => {
    const identifiers = request.query.identifiers.split(',').flatMap((part) => part.trim() || [])
    const { watchlist, removed } = await db.transaction((tx) =>
      removeEntities(tx, accountId, request.params.watchlist_id, identifiers),
    )
    return { data: summaryOf(watchlist), removed }
  },
})
