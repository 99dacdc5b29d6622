/**
 * Cookies of signed-in browsers. A browser also sends its cookie for pages of other sites, so the cookie alone is not
 * enough: it must come with the header X-CSRF-Token, whose value only our own pages can read. The token is derived from
 * the cookie, one way.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../../access/api-keys.ts'
import { AppError } from '../../errors.ts'
import '@fastify/cookie'

/** An operator's browser under /admin and /console, an account's under /api and /app. */
export const cookieNames = { console: 'panji_console', app: 'panji_app' } as const
export type CookieKind = keyof typeof cookieNames

/**
 * Over https the cookie's name makes a browser bind it to this host, TLS and path `/`; a cookie of the other name is
 * ignored.
 */
const nameOf = (request: FastifyRequest, kind: CookieKind): string =>
  request.protocol === 'https' ? `__Host-${cookieNames[kind]}` : cookieNames[kind]

/** 32 random bytes in base64url. */
const secretShape = /^[\w-]{43}$/

export const csrfTokenOf = (secret: string): string =>
  createHash('sha256').update(`panji csrf ${secret}`).digest('base64url')

export function cookieOf(request: FastifyRequest, kind: CookieKind): string | undefined {
  const value = request.cookies[nameOf(request, kind)]
  return value !== undefined && secretShape.test(value) ? value : undefined
}

export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: CookieKind,
  { secret, expiresAt }: { readonly secret: string; readonly expiresAt: Date },
): void {
  reply.setCookie(nameOf(request, kind), secret, { ...attributesOf(request), expires: expiresAt })
}

export function clearCookie(request: FastifyRequest, reply: FastifyReply, kind: CookieKind): void {
  reply.clearCookie(nameOf(request, kind), attributesOf(request))
  // Also clears pages kept for the back button. Console and app share cookies and storage, so only the cache is
  // cleared.
  reply.header('Clear-Site-Data', '"cache"')
}

const attributesOf = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'strict', secure: request.protocol === 'https' }) as const

/** @throws AppError CSRF_TOKEN_MISSING */
export function requireCsrfToken(request: FastifyRequest, secret: string): void {
  requireOwnOrigin(request)
  const given = request.headers['x-csrf-token']
  if (typeof given === 'string' && timingSafeEqual(sha256(given), sha256(csrfTokenOf(secret)))) return
  throw new AppError(
    'CSRF_TOKEN_MISSING',
    "A call with a browser's cookie needs the session's csrf_token in the header X-CSRF-Token; GET the session to read it.",
  )
}

/**
 * Browsers say where a call comes from. Other ports of this host share its cookies, so they count as other origins too.
 * @throws AppError CSRF_TOKEN_MISSING
 */
export function requireOwnOrigin({ headers, host }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  const isOwn =
    site === undefined
      ? headers.origin === undefined || hostOf(headers.origin) === host.toLowerCase()
      : site === 'same-origin' || site === 'none'
  if (isOwn) return
  throw new AppError('CSRF_TOKEN_MISSING', 'This call comes from a page of another origin, which may not use cookies.')
}

/** `Origin: null` comes from sandboxed frames and files. */
const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)
