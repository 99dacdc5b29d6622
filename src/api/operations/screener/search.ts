import { z } from 'zod'
import { soldRegistrations } from '../../../access/sold-registrations.ts'
import { accountDb } from '../../../db/account-scope.ts'
import { runScreener } from '../../../registry/screener/run-screener.ts'
import { shownMax } from '../../../registry/screener/shown-values.ts'
import { sortedMax } from '../../../registry/screener/sorted-hits.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { operation } from '../../operation.ts'
import { plainText } from '../../parameters.ts'
import { CompanyHit, Cursor, GstHit, NextCursor, Notice, Query, soldRule, Type } from './screener-schemas.ts'
import example from './search.example.json' with { type: 'json' }

export default operation({
  id: 'searchScreener',
  method: 'POST',
  path: '/api/screener/search',
  summary: 'Search companies or GST registrations',
  description:
    'Returns one page and the total. Beyond page × limit = 10,000 continue with the cursor of the last page. ' +
    'An error in the query is a 422 whose position, expected and suggestion say how to fix it. ' +
    soldRule,
  caller: { scopes: ['read'] },
  audit: { reads: 'screener' },
  limit: 'search',
  errors: ['NO_DATASET_ACCESS', 'QUERY_SYNTAX', 'UNPROCESSABLE', ...expensiveErrors],
  body: z
    .strictObject({
      query: Query,
      type: Type,
      page: z.int().min(1).default(1).describe('Page number, from 1'),
      limit: z.int().min(1).max(100).default(10).describe('Hits per page'),
      sort: z
        .strictObject({ field: plainText(60).describe('Name in queries'), descending: z.boolean().default(false) })
        .optional()
        .describe(`Sort order instead of by identifier, for at most ${sortedMax} records; without cursors`),
      show: z
        .array(plainText(60))
        .max(shownMax)
        .optional()
        .describe('Fields, by their name in queries, whose values each result has in `shown`'),
      cursor: Cursor.nullable().describe('next_cursor of the previous page, with the same limit; null is none'),
    })
    .meta({
      examples: [{ query: "State == 'Maharashtra' AND paidUpCapital > 1000000", type: 'company', page: 1, limit: 10 }],
    }),
  reply: {
    200: z.object({
      results: z.array(z.union([CompanyHit, GstHit])),
      total: z.number(),
      page: z.number(),
      pages: z.number(),
      next_cursor: NextCursor,
      shown: z
        .array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])))
        .optional()
        .describe('In the order of the results; without days of registrations that a feed sells'),
      notice: Notice,
    }),
  },
  example,
  handle: async ({ db, expensiveReads }, request, principal) => {
    const sold = await soldRegistrations(db, principal, request.body.type)
    return expensiveReads.run(request, (expensiveDb, timeoutMs) =>
      runScreener(accountDb(expensiveDb), {
        ...request.body,
        cursor: request.body.cursor ?? undefined,
        sold,
        timeoutMs,
      }),
    )
  },
})
