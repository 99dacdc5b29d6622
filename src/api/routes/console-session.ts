/**
 * Operators sign in with a browser: by token, or by the code of the printed link. The answer sets the cookie and tells the
 * csrf_token that every further call needs beside it. Signing in twice makes two sessions; one browser holds one of them.
 */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { codeRefused, isConsoleCodeShaped, takeConsoleCode } from '../../access/console-codes.ts'
import {
  type ConsoleSessionRecord,
  type EnvironmentMarks,
  endConsoleSession,
  listConsoleSessions,
  openConsoleSession,
} from '../../access/console-sessions.ts'
import type { KnownOperator } from '../../access/operators.ts'
import { requireSecondFactor } from '../../access/second-factor.ts'
import { operatorRoles } from '../../domain/operator-role.ts'
import { AppError } from '../../errors.ts'
import { exampleIds } from '../example-records.ts'
import { timestamp, uuid } from '../formats.ts'
import { clearCookie, cookieOf, csrfTokenOf, requireOwnOrigin, setCookie } from '../hooks/browser-session.ts'
import { enteredOf, type OperatorDoor } from '../hooks/operator.ts'
import { tellTrail } from '../hooks/trail.ts'
import type { ServerContext } from '../server-context.ts'
import { admin } from './admin.ts'

export interface ConsoleContext extends ServerContext {
  readonly door: OperatorDoor
  readonly marks: EnvironmentMarks
}

const tags = ['Console sessions']
const SignInBody = z
  .union([
    z.strictObject({
      token: z.string().min(1).max(512).describe('An operator token'),
      totp: z
        .string()
        .regex(/^\d{6}$/, 'six digits')
        .optional()
        .describe('What the authenticator shows, where the operator has a second factor'),
    }),
    z.strictObject({ code: z.string().min(1).max(512).describe('Of the link that `panji start` prints; good once') }),
  ])
  .meta({ examples: [{ token: 'panji_op_…' }] })
const Session = z
  .object({
    name: z.string().describe('Of the operator'),
    role: z.enum(operatorRoles),
    csrf_token: z.string().describe('For the header X-CSRF-Token of every further call'),
    expires_at: timestamp('at which the session ends'),
  })
  .meta({ id: 'ConsoleSession' })
const ListedSession = z
  .object({
    session_id: uuid('Of the session'),
    name: z.string().describe('Of the operator'),
    current: z.boolean().describe('The one that this call came with'),
    opened_from: z.string().nullable().describe('Address of the sign-in'),
    created_at: timestamp(),
    last_used_at: timestamp('to the minute'),
    expires_at: timestamp(),
  })
  .meta({ id: 'ListedConsoleSession' })
const Ended = z.null().describe('Ended')

/** Tokens are short; who sends more is not read to the end. */
const bodyBytesMax = 16_384

/** Behind no check, as nobody is known yet. */
export const consoleSignInRoutes: FastifyPluginAsyncZod<ConsoleContext> = async (app, context) => {
  const { db, credentials, door, marks, operatorNames, delivery } = context

  /** A code that was never given away is refused without a look at the table of codes. */
  const codeIsKnown = async (code: string) => isConsoleCodeShaped(code) && (await credentials.consoleCode(code))
  const newcomer: KnownOperator = { id: 'environment', name: operatorNames[0] ?? 'default', role: 'owner' }

  app.post(
    '/console/session',
    {
      bodyLimit: bodyBytesMax,
      config: {
        public: true,
        errors: [
          'OPERATOR_TOKEN_REQUIRED',
          'SECOND_FACTOR_REQUIRED',
          'CSRF_TOKEN_MISSING',
          'LOGIN_THROTTLED',
          'SECRET_KEY_WRONG',
        ],
      },
      schema: {
        operationId: 'signInToConsole',
        tags,
        summary: 'Sign an operator in with a browser',
        description:
          'By token or by the code of a printed link. Sets the httpOnly cookie panji_console, for twelve hours, or until it has not been used for one; a session that the browser had ends.',
        security: [],
        body: SignInBody,
        response: { 201: Session },
      },
    },
    async (request, reply) => {
      requireOwnOrigin(request)
      const { body, ip } = request
      if ('code' in body && !(await codeIsKnown(body.code))) throw codeRefused()
      const operator = 'code' in body ? newcomer : await door(body.token, ip)
      request.operatorId = operator.id
      request.operatorName = operator.name
      tellTrail(request, { credential: operator.id })
      if ('token' in body) await requireSecondFactor(db, delivery.secretKey, operator, body.totp)
      const session = await db.transaction(async (tx) => {
        if ('code' in body) await takeConsoleCode(tx, body.code)
        return openConsoleSession(tx, marks, operator, { ip, replaces: cookieOf(request, 'console') })
      })
      setCookie(request, reply, 'console', session)
      return reply.code(201).send(sessionState(operator, session))
    },
  )
}

/** Behind the operator check. */
export const consoleSessionRoutes: FastifyPluginAsyncZod<ConsoleContext> = async (app, { db }) => {
  app.get(
    '/console/session',
    {
      config: { cookieAlone: true },
      schema: {
        operationId: 'getConsoleSession',
        tags,
        security: [{ consoleCookie: [] }],
        summary: 'Who is signed in at this browser',
        description: 'The cookie alone is enough, so that a page that was loaded again finds its csrf_token.',
        response: { 200: Session },
      },
    },
    async (request) => {
      const { operator, session } = enteredOf(request)
      if (!session) throw noSession()
      return sessionState(operator, session)
    },
  )

  app.delete(
    '/console/session',
    {
      config: { role: 'viewer', errors: ['NOT_FOUND'] },
      schema: {
        operationId: 'signOutOfConsole',
        tags,
        security: [{ consoleCookie: [] }],
        summary: 'Sign this browser out',
        description: 'The cookie opens nothing from the next call on. Other sessions go on.',
        response: { 204: Ended },
      },
    },
    async (request, reply) => {
      const { operator, session } = enteredOf(request)
      if (!session) throw noSession()
      await db.transaction((tx) => endConsoleSession(tx, operator, session.sessionId))
      clearCookie(request, reply, 'console')
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/console/sessions',
    {
      schema: {
        operationId: 'listConsoleSessions',
        ...admin,
        tags,
        summary: 'Open console sessions, the newest first',
        description: 'Your own; for owners those of all operators.',
        response: { 200: z.object({ data: z.array(ListedSession) }) },
      },
    },
    async (request) => {
      const { operator, session } = enteredOf(request)
      return { data: (await listConsoleSessions(db, operator)).map((each) => listed(each, session?.sessionId)) }
    },
  )

  app.delete(
    '/console/sessions/:id',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'endConsoleSession',
        ...admin,
        tags,
        summary: 'End a console session',
        description: 'One of your own; for owners also one of another operator.',
        params: z.object({
          id: z
            .string()
            .max(100)
            .meta({ description: 'session_id', examples: [exampleIds.session] }),
        }),
        response: { 204: Ended },
      },
    },
    async (request, reply) => {
      await db.transaction((tx) => endConsoleSession(tx, enteredOf(request).operator, request.params.id))
      return reply.code(204).send(null)
    },
  )
}

const noSession = () => new AppError('NOT_FOUND', 'This call came by a token, which has no session to end.')

function sessionState(
  { name, role }: KnownOperator,
  { secret, expiresAt }: { readonly secret: string; readonly expiresAt: Date },
): z.output<typeof Session> {
  return { name, role, csrf_token: csrfTokenOf(secret), expires_at: expiresAt.toISOString() }
}

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
