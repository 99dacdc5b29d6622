import { z } from 'zod'
import { type ConsoleSessionRecord, listConsoleSessions } from '../../../access/console-sessions.ts'
import { timestamp, uuid } from '../../formats.ts'
import { enteredOf } from '../../hooks/operator.ts'
import { operation } from '../../operation.ts'
import example from './list.example.json' with { type: 'json' }

const ListedSession = z
  .object({
    session_id: uuid('ID of the session'),
    name: z.string().describe('Name of the operator'),
    current: z.boolean().describe('The session of this call'),
    opened_from: z.string().nullable().describe('Address of the sign-in'),
    created_at: timestamp(),
    last_used_at: timestamp('to the minute'),
    expires_at: timestamp(),
  })
  .meta({ id: 'ListedConsoleSession' })

export default operation({
  id: 'listConsoleSessions',
  method: 'GET',
  path: '/console/sessions',
  summary: 'List open console sessions',
  description: 'Your own, newest first; owners see those of all operators.',
  caller: { role: 'accountant' },
  audit: { reads: 'operators' },
  reply: { 200: z.object({ data: z.array(ListedSession) }) },
  example,
  handle: async ({ db }, request) => {
    const { operator, session } = enteredOf(request)
    return { data: (await listConsoleSessions(db, operator)).map((each) => listed(each, session?.sessionId)) }
  },
})

function listed(session: ConsoleSessionRecord, current: string | undefined): z.output<typeof ListedSession> {
  return {
    session_id: session.sessionId,
    name: session.name,
    current: session.sessionId === current,
    opened_from: session.openedFrom,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  }
}
