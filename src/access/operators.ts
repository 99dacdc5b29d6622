/**
 * Who may act as operator: named tokens, each its own line in the audit log. Guesses are slowed down as those of API
 * keys are, but counted apart, so that a customer's failed logins never shut the operator out.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Db, Queryable } from '../db/db.ts'
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import { sha256 } from './api-keys.ts'
import { audit } from './audit.ts'
import { countFailure, lockAttempts, throttleSeconds } from './login-throttle.ts'

export interface Operator {
  /** Stands in the audit log as `operator:<name>`. */
  readonly name: string
  readonly token: Secret
}

/** @returns the name of the operator. @throws AppError OPERATOR_TOKEN_REQUIRED or LOGIN_THROTTLED. */
export type OperatorDoor = (token: string | undefined, address: string) => Promise<string>

type Outcome =
  | { readonly kind: 'known'; readonly name: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'throttled'; readonly seconds: number }

export function createOperatorDoor(db: Db, operators: readonly Operator[]): OperatorDoor {
  const known = operators.map(({ name, token }) => ({ name, digest: sha256(token.reveal()) }))
  return async (token, address) => {
    if (token === undefined) throw unknownToken()
    // A refusal is a value in here: the failure that it records must commit.
    const outcome = await db.transaction((tx) => attempt(tx, known, token, address))
    if (outcome.kind === 'known') return outcome.name
    if (outcome.kind === 'unknown') throw unknownToken()
    throw new AppError('LOGIN_THROTTLED', `Too many wrong operator tokens. Try again in ${outcome.seconds} seconds.`, {
      retryAfterSeconds: outcome.seconds,
    })
  }
}

/**
 * The door of /metrics: its own token opens it without asking the database, so that a scrape still works while that
 * is away; any other token is tried, and counted, at the operators' door.
 */
export function createMetricsDoor(metricsToken: Secret | undefined, operators: OperatorDoor): OperatorDoor {
  if (!metricsToken) return operators
  const expected = sha256(metricsToken.reveal())
  return async (token, address) =>
    timingSafeEqual(sha256(token ?? ''), expected) ? 'metrics' : operators(token, address)
}

interface KnownOperator {
  readonly name: string
  readonly digest: Buffer
}

/** While an address is throttled its token is not even compared, so a burst of guesses learns nothing. */
async function attempt(
  tx: Queryable,
  known: readonly KnownOperator[],
  token: string,
  address: string,
): Promise<Outcome> {
  const guess = { address: `operator door ${address}`, keyPrefix: null }
  await lockAttempts(tx, guess)
  const seconds = await throttleSeconds(tx, guess)
  if (seconds > 0) return { kind: 'throttled', seconds }
  const given = sha256(token)
  // Every digest is compared, each in constant time: the time tells neither a match nor its place.
  const [operator] = known.filter(({ digest }) => timingSafeEqual(digest, given))
  if (operator) return { kind: 'known', name: operator.name }
  await countFailure(tx, guess)
  if ((await throttleSeconds(tx, guess)) > 0) {
    await audit(tx, { actor: 'system', action: 'throttle operator token', subject: address })
  }
  return { kind: 'unknown' }
}

function unknownToken(): AppError {
  return new AppError('OPERATOR_TOKEN_REQUIRED', 'Send an operator token: "Authorization: Bearer <operator token>".')
}
