/**
 * Every call that changes something writes a row into the audit log, and so does every response that shows personal
 * records.
 *
 * An act that writes its own row in its own transaction is skipped; any other that succeeds gets one before its
 * response is sent, named after its ID. Reads are batched, see src/audit/readings.ts; their identifiers are taken from
 * the response, or supplied by the handler where it is not JSON.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Acting, actAs } from '../../audit/acting.ts'
import { type Actor, audit } from '../../audit/audit.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import type { DataClass } from '../../audit/data-classes.ts'
import type { Db } from '../../db/db.ts'
import { addressBucket, addressOf } from '../../domain/client-address.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import { identifiersIn } from './shown-identifiers.ts'

/** What a handler knows better than its response. */
export interface HandlerFacts {
  readonly identifiers?: readonly string[]
  readonly reason?: string
  /** For a call without a known caller when it arrived. */
  readonly accountId?: string
  readonly credential?: string
  /** Set for an operator who signs in. */
  readonly proof?: string
}

const factsOf = new WeakMap<FastifyRequest, HandlerFacts>()
const actingOf = new WeakMap<FastifyRequest, Acting>()

export function addReadings(request: FastifyRequest, facts: HandlerFacts): void {
  factsOf.set(request, { ...factsOf.get(request), ...facts })
  const acting = actingOf.get(request)
  if (acting && facts.credential !== undefined) acting.credential ??= facts.credential
  if (acting && facts.proof !== undefined) acting.proof ??= facts.proof
}

export function addAuditLog(app: FastifyInstance, db: Db, auditLog: AuditLog): void {
  // Runs after the body is read: earlier, the async store would be lost with the events that deliver the body.
  app.addHook('preValidation', (request, _reply, done) => {
    if (!changes(request)) return done()
    const acting: Acting = { ...sourceOf(request), written: 0 }
    actingOf.set(request, acting)
    actAs(acting, done)
  })
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    if (classOf(request) && factsOf.get(request)?.identifiers === undefined) {
      addReadings(request, { identifiers: identifiersIn(payload) })
    }
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const noting = reply.statusCode >= 400 ? undefined : noteAnswer(request, reply)
    if (noting) void noting.then(() => done(null, payload), done)
    else done(null, payload)
  })

  /** @returns a promise where the response must wait for the row. */
  function noteAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const dataClass = classOf(request)
    if (dataClass) return noteReading(auditLog, request, dataClass)
    if (!isAct(request) || reply.getHeader('Idempotency-Replayed') !== undefined) return undefined
    return noteAct(db, auditLog, request)
  }
}

/** Codes about a credential, or about a right that it lacks. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UNAUTHENTICATED',
  'API_KEY_AS_BEARER',
  'WRONG_AUDIENCE',
  'INVALID_API_KEY',
  'INVALID_REFRESH_TOKEN',
  'INVALID_SIGN_IN_CODE',
  'OPERATOR_TOKEN_REQUIRED',
  'WEBHOOK_SIGNATURE_INVALID',
  'LOGIN_THROTTLED',
  'ADDRESS_BLOCKED',
  'ACCOUNT_SUSPENDED',
  'SCOPE_MISSING',
  'ROLE_MISSING',
  'SECOND_FACTOR_MISSING',
  'FRESH_LOGIN_REQUIRED',
  'OPERATOR_ROLE_MISSING',
  'SECOND_FACTOR_REQUIRED',
  'CSRF_TOKEN_MISSING',
])

export function noteRefusal(auditLog: AuditLog, request: FastifyRequest, error: unknown): void {
  if (!(error instanceof AppError) || !refusals.has(error.code)) return
  const { credential, operation, proof } = sourceOf(request)
  auditLog.refuse({
    code: error.code,
    address: addressBucket(request.ip),
    actor: actorOf(request) ?? 'anonymous',
    accountId: accountOf(request),
    credential,
    operation,
    proof,
  })
}

function noteReading(auditLog: AuditLog, request: FastifyRequest, dataClass: DataClass): Promise<void> | undefined {
  const { credential, operation, address, proof } = sourceOf(request)
  const facts = factsOf.get(request)
  return auditLog.note(
    {
      kind: 'reading',
      actor: actorOf(request) ?? 'anonymous',
      action: `read ${dataClass}`,
      accountId: accountOf(request),
      credential,
      operation,
      address,
      reason: facts?.reason ?? null,
      dataClass,
      proof,
    },
    facts?.identifiers ?? [],
  )
}

async function noteAct(db: Db, auditLog: AuditLog, request: FastifyRequest): Promise<void> {
  const acting = actingOf.get(request)
  if (acting === undefined || acting.written > 0) return
  const action = wordsOf(acting)
  const actor = actorOf(request) ?? 'system'
  const accountId = accountOf(request)
  // Logins may come at any rate, so those within a second share a row.
  if (request.routeOptions.config.public === true && accountId !== null) {
    const { operation, address } = acting
    const credential = factsOf.get(request)?.credential ?? null
    const login = { kind: 'act', actor, action, accountId, credential, operation, address } as const
    await auditLog.note({ ...login, reason: null, dataClass: null }, [])
    return
  }
  const subject = Object.values(request.params ?? {}).join(' ') || accountId || '-'
  await actAs(acting, () => audit(db, { actor, action, subject, accountId: accountId ?? undefined }))
}

const operationOf = ({ method, routeOptions }: FastifyRequest): string =>
  routeOptions.schema?.operationId ?? `${method} ${routeOptions.url ?? '-'}`

const changes = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD'
/** Whether a successful call counts as an act and not as a read. */
export const isAct = (request: FastifyRequest) =>
  changes(request) && (request.routeOptions.config.audit ?? 'act') === 'act'

function classOf(request: FastifyRequest): DataClass | undefined {
  const { audit } = request.routeOptions.config
  if (typeof audit === 'object') return audit.reads
  // What is the account's own business is not an operator's: every view is recorded.
  return audit === 'nothing' && request.principal?.viewer ? 'accounts' : undefined
}

function actorOf(request: FastifyRequest): Actor | undefined {
  if (request.operatorName !== null) return `operator:${request.operatorName}`
  const accountId = accountOf(request)
  return accountId === null ? undefined : `account:${accountId}`
}

const accountOf = (request: FastifyRequest): string | null =>
  request.principal?.accountId ?? factsOf.get(request)?.accountId ?? null

function sourceOf(request: FastifyRequest): Omit<Acting, 'written'> {
  const facts = factsOf.get(request)
  return {
    credential:
      request.operatorId ??
      request.principal?.apiKeyId ??
      request.principal?.person?.personId ??
      facts?.credential ??
      null,
    operation: operationOf(request),
    proof: request.operatorProof ?? undefined,
    address: addressOf(request.ip),
    reason: facts?.reason,
  }
}

/** `createScreener` is the act `create screener`. */
const wordsOf = ({ operation }: Acting): string => operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
