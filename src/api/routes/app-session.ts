/**
 * Account users sign in with a browser by API key, or by a link that is mailed to them. The session is one like any other: it has the scopes of its key, ends
 * with it, stands in GET /api/sessions; only that a cookie carries it. Signing in twice makes two sessions.
 */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { endSession } from '../../access/manage-sessions.ts'
import { codeUnknown, findBrowserSession, signInBrowser, signInByCode } from '../../access/sessions.ts'
import { isSignInCodeShaped, requestSignInLink } from '../../access/sign-in-links.ts'
import { keyScopes } from '../../domain/key-scope.ts'
import { AppError } from '../../errors.ts'
import { createKeyDoor } from '../api-key-door.ts'
import { email, timestamp, uuid } from '../formats.ts'
import { clearCookie, cookieOf, csrfTokenOf, requireOwnOrigin, setCookie } from '../hooks/browser-session.ts'
import { tellTrail } from '../hooks/trail.ts'
import { type Principal, principalOf } from '../route-context.ts'
import type { ServerContext } from '../server-context.ts'

const tags = ['Console sessions']
const SignInBody = z
  .union([
    z.strictObject({ api_key: z.string().min(1).max(512).describe('A key of the account; begins with panji_.') }),
    z.strictObject({ code: z.string().min(1).max(512).describe('Of the link that was mailed') }),
  ])
  .meta({ examples: [{ api_key: 'panji_…' }, { code: '…' }] })
const LinkBody = z
  .strictObject({ email: z.string().trim().min(3).max(320).describe('Of the account') })
  .meta({ examples: [{ email: 'buyer@example.in' }] })
const LinkAsked = z
  .object({ detail: z.string().describe('The same for every address') })
  .meta({ id: 'SignInLinkAsked' })
const Session = z
  .object({
    user_id: uuid('Of the account'),
    email: email('Of the account'),
    name: z.string(),
    scopes: z.array(z.enum(keyScopes)).describe('What the key that signed in may be used for'),
    viewed_by: z
      .string()
      .nullable()
      .describe('The operator who looks at the account, and changes nothing; null for its own people'),
    csrf_token: z.string().describe('For the header X-CSRF-Token of every further call'),
    expires_at: timestamp('at which the session ends'),
  })
  .meta({ id: 'AppSession' })

/** Keys are short; who sends more is not read to the end. */
const bodyBytesMax = 16_384

export const appSessionRoutes: FastifyPluginAsyncZod<ServerContext> = async (app, context) => {
  const { db, credentials, settings } = context
  const entered = createKeyDoor(context, (apiKey, ip) => signInBrowser(db, apiKey, ip))

  /** A code that was never given away is refused without a look at the table of codes. */
  async function enteredByCode(code: string, ip: string) {
    if (!isSignInCodeShaped(code) || !(await credentials.signInCode(code))) throw codeUnknown()
    return signInByCode(db, code, ip)
  }

  app.post(
    '/app/session/link',
    {
      bodyLimit: bodyBytesMax,
      config: { public: true, errors: ['MAIL_UNAVAILABLE', 'CSRF_TOKEN_MISSING'] },
      schema: {
        operationId: 'mailSignInLink',
        tags,
        summary: 'Have a link mailed that signs the browser in',
        description:
          'Where the address is that of an account, it gets a link that works once, for a quarter of an hour. The answer is the same for every ' +
          'address, and for what is asked for too often.',
        security: [],
        body: LinkBody,
        response: { 202: LinkAsked },
      },
    },
    async (request, reply) => {
      requireOwnOrigin(request)
      if (settings.signInLinks !== true)
        throw new AppError('MAIL_UNAVAILABLE', 'This Panji sends no links to sign in. Sign in with an API key.')
      await requestSignInLink(db, request.body.email, request.ip)
      return reply.code(202).send({ detail: 'If the address is that of an account, a link is on its way to it.' })
    },
  )

  app.post(
    '/app/session',
    {
      bodyLimit: bodyBytesMax,
      config: {
        public: true,
        errors: [
          'INVALID_API_KEY',
          'INVALID_SIGN_IN_CODE',
          'ACCOUNT_SUSPENDED',
          'ADDRESS_BLOCKED',
          'CSRF_TOKEN_MISSING',
          'LOGIN_THROTTLED',
        ],
      },
      schema: {
        operationId: 'signInToApp',
        tags,
        summary: 'Sign an account user in with a browser',
        description:
          'By API key, or by the code of a mailed link. Sets the httpOnly cookie panji_app, for twelve hours, or until it has not been used for one; a session that the browser had ends.',
        security: [],
        body: SignInBody,
        response: { 201: Session },
      },
    },
    async (request, reply) => {
      requireOwnOrigin(request)
      const { body, ip } = request
      const login = 'code' in body ? await enteredByCode(body.code, ip) : await entered(body.api_key, ip)
      tellTrail(request, { accountId: login.account.accountId, credential: login.apiKeyId })
      await endFormer(cookieOf(request, 'app'))
      setCookie(request, reply, 'app', login)
      return reply.code(201).send(sessionState({ ...login.account, viewer: null }, login))
    },
  )

  /** Whoever signs in anew has left the session before. */
  async function endFormer(cookie: string | undefined): Promise<void> {
    const former = cookie && (await findBrowserSession(db, cookie))
    if (!former) return
    await db.execute('UPDATE access.session SET revoked_at = now() WHERE session_id = $1 AND revoked_at IS NULL', [
      former.caller.sessionId,
    ])
  }

  app.get(
    '/app/session',
    {
      config: { scopes: [], cookieAlone: true },
      schema: {
        operationId: 'getAppSession',
        tags,
        security: [{ appCookie: [] }],
        summary: 'Who is signed in at this browser',
        description: 'The cookie alone is enough, so that a page that was loaded again finds its csrf_token.',
        response: { 200: Session },
      },
    },
    async (request) => {
      const secret = cookieOf(request, 'app') ?? ''
      const session = await findBrowserSession(db, secret)
      if (!session) throw new AppError('UNAUTHENTICATED', 'This session has ended. Sign in at POST /app/session.')
      return sessionState(principalOf(request), { secret, expiresAt: session.expiresAt })
    },
  )

  app.delete(
    '/app/session',
    {
      config: { scopes: [] },
      schema: {
        operationId: 'signOutOfApp',
        tags,
        security: [{ appCookie: [] }],
        summary: 'Sign this browser out',
        description: 'The cookie opens nothing from the next call on. Other sessions go on.',
        response: { 204: z.null().describe('Ended') },
      },
    },
    async (request, reply) => {
      const { accountId, sessionId, scopes } = principalOf(request)
      await db.transaction((tx) => endSession(tx, accountId, sessionId, scopes))
      clearCookie(request, reply, 'app')
      return reply.code(204).send(null)
    },
  )
}

function sessionState(
  {
    accountId,
    email,
    username,
    scopes,
    viewer,
  }: Pick<Principal, 'accountId' | 'email' | 'username' | 'scopes' | 'viewer'>,
  { secret, expiresAt }: { readonly secret: string; readonly expiresAt: Date },
): z.output<typeof Session> {
  return {
    user_id: accountId,
    email,
    name: username,
    scopes: [...scopes],
    viewed_by: viewer?.name ?? null,
    csrf_token: csrfTokenOf(secret),
    expires_at: expiresAt.toISOString(),
  }
}
