/** From API key to access token, and from refresh token to the next access token. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { decodeJwt } from 'jose'
import { z } from 'zod'
import { endSession } from '../../access/manage-sessions.ts'
import { findBrowserSession, logIn, refreshAccessToken } from '../../access/sessions.ts'
import { keyScopes } from '../../domain/key-scope.ts'
import { AppError } from '../../errors.ts'
import { createKeyDoor } from '../api-key-door.ts'
import { timestamp, uuid } from '../formats.ts'
import { bearerOf } from '../hooks/authentication.ts'
import { cookieOf } from '../hooks/browser-session.ts'
import { tellTrail } from '../hooks/trail.ts'
import { noBody } from '../parameters.ts'
import { principalOf } from '../route-context.ts'
import type { ServerContext } from '../server-context.ts'

const LoginBody = z
  .strictObject({
    api_key: z.string().trim().min(1).describe('From the security settings of your profile; begins with panji_.'),
  })
  .meta({ examples: [{ api_key: 'panji_…' }] })
const LoginResult = z
  .object({
    success: z.boolean(),
    message: z.string(),
    user: z.object({ name: z.string(), userId: uuid('Of the account') }),
    token: z.object({ access_token: z.string(), refresh_token: z.string(), token_type: z.literal('bearer') }),
  })
  .meta({ id: 'Login' })
const RefreshBody = z
  .strictObject({ refresh_token: z.string().min(1).describe('token.refresh_token of the login') })
  .meta({ examples: [{ refresh_token: '…' }] })
const RefreshResult = z
  .object({ access_token: z.string(), token_type: z.literal('bearer') })
  .meta({ id: 'RenewedToken' })

const ValidToken = z
  .object({
    valid: z.literal(true),
    user: z.object({ name: z.string(), userId: uuid('Of the account') }),
    authenticated_via: z.literal('api_key'),
    expires_at: timestamp('at which the access token ends'),
    scopes: z.array(z.enum(keyScopes)).describe('What the key that opened the session may be used for'),
  })
  .meta({ id: 'ValidToken' })

/** Keys and tokens are short; who sends more is not read to the end. */
const bodyBytesMax = 16_384
/** 32 random bytes in base64url. */
const refreshTokenShape = /^[\w-]{43}$/

export const authRoutes: FastifyPluginAsyncZod<ServerContext> = async (app, context) => {
  const { db, keyRing, credentials } = context
  const entered = createKeyDoor(context, (apiKey, ip) => logIn(db, keyRing, apiKey, ip))

  app.post(
    '/api/auth/login',
    {
      bodyLimit: bodyBytesMax,
      config: {
        public: true,
        errors: ['INVALID_API_KEY', 'ACCOUNT_SUSPENDED', 'ADDRESS_BLOCKED', 'LOGIN_THROTTLED', 'SECRET_KEY_WRONG'],
      },
      schema: {
        operationId: 'logIn',
        tags: ['Authentication'],
        summary: 'Exchange an API key for an access token',
        description:
          'The access token lasts one hour, the refresh token 30 days. Wrong keys are slowed down by 429; the right one always gets in.',
        body: LoginBody,
        response: { 200: LoginResult },
      },
    },
    async (request) => {
      const { api_key: apiKey } = request.body
      const login = await entered(apiKey, request.ip)
      tellTrail(request, { accountId: login.accountId, credential: login.apiKeyId })
      return {
        success: true,
        message: 'Logged in.',
        user: { name: login.username, userId: login.accountId },
        token: { access_token: login.accessToken, refresh_token: login.refreshToken, token_type: 'bearer' as const },
      }
    },
  )

  app.post(
    '/api/auth/refresh-token',
    {
      bodyLimit: bodyBytesMax,
      config: {
        public: true,
        errors: ['INVALID_REFRESH_TOKEN', 'ACCOUNT_SUSPENDED', 'ADDRESS_BLOCKED', 'SECRET_KEY_WRONG'],
      },
      schema: {
        operationId: 'refreshToken',
        tags: ['Authentication'],
        summary: 'Renew the access token',
        description: 'The refresh token stays the same until it expires, 30 days after the login.',
        body: RefreshBody,
        response: { 200: RefreshResult },
      },
    },
    async (request) => {
      const { refresh_token: token } = request.body
      if (!refreshTokenShape.test(token) || !(await credentials.refreshToken(token))) {
        throw new AppError(
          'INVALID_REFRESH_TOKEN',
          'The refresh token is unknown, expired or revoked. Log in again with the API key.',
        )
      }
      return {
        access_token: await refreshAccessToken(db, keyRing, token, request.ip),
        token_type: 'bearer' as const,
      }
    },
  )

  app.get(
    '/api/auth/validate',
    {
      config: { scopes: [] },
      schema: {
        operationId: 'validateToken',
        tags: ['Authentication'],
        summary: 'Is this access token good?',
        description: 'A token that is not is refused as on every other call: 401 or 403 with the reason.',
        response: { 200: ValidToken },
      },
    },
    async (request) => {
      const { accountId, username, scopes } = principalOf(request)
      // The hook has verified token or cookie by now; this merely reads it again.
      const cookie = request.headers.authorization === undefined ? cookieOf(request, 'app') : undefined
      const expiresAt = cookie
        ? ((await findBrowserSession(db, cookie))?.expiresAt ?? new Date(0))
        : new Date((decodeJwt(bearerOf(request)).exp ?? 0) * 1000)
      return {
        valid: true as const,
        user: { name: username, userId: accountId },
        authenticated_via: 'api_key' as const,
        expires_at: expiresAt.toISOString(),
        scopes: [...scopes],
      }
    },
  )

  app.post(
    '/api/auth/logout',
    {
      config: { scopes: [] },
      schema: {
        operationId: 'logOut',
        tags: ['Authentication'],
        summary: 'End this session',
        description: 'Its access token and refresh token are refused from the next call on. Other sessions go on.',
        body: noBody,
        response: { 200: z.object({ success: z.literal(true), message: z.string() }) },
      },
    },
    async (request) => {
      const { accountId, sessionId, scopes } = principalOf(request)
      await db.transaction((tx) => endSession(tx, accountId, sessionId, scopes))
      return { success: true as const, message: 'Logged out.' }
    },
  )
}
