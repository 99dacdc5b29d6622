import { z } from 'zod'
import { readQuery } from '../../../registry/screener/read.ts'
import { termsOf } from '../../../registry/screener/terms.ts'
import { operation } from '../../operation.ts'
import { Query, Type } from './screener-schemas.ts'

export default operation({
  id: 'readTerms',
  method: 'POST',
  path: '/api/screener/terms',
  tag: 'Screener',
  summary: 'Read a query as a list of filters',
  description:
    'The conditions that a query joins by AND, in its order. Joined by AND again, their texts ask the same as the query. ' +
    'What no filter says, as with OR, is one term without a field. Nothing is searched.',
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
            field: z.string().nullable().describe('As queries name it; null of a piece that no filter says'),
            operator: z.string(),
            values: z.array(z.string()).describe('Days that the query tells from today stay as it tells them'),
            text: z.string().describe('The condition as somebody would write it'),
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
  handle: () => async (request) => {
    const { query, type } = request.body
    const { node, canonical } = readQuery(type, query)
    return { canonical, terms: termsOf(type, node).map((term) => ({ ...term, values: [...term.values] })) }
  },
})
