/**
 * /api/keys and /api/sessions: an account looks after its own keys and logins. A key acts only on keys and sessions
 * that may do no more than itself, so a leaked key of few scopes neither widens itself nor shuts the others out.
 */
import { z } from 'zod'
import { createApiKey, keyState, listApiKeys, revokeApiKey } from '../../access/manage-keys.ts'
import { endSession, listSessions, type SessionRecord } from '../../access/manage-sessions.ts'
import { keyScopes } from '../../domain/key-scope.ts'
import { exampleIds } from '../example-records.ts'
import { timestamp, uuid } from '../formats.ts'
import { noBody } from '../parameters.ts'
import { type Principal, principalOf, type Routes } from '../route-context.ts'
import { ApiKeys, CreatedKey, KeyPath, NewKeyBody, RevokedKey, wishesOf } from './key-schemas.ts'

const tags = ['Account']
const Session = z
  .object({
    session_id: uuid('Of the session'),
    current: z.boolean().describe('This call belongs to it'),
    key_prefix: z.string().describe('Of the key that opened it'),
    key_name: z.string(),
    scopes: z.array(z.enum(keyScopes)),
    opened_from: z.string().nullable().describe('Address of the login'),
    created_at: timestamp(),
    expires_at: timestamp(),
  })
  .meta({ id: 'Session' })

const actorOf = ({ accountId, scopes }: Principal) => ({ actor: `account:${accountId}` as const, scopes })

export const keyRoutes: Routes = async (app, { db }) => {
  app.get(
    '/api/keys',
    {
      schema: {
        operationId: 'listKeys',
        tags,
        summary: 'Your API keys, the newest first',
        description: 'With scopes, last use and end; the keys themselves are shown only when they are made.',
        response: { 200: ApiKeys },
      },
    },
    async (request) => ({ data: (await listApiKeys(db, principalOf(request).accountId)).map(keyState) }),
  )

  app.post(
    '/api/keys',
    {
      config: { scopes: [], errors: ['NOT_FOUND', 'UNPROCESSABLE', 'QUOTA_EXCEEDED'] },
      schema: {
        operationId: 'createKey',
        tags,
        summary: 'Make another API key',
        description:
          'With no more scopes than the key of this session has. With replaces the old key goes on for a while and then ends.',
        body: NewKeyBody,
        response: { 201: CreatedKey },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { record, apiKey } = await db.transaction((tx) =>
        createApiKey(tx, principal.accountId, actorOf(principal), wishesOf(request.body)),
      )
      return reply.code(201).send({ ...keyState(record), api_key: apiKey })
    },
  )

  app.delete(
    '/api/keys/:prefix',
    {
      config: { scopes: [] },
      schema: {
        operationId: 'revokeKey',
        tags,
        summary: 'Revoke an API key',
        description:
          'And end the sessions that it opened, this one too where it is its own. Revoking twice is no error.',
        params: KeyPath,
        body: noBody,
        response: { 200: RevokedKey },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { record, sessionsEnded } = await db.transaction((tx) =>
        revokeApiKey(tx, principal.accountId, request.params.prefix, actorOf(principal)),
      )
      return { ...keyState(record), sessions_ended: sessionsEnded }
    },
  )

  app.get(
    '/api/sessions',
    {
      schema: {
        operationId: 'listSessions',
        tags,
        summary: 'Your open sessions, the newest first',
        description: 'Each with the key that opened it and the address it was opened from; 1,000 at most.',
        response: { 200: z.object({ data: z.array(Session) }) },
      },
    },
    async (request) => {
      const { accountId, sessionId } = principalOf(request)
      const sessions = await listSessions(db, accountId)
      return { data: sessions.map((session) => sessionState(session, sessionId)) }
    },
  )

  app.delete(
    '/api/sessions/:id',
    {
      config: { scopes: [] },
      schema: {
        operationId: 'endSession',
        tags,
        summary: 'End a session',
        description: 'Its tokens are refused from the next call on.',
        params: z.object({
          id: z
            .string()
            .max(100)
            .meta({ description: 'session_id', examples: [exampleIds.session] }),
        }),
        body: noBody,
        response: { 200: z.object({ session_id: uuid('Of the session'), ended: z.literal(true) }) },
      },
    },
    async (request) => {
      const { accountId, scopes } = principalOf(request)
      const { id } = request.params
      await db.transaction((tx) => endSession(tx, accountId, id, scopes))
      return { session_id: id, ended: true as const }
    },
  )
}

function sessionState(session: SessionRecord, current: string): z.output<typeof Session> {
  return {
    session_id: session.sessionId,
    current: session.sessionId === current,
    key_prefix: session.keyPrefix,
    key_name: session.keyName,
    scopes: [...session.scopes],
    opened_from: session.openedFrom,
    created_at: session.createdAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  }
}
