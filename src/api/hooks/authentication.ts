/**
 * Every route of the developer API runs behind this, unless its config says `public`: it reads the bearer token or the
 * cookie of a signed-in browser, checks the account and the limits in one statement, and then the scopes. The unit of a
 * failed call is returned, unless the call used it up before it failed.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AccessToken, createAccessTokenReader } from '../../access/access-token.ts'
import { type AccessLimits, type Admission, createAdmission } from '../../access/admission.ts'
import { requireWithinBudget } from '../../access/bound-keys.ts'
import type { KnownCredentials } from '../../access/known-credentials.ts'
import { requireAccountRole } from '../../access/people.ts'
import { createUnitReturns } from '../../access/return-units.ts'
import { requireScopes } from '../../access/scopes.ts'
import { findBrowserSession } from '../../access/sessions.ts'
import type { KeyRing } from '../../access/signing-keys.ts'
import { actForAccount } from '../../db/account-scope.ts'
import type { Db } from '../../db/db.ts'
import type { ConnectSettings } from '../../deliver/connect/connect-parts.ts'
import { roleForScopes } from '../../domain/account-role.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { refusedBy } from '../../limits/refused-by.ts'
import { giveUp, noteUnit } from '../daily-units.ts'
import { errorInstead } from '../error-reply.ts'
import type { AnonymousClients } from './anonymous-clients.ts'
import { isAct } from './audit-log.ts'
import { cookieOf, requireCsrfToken, requireOwnOrigin } from './browser-session.ts'
import { refuseRawApiKey } from './raw-api-key.ts'
import { setRateLimit } from './response-headers.ts'

export interface Authentication {
  readonly db: Db
  readonly keyRing: KeyRing
  readonly credentials: KnownCredentials
  readonly anonymous: AnonymousClients
  readonly delivery: { readonly connect: Pick<ConnectSettings, 'publicUrl'> }
}

export function addAuthentication(app: FastifyInstance, context: Authentication, limits: AccessLimits): void {
  const returnUnit = createUnitReturns(context.db)
  app.addHook('onRequest', createAdmitter(context, limits))

  // Runs after the body is read: earlier, the value would be lost with the events that deliver the body.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.principal) actForAccount(request.principal.accountId, done)
    else done()
  })

  // Before the response is sent, so that the caller's next call finds the unit.
  app.addHook('onSend', (request, reply, payload, done) => {
    // What an operator views is not the account's usage.
    const isKept = reply.statusCode < 400 && !request.principal?.viewer
    const unit = isKept ? undefined : giveUp(request)
    if (!unit) return done(null, payload)
    void returnUnit(unit).then(
      () => {
        restoreRemaining(request, reply)
        done(null, payload)
      },
      (error: unknown) => done(null, errorInstead(error, request, reply)),
    )
  })
}

function createAdmitter(context: Authentication, limits: AccessLimits) {
  const { db, keyRing, credentials, delivery } = context
  const readAccessToken = createAccessTokenReader(db, askedTogether(keyRing, credentials))
  const admit = createAdmission(db, limits)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { config } = request.routeOptions
    if (config.public === true) return
    const cookie = cookieOf(request, 'app')
    const isAlone = config.cookieAlone === true
    if (isAlone && cookie === undefined) throw new AppError('UNAUTHENTICATED', 'Sign in at POST /app/session.')
    const token =
      cookie !== undefined && (isAlone || request.headers.authorization === undefined)
        ? await findCaller(request, cookie, context)
        : await readAccessToken(accessTokenOf(request, delivery.connect.publicUrl))
    const admission = await admit(token, request.ip, config.limit)
    if (admission.unit) noteUnit(request, admission.unit)
    setRateLimit(reply, governingLimit(admission))
    request.principal = admission.account
    // Whatever an operator reads there is in the audit log under the operator's name.
    request.operatorId = admission.account.viewer?.id ?? null
    request.operatorName = admission.account.viewer?.name ?? null
    if (admission.exhausted) {
      const { which, message, retryAfterSeconds } = admission.exhausted
      throw refusedBy(which, message, { retryAfterSeconds })
    }
    if (admission.account.viewer && changesAnything(request)) throw viewChangesNothing()
    if (admission.account.mustAddSecondFactor && config.beforeFactor !== true) throw mustAddFactor()
    if (admission.daily && config.limit) request.limitState = { kind: config.limit, ...admission.daily }
    const scopes = config.scopes ?? ['read']
    const { person } = admission.account
    if (person) requireAccountRole(person, config.atLeast ?? roleForScopes(scopes))
    else requireScopes(scopes, admission.account.scopes)
    requireWithinBudget(admission.account.standingOrderId, {
      scopes,
      ofBudget: config.ofBudget === true,
      id: idOf(request),
    })
  }
}

/** @throws AppError UNAUTHENTICATED, API_KEY_AS_BEARER */
function accessTokenOf(request: FastifyRequest, publicUrl: string | undefined): string {
  const bearer = bearerOf(request)
  refuseRawApiKey(bearer, request, publicUrl)
  return bearer
}

