import { z } from 'zod'
import { soldRegistrations } from '../../../access/sold-registrations.ts'
import { accountDb } from '../../../db/account-scope.ts'
import { countFacets } from '../../../registry/screener/facets.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { operation } from '../../operation.ts'
import { principalOf } from '../../route-context.ts'
import { Notice, Query, soldRule, Type } from './screener-schemas.ts'

export default operation({
  id: 'countFacets',
  method: 'POST',
  path: '/api/screener/facets',
  tag: 'Screener',
  summary: 'How the records of a query spread over states, kinds and statuses',
  description:
    'Counts by value, of the fields that narrow a search best, fifty values of each at most, the most frequent first; of HSN codes by their heading of four digits; and by bounds on days, ' +
    'amounts and ways to reach somebody. A field that the query narrows itself is counted as if it did not. What cannot be counted in time ' +
    'is left out; in registers of any size states, statuses, kinds and classes are counted by one another, and industries (NICDesc, hsncd) by states and ' +
    'statuses. An empty query stands for the whole register. ' +
    soldRule,
  caller: { scopes: ['read'] },
  audit: 'nothing',
  limit: 'search',
  errors: ['NO_DATASET_ACCESS', 'QUERY_SYNTAX', ...expensiveErrors],
  body: z
    .strictObject({ query: Query, type: Type })
    .meta({ examples: [{ query: 'paidUpCapital > 1000000', type: 'company' }] }),
  reply: {
    200: z.object({
      facets: z.array(
        z
          .object({
            field: z.string().describe('As queries name it'),
            values: z.array(
              z
                .object({
                  value: z.string().nullable().describe('null where the register tells none'),
                  records: z.number(),
                  words: z.string().nullable().describe('What a code stands for; null of what is no code'),
                  condition: z.string().describe('Joined to the query by AND, it narrows the search to these records'),
                })
                .meta({ id: 'FacetValue' }),
            ),
          })
          .meta({ id: 'Facet' }),
      ),
      notice: Notice,
    }),
  },
  example: {
    facets: [
      {
        field: 'State',
        values: [],
      },
    ],
  },
  handle:
    ({ db, expensiveReads }) =>
    async (request) => {
      const sold = await soldRegistrations(db, principalOf(request), request.body.type)
      const { facets, ...more } = await expensiveReads.run(request, (expensiveDb, timeoutMs) =>
        countFacets(accountDb(expensiveDb), { ...request.body, sold, timeoutMs }),
      )
      return { ...more, facets: facets.map(({ field, values }) => ({ field, values: [...values] })) }
    },
})
