import { readScreener } from '../../../registry/screener/saved-screeners.ts'
import { operation } from '../../operation.ts'
import { ById, One, present } from './screener-schemas.ts'

export default operation({
  id: 'getScreener',
  method: 'GET',
  path: '/api/screener/screeners/:screener_id',
  summary: 'Get a saved screener',
  description: 'With its name, type and query.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  params: ById,
  reply: One,
  example: {
    data: {
      id: 'a63a4869-20fa-4ea9-b1a7-d960741fe1b1',
      name: 'Goa',
      type: 'company',
      query: "State == 'Goa'",
      description: null,
      created_at: '2026-11-23T17:06:37.024Z',
    },
  },
  handle: async ({ db }, request, { accountId }) => ({
    data: present(await readScreener(db, accountId, request.params.screener_id)),
  }),
})
