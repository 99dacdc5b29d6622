import { z } from 'zod'
import { endSession } from '../../../access/manage-sessions.ts'
import { clearCookie } from '../../hooks/browser-session.ts'
import { operation } from '../../operation.ts'

export default operation({
  id: 'signOutOfApp',
  method: 'DELETE',
  path: '/app/session',
  summary: 'Sign out of this browser',
  description: 'The cookie stops working with the next call. Other sessions continue.',
  caller: { scopes: [], cookie: 'csrf' },
  audit: 'act',
  leaves: true,
  seesAll: true,
  beforeFactor: true,
  reply: { 204: z.null().describe('Ended') },
  example: null,
  handle: async ({ db }, request, { accountId, sessionId, scopes, person }, reply) => {
    await db.transaction((tx) => endSession(tx, accountId, sessionId, { scopes, person }))
    clearCookie(request, reply, 'app')
    return null
  },
})