/** The raw ID of the path, before any schema reads it. */
function idOf({ params }: FastifyRequest): string | undefined {
  if (typeof params !== 'object' || params === null || !('id' in params)) return undefined
  return typeof params.id === 'string' ? params.id.toLowerCase() : undefined
}

/** Leaving is the only change that a view may make. */
const changesAnything = (request: FastifyRequest): boolean =>
  isAct(request) && request.routeOptions.config.leaves !== true

const viewChangesNothing = () =>
  new AppError('SCOPE_MISSING', 'You are viewing this account as an operator, which is read-only.', {
    extra: { missing_scopes: [] },
  })

const mustAddFactor = () =>
  new AppError(
    'SECOND_FACTOR_MISSING',
    'Your account requires a second factor, and you have none yet. Add one first: POST /api/second-factor.',
  )

/** @throws AppError CSRF_TOKEN_MISSING, UNAUTHENTICATED */
async function findCaller(
  request: FastifyRequest,
  cookie: string,
  { db, credentials, anonymous }: Authentication,
): Promise<AccessToken> {
  if (request.routeOptions.config.cookieAlone === true) requireOwnOrigin(request)
  else requireCsrfToken(request, cookie)
  const isWorthALook = !anonymous.others.isEmpty(request.ip) || (await credentials.browserSession(cookie))
  const session = isWorthALook ? await findBrowserSession(db, cookie) : undefined
  if (session) return session.caller
  throw new AppError('UNAUTHENTICATED', 'This session has ended. Sign in at POST /app/session.')
}

/** Each forged token names a new key; unknown keys are looked up in batches, a few times a second. */
function askedTogether(keyRing: KeyRing, credentials: KnownCredentials): KeyRing {
  const known = new Set<string>()
  return {
    ...keyRing,
    async publicKey(db, kid) {
      if (!known.has(kid)) {
        if (!isUuid(kid) || !(await credentials.signingKey(kid))) return undefined
        known.add(kid)
      }
      return keyRing.publicKey(db, kid)
    },
  }
}

/** @throws AppError UNAUTHENTICATED */
export function bearerOf(request: FastifyRequest): string {
  const match = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')
  if (match?.[1]) return match[1]
  throw new AppError('UNAUTHENTICATED', 'Send "Authorization: Bearer <access_token>". Log in at POST /api/auth/login.')
}

/** A daily limit takes precedence; everything else is governed by the burst limit. */
function governingLimit({ exhausted, daily, burst }: Admission) {
  if (exhausted) return exhausted
  if (daily && daily.limit !== null && daily.remaining !== null) {
    return { limit: daily.limit, remaining: daily.remaining, resetAt: daily.resetAt }
  }
  return burst
}

function restoreRemaining(request: FastifyRequest, reply: FastifyReply): void {
  const state = request.limitState
  if (state?.limit === null || state?.remaining === null || state === null) return
  setRateLimit(reply, { limit: state.limit, remaining: state.remaining + 1, resetAt: state.resetAt })
}
