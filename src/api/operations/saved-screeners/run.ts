import { z } from 'zod'
import { soldRegistrations } from '../../../access/sold-registrations.ts'
import { accountDb } from '../../../db/account-scope.ts'
import { runScreener } from '../../../registry/screener/run-screener.ts'
import { readScreener } from '../../../registry/screener/saved-screeners.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { paging } from '../../parameters.ts'
import {
  type CompanyHit,
  Cursor,
  companyRunHit,
  GstHit,
  NextCursor,
  Notice,
  soldRule,
} from '../screener/screener-schemas.ts'
import example from './run.example.json' with { type: 'json' }
import { ById, Saved } from './screener-schemas.ts'

const CompanyRunHit = z.object(companyRunHit).meta({ id: 'CompanyRunHit' })
type Hit = z.infer<typeof CompanyHit> | z.infer<typeof GstHit>

export default operation({
  id: 'runScreener',
  method: 'POST',
  path: '/api/screener/screeners/:screener_id/run',
  summary: 'Run a saved screener against current data',
  description: `Nothing is cached. Uses one unit of the screener limit. Companies are named by \`company\` here. ${soldRule}`,
  caller: { scopes: ['read'] },
  audit: { reads: 'screener' },
  limit: 'screener',
  errors: ['NO_DATASET_ACCESS', 'QUERY_SYNTAX', ...expensiveErrors],
  params: ById,
  query: z.object({
    ...paging(100),
    cursor: Cursor,
  }),
  reply: {
    200: z.object({
      data: z.array(z.union([CompanyRunHit, GstHit])),
      total: z.number(),
      page: z.number(),
      limit: z.number(),
      screener: Saved.pick({ id: true, name: true, type: true, query: true }).meta({ id: 'ScreenerThatRan' }),
      next_cursor: NextCursor,
      notice: Notice,
    }),
  },
  example,
  handle: async ({ db, expensiveReads }, request, principal) => {
    const saved = await readScreener(db, principal.accountId, request.params.screener_id)
    const { id, name, type, query } = saved
    addReadings(request, { reason: `screener ${id}` })
    const sold = await soldRegistrations(db, principal, type)
    const found = await expensiveReads.run(request, (expensiveDb, timeoutMs) =>
      runScreener(accountDb(expensiveDb), { type, query, ...request.query, sold, timeoutMs }),
    )
    const { total, page, next_cursor, notice } = found
    return {
      data: found.results.map(nameAsCompany),
      total,
      page,
      limit: request.query.limit,
      screener: { id, name, type, query },
      next_cursor,
      ...(notice === undefined ? {} : { notice }),
    }
  },
})

/** A run has the company's name in `company` where a search has it in `companyName`. */
function nameAsCompany(hit: Hit): z.infer<typeof CompanyRunHit> | z.infer<typeof GstHit> {
  if (!('companyName' in hit)) return hit
  const { companyName, ...rest } = hit
  return { ...rest, company: companyName }
}
