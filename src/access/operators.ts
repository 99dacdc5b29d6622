/**
 * Who may act as operator: those of the environment, which own the installation, and those stored as rows, each with a
 * role; each its own line in the audit log. The right token always gets in; wrong ones are slowed down as those
 * of API keys are, but counted apart.
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

/** An operator whom the environment names; an owner. */
export interface Operator {
  /** Stands in the audit log as `operator:<name>`. */
  readonly name: string
  readonly token: Secret
}

export interface KnownOperator {
  /** Of the stored row; `environment` for those of the environment. */
  readonly id: string
  readonly name: string
  readonly role: OperatorRole
  /** The token alone opens nothing. */
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
    // A refusal is a value in here: the failure that it records must commit.
    throw await db.transaction((tx) => answerWrongToken(tx, address))
  }
}

const storedShape = /^panji_op_[\w-]{43}$/
/** 256 bits, so that what was never given to an operator can be told without counting guesses. */
export const newOperatorToken = (): string => `panji_op_${randomBytes(32).toString('base64url')}`
export const isOperatorTokenShaped = (token: string): boolean => storedShape.test(token)

/** Who may read /metrics: its own token gets in too, without asking the database. */
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

/** Every digest is compared, each in constant time: the time tells neither a match nor its place. */
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

/** By the minute: a screen that asks every second writes no row each time. */
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
  const message = `Too many wrong operator tokens. The right one still opens; a wrong one is read again in ${retryAfterSeconds} seconds.`
  return refusedBy('wrongKeys', message, { retryAfterSeconds })
}

export function unknownToken(): AppError {
  return new AppError('OPERATOR_TOKEN_REQUIRED', 'Send an operator token: "Authorization: Bearer <operator token>".')
}
