/**
 * Operators: those of the environment, which own the installation, and those stored as rows, each with a role; each
 * with its own name in the audit log. The right token always gets in; wrong ones are throttled like API keys, but
 * counted separately.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { audit } from '../audit/audit.ts'
import type { Db, Queryable } from '../db/db.ts'
import { addressBucket } from '../domain/client-address.ts'
import { type OperatorRole, roleAllows } from '../domain/operator-role.ts'
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import { refusedBy } from '../limits/refused-by.ts'
import { sha256 } from './api-keys.ts'
import { countFailure, lockAttempts, throttleSeconds } from './login-throttle.ts'
import { storedProof } from './operator-proof.ts'

/** An operator of the environment; an owner. */
export interface Operator {
  /** In the audit log as `operator:<name>`. */
  readonly name: string
  readonly token: Secret
}

export interface KnownOperator {
  /** ID of the stored row; `environment` for those of the environment. */
  readonly id: string
  readonly name: string
  readonly role: OperatorRole
  /** The token alone is not enough. */
  readonly hasSecondFactor?: boolean
}

/** @throws AppError OPERATOR_TOKEN_REQUIRED or LOGIN_THROTTLED. */
export type OperatorAuthenticator = (token: string | undefined, ip: string) => Promise<KnownOperator>

interface TokenHolder extends KnownOperator {
  readonly digest: Buffer
}

export function createOperatorAuthenticator(db: Db, operators: readonly Operator[]): OperatorAuthenticator {
  const named = operators.map(({ name, token }) => ({
    id: 'environment',
    name,
    role: 'owner' as const,
    digest: storedProof(token.reveal()),
  }))
  return async (token, ip) => {
    if (token === undefined) throw unknownToken()
    const owner = holderOf(named, token)
    if (owner) return owner
    const stored = holderOf(await storedOperators(db), token)
    if (stored) {
      await noteUse(db, stored.name)
      return stored
    }
    const address = addressBucket(ip)
    // The refusal is a value in here, because the failure that it records must commit.
    throw await db.transaction((tx) => answerWrongToken(tx, address))
  }
}

const storedShape = /^panji_op_[\w-]{43}$/
/** 256 bits, so that tokens that were never issued can be recognised without counting guesses. */
export const newOperatorToken = (): string => `panji_op_${randomBytes(32).toString('base64url')}`
export const isOperatorTokenShaped = (token: string): boolean => storedShape.test(token)

/** Authenticates readers of /metrics: its own token is also accepted, without a query. */
export function createMetricsAuthenticator(
  metricsToken: Secret | undefined,
  operators: OperatorAuthenticator,
): OperatorAuthenticator {
  if (!metricsToken) return operators
  const expected = sha256(metricsToken.reveal())
  return async (token, ip) =>
    timingSafeEqual(sha256(token ?? ''), expected)
      ? { id: 'environment', name: 'metrics', role: 'viewer' }
      : operators(token, ip)
}

/** @throws AppError OPERATOR_ROLE_MISSING naming the role that is needed. */
export function requireRole({ name, role }: KnownOperator, needed: OperatorRole): void {
  if (roleAllows(role, needed)) return
  throw new AppError('OPERATOR_ROLE_MISSING', `${name} has the role ${role}; this needs ${needed}. Ask an owner.`, {
    extra: { required_role: needed },
  })
}

/** Compares every digest, each in constant time, so that timing reveals neither a match nor its position. */
function holderOf(holders: readonly TokenHolder[], token: string): KnownOperator | undefined {
  const given = storedProof(token)
  const [found] = holders.filter(({ digest }) => timingSafeEqual(digest, given))
  if (!found) return undefined
  const { id, name, role, hasSecondFactor = false } = found
  return { id, name, role, hasSecondFactor }
}

async function storedOperators(db: Queryable): Promise<TokenHolder[]> {
  return db.query<TokenHolder>(
    `SELECT o.operator_id AS id, name, role, token_sha256 AS digest, t.confirmed_at IS NOT NULL AS "hasSecondFactor"
     FROM access.operator o LEFT JOIN access.operator_totp t USING (operator_id) WHERE revoked_at IS NULL`,
  )
}

/** At most once a minute: a screen that polls every second does not write a row each time. */
async function noteUse(db: Queryable, name: string): Promise<void> {
  await db.execute(
    `UPDATE access.operator SET last_used_at = now()
     WHERE name = $1 AND revoked_at IS NULL AND coalesce(last_used_at < now() - interval '1 minute', true)`,
    [name],
  )
}

async function answerWrongToken(tx: Queryable, address: string): Promise<AppError> {
  const guess = { address: `operator ${address}`, keyPrefix: null }
  await lockAttempts(tx, guess)
  const seconds = await throttleSeconds(tx, guess)
  if (seconds > 0) return tooManyTokens(seconds)
  await countFailure(tx, guess)
  if ((await throttleSeconds(tx, guess)) > 0) {
    await audit(tx, { actor: 'system', action: 'throttle operator token', subject: address })
  }
  return unknownToken()
}

export function tooManyTokens(retryAfterSeconds: number): AppError {
  const message = `Too many wrong operator tokens. The right one still works; wrong ones are checked again in ${retryAfterSeconds} seconds.`
  return refusedBy('wrongKeys', message, { retryAfterSeconds })
}

export function unknownToken(): AppError {
  return new AppError('OPERATOR_TOKEN_REQUIRED', 'Send an operator token: "Authorization: Bearer <operator token>".')
}
