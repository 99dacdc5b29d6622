import { z } from 'zod'
import { createScreener } from '../../../registry/screener/saved-screeners.ts'
import { keepAnswerOf } from '../../hooks/idempotency.ts'
import { operation } from '../../operation.ts'
import { Draft, present, Saved } from './screener-schemas.ts'

export default operation({
  id: 'createScreener',
  method: 'POST',
  path: '/api/screener/screeners',
  summary: 'Save a screener',
  description: 'The query is checked first. Run it with POST /api/screener/screeners/{screener_id}/run.',
  caller: { scopes: ['write'] },
  audit: 'act',
  errors: ['QUERY_SYNTAX', 'QUOTA_EXCEEDED'],
  idempotent: 'with-effect',
  body: Draft,
  reply: { 201: z.object({ data: Saved }) },
  example: {
    data: {
      id: '53989569-bf77-4684-a525-c9491ff8e740',
      name: 'Small in Goa',
      type: 'company',
      query: "State == 'Goa' AND paidUpCapital <= 10000",
      description: null,
      created_at: '2026-11-21T04:40:50.848Z',
    },
  },
  handle: async ({ db }, request, { accountId }) => {
    return await db.transaction(async (tx) => {
      const body = { data: present(await createScreener(tx, accountId, request.body)) }
      await keepAnswerOf(tx, request, 201, body)
      return body
    })
  },
})
