import { holdsSample } from '../../../ingest/run/sample-world.ts'
import { enteredOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import { noSession, Session, sessionState } from './session-schemas.ts'

export default operation({
  id: 'getConsoleSession',
  method: 'GET',
  path: '/console/session',
  summary: "Get this browser's session",
  description: 'The cookie alone is enough, so that a reloaded page can read its csrf_token.',
  caller: { role: 'accountant', cookie: 'alone' },
  audit: 'nothing',
  reply: { 200: Session },
  example: {
    name: 'default',
    role: 'owner',
    is_sample_world: false,
    csrf_token: '…',
    expires_at: '2026-11-24T05:06:40.078Z',
  },
  handle: async ({ db }, request) => {
    const { operator, session } = enteredOf(request)
    if (!session) throw noSession()
    return sessionState(operator, session, await holdsSample(db))
  },
})
