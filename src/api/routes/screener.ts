/** Search in the screener language; it uses the search limit. */
import { z } from 'zod'
import { soldRegistrations } from '../../access/sold-registrations.ts'
import { countFacets } from '../../registry/screener/facets.ts'
import { runScreener } from '../../registry/screener/run-screener.ts'
import { dearErrors } from '../documented-errors.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { CompanyHit, Cursor, GstHit, NextCursor, Notice, Query, soldRule, Type } from './screener-schemas.ts'

export const screenerRoutes: Routes = async (app, { db, dearReads }) => {
  app.post(
    '/api/screener/search',
    {
      config: { limit: 'search', errors: ['NO_DATASET_ACCESS', 'QUERY_SYNTAX', ...dearErrors] },
      schema: {
        operationId: 'searchScreener',
        tags: ['Screener'],
        summary: 'Search companies or GST registrations',
        description:
          'Answers one page and the exact total. Beyond page × limit = 10,000 continue with the cursor of the last page. ' +
          'A mistake in the query is a 422 whose position, expected and suggestion say how to mend it. ' +
          soldRule,
        body: z
          .strictObject({
            query: Query,
            type: Type,
            page: z.int().min(1).default(1).describe('Number of the page, from 1'),
            limit: z.int().min(1).max(100).default(10).describe('Hits per page'),
            cursor: Cursor.nullable().describe(
              'next_cursor of the page before, with the limit that it had; null is none',
            ),
          })
          .meta({
            examples: [
              { query: "State == 'Maharashtra' AND paidUpCapital > 1000000", type: 'company', page: 1, limit: 10 },
            ],
          }),
        response: {
          200: z.object({
            results: z.array(z.union([CompanyHit, GstHit])),
            total: z.number(),
            page: z.number(),
            pages: z.number(),
            next_cursor: NextCursor,
            notice: Notice,
          }),
        },
      },
    },
    async (request) => {
      const sold = await soldRegistrations(db, principalOf(request), request.body.type)
      const found = await dearReads.run(request, (dearDb, timeoutMs) =>
        runScreener(dearDb, { ...request.body, cursor: request.body.cursor ?? undefined, sold, timeoutMs }),
      )
      return { ...found, results: [...found.results] }
    },
  )

  app.post(
    '/api/screener/facets',
    {
      config: { limit: 'search', errors: ['NO_DATASET_ACCESS', 'QUERY_SYNTAX', ...dearErrors] },
      schema: {
        operationId: 'countFacets',
        tags: ['Screener'],
        summary: 'How the records of a query spread over states, kinds and statuses',
        description:
          'Exact counts by value, of the fields that narrow a search best; fifty values of each at most, the most frequent first. ' +
          soldRule,
        body: z
          .strictObject({ query: Query, type: Type })
          .meta({ examples: [{ query: 'paidUpCapital > 1000000', type: 'company' }] }),
        response: {
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
                      })
                      .meta({ id: 'FacetValue' }),
                  ),
                })
                .meta({ id: 'Facet' }),
            ),
            notice: Notice,
          }),
        },
      },
    },
    async (request) => {
      const sold = await soldRegistrations(db, principalOf(request), request.body.type)
      const { facets, ...more } = await dearReads.run(request, (dearDb, timeoutMs) =>
        countFacets(dearDb, { ...request.body, sold, timeoutMs }),
      )
      return { ...more, facets: facets.map(({ field, values }) => ({ field, values: [...values] })) }
    },
  )
}
