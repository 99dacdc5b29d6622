import { endConsoleSession } from '../../../access/console-sessions.ts'
import { clearCookie } from '../../hooks/browser-session.ts'
import { enteredOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import { Ended, noSession } from './session-schemas.ts'

export default operation({
  id: 'signOutOfConsole',
  method: 'DELETE',
  path: '/console/session',
  summary: 'Sign out of this browser',
  description: 'The cookie stops working with the next call. Other sessions continue.',
  caller: { role: 'accountant', cookie: 'csrf' },
  audit: 'act',
  errors: ['NOT_FOUND'],
  reply: { 204: Ended },
  example: null,
  handle: async ({ db }, request, _caller, reply) => {
    const { operator, session } = enteredOf(request)
    if (!session) throw noSession()
    await db.transaction((tx) => endConsoleSession(tx, operator, session.sessionId))
    clearCookie(request, reply, 'console')
    return null
  },
})
