import { z } from 'zod'
import { soldRegistrations } from '../../../access/sold-registrations.ts'
import { accountDb } from '../../../db/account-scope.ts'
import { explainQuery } from '../../../registry/screener/explain.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { operation } from '../../operation.ts'
import { Query, Type } from './screener-schemas.ts'

export default operation({
  id: 'explainQuery',
  method: 'POST',
  path: '/api/screener/explain',
  summary: 'Explain a query without running it',
  description: 'The canonical form shows how the query was parsed; indexes and estimates come from the planner.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  seesAll: true,
  errors: ['NO_DATASET_ACCESS', 'QUERY_SYNTAX', ...expensiveErrors],
  body: z.strictObject({ query: Query, type: Type }).meta({ examples: [{ query: "State == 'Goa'", type: 'company' }] }),
  reply: {
    200: z.object({
      canonical: z.string(),
      indexes: z.array(z.string()),
      estimated_rows: z.number(),
      estimated_cost: z.number(),
    }),
  },
  example: {
    canonical: "State == 'Goa' AND paidUpCapital > 100000",
    indexes: ['company_state_city', 'company_paid_up_capital'],
    estimated_rows: 4,
    estimated_cost: 11.47,
  },
  handle: async ({ db, expensiveReads }, request, principal) => {
    const { type, query } = request.body
    const sold = await soldRegistrations(db, principal, type)
    return expensiveReads.run(request, (expensiveDb) => explainQuery(accountDb(expensiveDb), type, query, sold))
  },
})
