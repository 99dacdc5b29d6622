import { z } from 'zod'
import { soldRegistrations } from '../../../access/sold-registrations.ts'
import { accountDb } from '../../../db/account-scope.ts'
import { countFacets } from '../../../registry/screener/facets.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { operation } from '../../operation.ts'
import { Notice, Query, soldRule, Type } from './screener-schemas.ts'

export default operation({
  id: 'countFacets',
  method: 'POST',
  path: '/api/screener/facets',
  summary: 'Count the records of a query by state, kind and status',
  description:
    'Counts by value of the fields that narrow a search best, at most fifty values each, most frequent first; HSN codes by their four-digit heading; and by ranges of days, ' +
    'amounts and contact channels. A field that the query itself narrows is counted as if it did not. Counts that would take too long ' +
    'are left out; in large registers states, statuses, kinds and classes are counted by one another, and industries (NICDesc, hsncd) by states and ' +
    'statuses. An empty query means the whole register. ' +
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
            field: z.string().describe('Name in queries'),
            values: z.array(
              z
                .object({
                  value: z.string().nullable().describe('null where the register has none'),
                  records: z.number(),
                  words: z.string().nullable().describe('Meaning of a code; null for values that are not codes'),
                  condition: z.string().describe('Added to the query with AND, it narrows the search to these records'),
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
  handle: async ({ db, expensiveReads }, request, principal) => {
    const sold = await soldRegistrations(db, principal, request.body.type)
    return expensiveReads.run(request, (expensiveDb, timeoutMs) =>
      countFacets(accountDb(expensiveDb), { ...request.body, sold, timeoutMs }),
    )
  },
})
