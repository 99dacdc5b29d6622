import { z } from 'zod'
import { listScreeners } from '../../../registry/screener/saved-screeners.ts'
import { operation } from '../../operation.ts'
import { present, Saved } from './screener-schemas.ts'

const Many = { 200: z.object({ data: z.array(Saved) }) }

export default operation({
  id: 'listScreeners',
  method: 'GET',
  path: '/api/screener/screeners',
  summary: 'List your saved screeners',
  description: 'Those of your account, newest first.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: Many,
  example: {
    data: [
      {
        id: '53989569-bf77-4684-a525-c9491ff8e740',
        name: 'Small in Goa',
        type: 'company',
        query: "State == 'Goa' AND paidUpCapital <= 10000",
        description: null,
        created_at: '2026-11-21T04:40:50.848Z',
      },
    ],
  },
  handle: async ({ db }, _request, { accountId }) => ({ data: (await listScreeners(db, accountId)).map(present) }),
})
