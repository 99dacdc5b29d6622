import { z } from 'zod'
import { updateScreener } from '../../../registry/screener/saved-screeners.ts'
import { operation } from '../../operation.ts'
import { plainText } from '../../parameters.ts'
import { Query, Type } from '../screener/screener-schemas.ts'
import { ById, Draft, One, present } from './screener-schemas.ts'

const Change = z
  .strictObject({
    name: Draft.shape.name.optional(),
    type: Type.optional(),
    query: Query.optional(),
    description: plainText(2000).nullable().optional().describe('Your note'),
  })
  .meta({ examples: [{ name: 'Larger in Maharashtra', query: "State == 'Maharashtra' AND paidUpCapital > 5000000" }] })

export default operation({
  id: 'updateScreener',
  method: 'PUT',
  path: '/api/screener/screeners/:screener_id',
  summary: 'Change a saved screener',
  description: 'Members left out keep their value.',
  caller: { scopes: ['write'] },
  audit: 'act',
  errors: ['QUERY_SYNTAX', 'QUOTA_EXCEEDED'],
  params: ById,
  body: Change,
  reply: One,
  example: {
    data: {
      id: 'dcb5882b-ea97-4fac-a21c-bc8943c1b242',
      name: 'Larger in Maharashtra',
      type: 'company',
      query: "State == 'Maharashtra' AND paidUpCapital > 5000000",
      description: null,
      created_at: '2026-11-23T17:06:37.038Z',
    },
  },
  handle: async ({ db }, request, { accountId }) => {
    const change = Object.fromEntries(Object.entries(request.body).filter(([, value]) => value !== undefined))
    const { screener_id: id } = request.params
    return { data: present(await db.transaction((tx) => updateScreener(tx, accountId, id, change))) }
  },
})
