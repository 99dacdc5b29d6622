/**
 * Guards /admin: an operator's token as bearer, or the cookie of an operator's browser, and a role that allows the
 * route. The operator's name goes into the audit log with each act.
 */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sha256 } from '../../access/api-keys.ts'
import type { ConsoleSession } from '../../access/console-sessions.ts'
import { proofOf } from '../../access/operator-proof.ts'
import {
  type KnownOperator,
  type OperatorAuthenticator,
  requireRole,
  tooManyTokens,
  unknownToken,
} from '../../access/operators.ts'
import { refuseTokenAlone } from '../../access/second-factor.ts'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import type { AnonymousClients } from './anonymous-clients.ts'
import { cookieOf, requireCsrfToken, requireOwnOrigin } from './browser-session.ts'

/** No operator's token is shorter: the environment rejects it. */
const tokenShape = /^\S{16,512}$/

export interface AuthenticatorParts {
  readonly authenticate: OperatorAuthenticator
  readonly anonymous: AnonymousClients
  /**
   * Cheap check whether it is one of the tokens; all others are guesses, counted before any work and then checked a few
   * at a time.
   */
  readonly mayOpen: (token: string) => Promise<boolean>
}

export function createGuardedAuthenticator({
  authenticate,
  anonymous,
  mayOpen,
}: AuthenticatorParts): OperatorAuthenticator {
  return async (token, ip) => {
    const isShaped = token !== undefined && tokenShape.test(token)
    const enter = () => authenticate(token, ip)
    if (isShaped && (await mayOpen(token))) return enter()
    if (isShaped && !anonymous.others.isEmpty(ip)) {
      const waitSeconds = anonymous.operatorTokens.charge(ip)
      if (waitSeconds > 0) throw tooManyTokens(waitSeconds)
      const read = await anonymous.count(enter)
      if (read) return read.value
    }
    throw unknownToken()
  }
}

/** The operator, and the session where it was a browser's cookie. */
export interface Entered {
  readonly operator: KnownOperator
  readonly session: (ConsoleSession & { readonly secret: string }) | undefined
}

export type SessionReader = (secret: string, ip: string) => Promise<ConsoleSession | undefined>

const entered = new WeakMap<FastifyRequest, Entered>()

/** @param readSession of browsers; without it, cookies are not accepted. */
export function addOperatorCheck(
  app: FastifyInstance,
  authenticateOperator: OperatorAuthenticator,
  readSession?: SessionReader,
): void {
  app.addHook('onRequest', async (request) => {
    const cookie = readSession && cookieOf(request, 'console')
    const isAlone = request.routeOptions.config.cookieAlone === true
    const found =
      cookie !== undefined && (isAlone || request.headers.authorization === undefined)
        ? await openedBy(request, cookie, readSession)
        : {
            operator: await authenticateOperator(isAlone ? undefined : bearerIn(request), request.ip),
            session: undefined,
          }
    const { operator } = found
    const presented = found.session?.secret ?? bearerIn(request)
    request.operatorProof = presented === undefined ? null : proofOf(presented)
    if (found.session === undefined) refuseTokenAlone(operator)
    entered.set(request, found)
    // Set before the role is checked, so that a refusal is recorded for this operator.
    request.operatorId = operator.id
    request.operatorName = operator.name
    requireRole(operator, request.routeOptions.config.role ?? (isRead(request) ? 'viewer' : 'operator'))
  })
}

async function openedBy(request: FastifyRequest, secret: string, read: SessionReader | undefined): Promise<Entered> {
  if (request.routeOptions.config.cookieAlone === true) requireOwnOrigin(request)
  else requireCsrfToken(request, secret)
  const session = await read?.(secret, request.ip)
  if (session) return { operator: session.operator, session: { ...session, secret } }
  throw new AppError('OPERATOR_TOKEN_REQUIRED', 'This console session has ended. Sign in again with an operator token.')
}

/** Compares with every token in constant time, so that timing reveals neither a match nor its position. */
export function oneOf(tokens: readonly Secret[]): (token: string) => boolean {
  const digests = tokens.map((token) => sha256(token.reveal()))
  return (token) => {
    const given = sha256(token)
    return digests.filter((digest) => timingSafeEqual(digest, given)).length > 0
  }
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'
const bearerIn = (request: FastifyRequest) => /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]

/** The operator at the machine's terminal, who has no name in the audit log. */
const unnamed = ''

/** Every request comes from the operator at the terminal: see terminal-calls.ts. */
export function addTerminalOperator(app: FastifyInstance): void {
  app.decorateRequest('operatorName', unnamed)
  app.decorateRequest('operatorId', null)
  app.decorateRequest('principal', null)
}

/** The actor in the audit log: `operator:<name>`. */
export type OperatorActor = 'operator' | `operator:${string}`

export function operatorOf(request: { readonly operatorName: string | null }): OperatorActor {
  if (request.operatorName === null) throw new Error('this route runs without the operator check')
  return request.operatorName === unnamed ? 'operator' : `operator:${request.operatorName}`
}

export function enteredOf(request: FastifyRequest): Entered {
  const known = entered.get(request)
  if (!known) throw new Error('this route runs without the operator check')
  return known
}
