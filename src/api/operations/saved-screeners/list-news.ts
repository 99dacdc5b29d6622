import { z } from 'zod'
import { soldRegistrations } from '../../../access/sold-registrations.ts'
import { accountDb } from '../../../db/account-scope.ts'
import { countNews } from '../../../registry/screener/news.ts'
import { listScreeners } from '../../../registry/screener/saved-screeners.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { timestamp, uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { moment } from '../../parameters.ts'
import { Type } from '../screener/screener-schemas.ts'

const screenersMax = 5

export default operation({
  id: 'listScreenerNews',
  method: 'GET',
  path: '/api/screener/news',
  summary: 'List what imports brought for your saved screeners',
  description: `For the ${screenersMax} saved last: how many matching records arrived since a moment, without registrations that a feed sells to others.`,
  caller: { scopes: ['read'] },
  audit: 'nothing',
  limit: 'search',
  errors: ['QUERY_SYNTAX', ...expensiveErrors],
  query: z.object({
    since: moment.describe('The moment').meta({ examples: ['2026-11-20T00:00:00Z'] }),
  }),
  reply: {
    200: z.object({
      since: timestamp(),
      data: z.array(
        z
          .object({
            screener_id: uuid('ID of the screener'),
            name: z.string(),
            type: Type,
            query: z.string(),
            records: z.number().nullable().describe('null where they cannot be counted in time'),
          })
          .meta({ id: 'ScreenerNews' }),
      ),
    }),
  },
  example: {
    since: '2026-11-20T00:00:00.000Z',
    data: [
      {
        screener_id: '6d8d5c0e-5b7c-4f0a-9d0e-6d1c7a3f2b11',
        name: 'Private companies in Goa',
        type: 'company' as const,
        query: "State == 'Goa' AND classOfCompany == 'Private'",
        records: 12,
      },
    ],
  },
  handle: async ({ db, expensiveReads }, request, principal) => {
    const since = new Date(request.query.since)
    const saved = (await listScreeners(db, principal.accountId)).slice(0, screenersMax)
    const sold = {
      company: await soldRegistrations(db, principal, 'company'),
      gst: await soldRegistrations(db, principal, 'gst'),
    }
    const data = await expensiveReads.run(request, async (expensiveDb, timeoutMs) => {
      const counted = []
      for (const { id, name, type, query } of saved) {
        const records = await countNews(accountDb(expensiveDb), { type, query }, { since, sold: sold[type], timeoutMs })
        counted.push({ screener_id: id, name, type, query, records })
      }
      return counted
    })
    return { since: since.toISOString(), data }
  },
})
