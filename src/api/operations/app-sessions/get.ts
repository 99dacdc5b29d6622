import { findBrowserSession } from '../../../access/sessions.ts'
import { AppError } from '../../../errors.ts'
import { holdsSample } from '../../../ingest/run/sample-world.ts'
import { cookieOf } from '../../hooks/browser-session.ts'
import { operation } from '../../operation.ts'
import { Session, sessionState } from './session-schemas.ts'

export default operation({
  id: 'getAppSession',
  method: 'GET',
  path: '/app/session',
  summary: "Get this browser's session",
  description: 'The cookie alone is enough, so that a reloaded page can read its csrf_token.',
  caller: { scopes: [], cookie: 'alone' },
  audit: 'nothing',
  seesAll: true,
  beforeFactor: true,
  reply: { 200: Session },
  example: {
    user_id: '10737f23-ebe5-4ffe-88ad-1f5c44162bd8',
    email: 'customer1@example.com',
    name: 'customer1',
    scopes: ['read'],
    person: {
      person_id: '3f0f1c52-8a55-4c9e-9c5a-51b3c1d4a6d0',
      name: 'Asha Naik',
      email: 'asha@example.com',
      role: 'viewer',
    },
    must_add_second_factor: false,
    viewed_by: null,
    is_sample_world: false,
    csrf_token: '…',
    expires_at: '2026-11-24T05:06:36.182Z',
  },
  handle: async ({ db }, request, principal) => {
    const secret = cookieOf(request, 'app') ?? ''
    const session = await findBrowserSession(db, secret)
    if (!session) throw new AppError('UNAUTHENTICATED', 'This session has ended. Sign in at POST /app/session.')
    return sessionState(principal, { secret, expiresAt: session.expiresAt }, await holdsSample(db))
  },
})
