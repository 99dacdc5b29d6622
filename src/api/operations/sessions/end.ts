import { z } from 'zod'
import { endSession } from '../../../access/manage-sessions.ts'
import { exampleIds } from '../../example-records.ts'
import { uuid } from '../../formats.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'

export default operation({
  id: 'endSession',
  method: 'DELETE',
  path: '/api/sessions/:id',
  summary: 'End a session',
  description: 'Its tokens are refused from the next call on. A person can end their own sessions, an admin any.',
  caller: { scopes: [] },
  audit: 'act',
  params: z.object({
    id: z
      .string()
      .max(100)
      .meta({ description: 'session_id', examples: [exampleIds.session] }),
  }),
  body: noBody,
  reply: { 200: z.object({ session_id: uuid('ID of the session'), ended: z.literal(true) }) },
  example: {
    session_id: '3c796b84-c4d8-485d-8c2c-baa28b70bbcc',
    ended: true,
  },
  handle: async ({ db }, request, { accountId, scopes, person }) => {
    const { id } = request.params
    await db.transaction((tx) => endSession(tx, accountId, id, { scopes, person }))
    return { session_id: id, ended: true as const }
  },
})
