import { z } from 'zod'
import { listSessions, type SessionRecord } from '../../../access/manage-sessions.ts'
import { keyScopes } from '../../../domain/key-scope.ts'
import { timestamp, uuid } from '../../formats.ts'
import { operation, type Shown } from '../../operation.ts'
import example from './list.example.json' with { type: 'json' }

const Session = z
  .object({
    session_id: uuid('ID of the session'),
    current: z.boolean().describe('Whether this call belongs to it'),
    key_prefix: z.string().nullable().describe('Prefix of the key that opened it; null where a person signed in'),
    key_name: z.string().nullable(),
    person: z
      .object({ person_id: uuid('ID of the person'), name: z.string() })
      .nullable()
      .describe('Person who signed in'),
    scopes: z.array(z.enum(keyScopes)),
    opened_from: z.string().nullable().describe('Address of the login'),
    created_at: timestamp(),
    expires_at: timestamp(),
  })
  .meta({ id: 'Session' })

export default operation({
  id: 'listSessions',
  method: 'GET',
  path: '/api/sessions',
  summary: 'List your open sessions',
  description:
    'Newest first, each with the key or person that opened it and the address it was opened from; at most 1,000.',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  reply: { 200: z.object({ data: z.array(Session) }) },
  example,
  handle: async ({ db }, _request, { accountId, sessionId }) => {
    const sessions = await listSessions(db, accountId)
    return { data: sessions.map((session) => sessionState(session, sessionId)) }
  },
})

function sessionState(session: SessionRecord, current: string): Shown<typeof Session> {
  return {
    session_id: session.sessionId,
    current: session.sessionId === current,
    key_prefix: session.keyPrefix,
    key_name: session.keyName,
    person: session.personId === null ? null : { person_id: session.personId, name: session.personName ?? '' },
    scopes: session.scopes,
    opened_from: session.openedFrom,
    created_at: session.createdAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  }
}
