/**
 * Signing in at the operator's OIDC provider: `/app/oidc` sends the browser there, `/app/oidc/callback` receives it and
 * gives the page one code per account of the person, like that of a link, and the person chooses one. These are URLs
 * for browsers, not operations.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { newBrowserSecret } from '../access/oidc/browser-secret.ts'
import { type OidcSettings, oidcCallbackPath, oidcPath } from '../access/oidc/oidc-settings.ts'
import { createProvider } from '../access/oidc/provider.ts'
import { authorizationUrl, identify } from '../access/oidc/sign-in-flow.ts'
import { type AccountCode, codesForIdentity } from '../access/oidc/welcome-identity.ts'
import type { Db } from '../db/db.ts'
import { AppError } from '../errors.ts'
import '@fastify/cookie'

const cookieName = 'panji_oidc'
const cookieSeconds = 600
const secretShape = /^[\w-]{43}$/
/** Sign-ins that are exchanged with the provider at the same time; beyond them a browser is asked to try again. */
const atOnceMax = 10
const hidden = { schema: { hide: true }, config: { public: true }, errorHandler: answerWithPage } as const

export function addOidcPages(app: FastifyInstance, db: Db, settings: OidcSettings | undefined): void {
  if (!settings) return
  const provider = createProvider(settings)
  let running = 0

  app.get(oidcPath, hidden, async (request, reply) => {
    const secret = newBrowserSecret()
    const url = authorizationUrl(settings, await provider(), secret)
    // Lax, because the provider's page redirects the browser back from another site.
    const attributes = { path: oidcPath, httpOnly: true, sameSite: 'lax', maxAge: cookieSeconds } as const
    reply.setCookie(cookieName, secret, { ...attributes, secure: request.protocol === 'https' })
    return away(reply, url)
  })

  app.get<{ Querystring: Record<string, unknown> }>(oidcCallbackPath, hidden, async ({ query, cookies }, reply) => {
    reply.clearCookie(cookieName, { path: oidcPath })
    const [secret = '', state, code] = [cookies[cookieName], textOf(query['state']), textOf(query['code'])]
    if (!secretShape.test(secret) || state === undefined || code === undefined) throw notFinished()
    if (running >= atOnceMax)
      throw new AppError('OIDC_UNAVAILABLE', 'Too many people are signing in at once. Try again.')
    running += 1
    try {
      const identity = await identify(settings, await provider(), { secret, state, code, iss: textOf(query['iss']) })
      return away(reply, `/app#${fragmentOf(await codesForIdentity(db, identity))}`)
    } finally {
      running -= 1
    }
  })
}

/** A person with one account needs no names to choose from. */
function fragmentOf(codes: readonly AccountCode[]): URLSearchParams {
  const fragment = new URLSearchParams()
  for (const { account, code } of codes) {
    fragment.append('code', code)
    if (codes.length > 1) fragment.append('account', account)
  }
  return fragment
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 4_096 ? value : undefined

const notFinished = () =>
  new AppError('OIDC_REFUSED', 'This sign-in was not finished, was started elsewhere, or has expired.', {
    extra: { reason: 'failed' },
  })

const away = (reply: FastifyReply, url: string): FastifyReply =>
  reply.headers({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }).redirect(url, 303)

/** A browser, not a program, comes here, so errors are shown, by code, on the page that it started from. */
function answerWithPage(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof AppError)) throw error
  request.log.info({ err: error }, 'a sign-in at the OIDC provider failed')
  const { reason } = error.extra as { readonly reason?: string }
  return away(reply, `/app#refused=${reason ?? 'away'}`)
}
