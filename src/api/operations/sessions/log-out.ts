import { z } from 'zod'
import { endSession } from '../../../access/manage-sessions.ts'
import { operation } from '../../operation.ts'
import { noBody } from '../../parameters.ts'

export default operation({
  id: 'logOut',
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'End this session',
  description: 'Its access token and refresh token are refused from the next call on. Other sessions continue.',
  caller: { scopes: [] },
  audit: 'act',
  seesAll: true,
  beforeFactor: true,
  ends: true,
  body: noBody,
  reply: { 200: z.object({ success: z.literal(true), message: z.string() }) },
  example: {
    success: true,
    message: 'Logged out.',
  },
  handle: async ({ db }, _request, { accountId, sessionId, scopes, person }) => {
    await db.transaction((tx) => endSession(tx, accountId, sessionId, { scopes, person }))
    return { success: true as const, message: 'Logged out.' }
  },
})
