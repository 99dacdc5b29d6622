import { z } from 'zod'
import { readQuery } from '../../../registry/screener/read.ts'
import { termsOf } from '../../../registry/screener/terms.ts'
import { operation } from '../../operation.ts'
import { Query, Type } from './screener-schemas.ts'

export default operation({
  id: 'readTerms',
  method: 'POST',
  path: '/api/screener/terms',
  summary: 'Parse a query into a list of filters',
  description:
    'The conditions that a query combines with AND, in order. Their texts, combined with AND, are equivalent to the query. ' +
    'Anything that is not a filter, such as OR, is one term without a field. Nothing is searched.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  seesAll: true,
  errors: ['QUERY_SYNTAX'],
  body: z
    .strictObject({ query: Query, type: Type })
    .meta({ examples: [{ query: "State == 'Goa' AND paidUpCapital > 1000000", type: 'company' }] }),
  reply: {
    200: z.object({
      canonical: z.string(),
      terms: z.array(
        z
          .object({
            field: z.string().nullable().describe('Name in queries; null for a part that is not a filter'),
            operator: z.string(),
            values: z.array(z.string()).describe('Relative days stay relative'),
            text: z.string().describe('The condition as a person would write it'),
          })
          .meta({ id: 'ScreenerTerm' }),
      ),
    }),
  },
  example: {
    canonical: "State == 'Goa' AND paidUpCapital > 1000000",
    terms: [
      { field: 'State', operator: '==', values: ['Goa'], text: "State == 'Goa'" },
      { field: 'paidUpCapital', operator: '>', values: ['1000000'], text: 'paidUpCapital > 10 lakh' },
    ],
  },
  handle: async (_, request) => {
    const { query, type } = request.body
    const { node, canonical } = readQuery(type, query)
    return { canonical, terms: termsOf(type, node) }
  },
})
