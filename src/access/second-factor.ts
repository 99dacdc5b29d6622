/**
 * The second factor of stored operators: setup returns a secret for their authenticator, and the first valid code
 * activates it. From then on the token alone is not enough: the operator signs in at the console, with a code.
 *
 * A code works once. After ten wrong ones within a quarter of an hour the operator is paused. Only someone with the
 * token can cause that.
 */

import { type Actor, audit } from '../audit/audit.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import { requireCode } from './code-attempts.ts'
import type { KnownOperator } from './operators.ts'
import {
  type BegunSecondFactor,
  beginTotp,
  confirmTotp,
  removeTotp,
  type TotpHolder,
  takeTotp,
} from './totp-secrets.ts'

/**
 * Starting again creates another secret. @throws AppError NOT_FOUND if no active stored operator has the name, CONFLICT
 * when a second factor is active.
 */
export async function beginSecondFactor(tx: Tx, secretKey: Secret, name: string): Promise<BegunSecondFactor> {
  const begun = await beginTotp(tx, secretKey, await livingOperator(tx, name), name)
  if (begun) return begun
  throw new AppError(
    'CONFLICT',
    `${name} already has a second factor. Remove it first: panji operator totp ${name} --remove.`,
  )
}

/** @throws AppError NOT_FOUND where none was set up, UNPROCESSABLE for a wrong code. */
export async function confirmSecondFactor(
  tx: Queryable,
  secretKey: Secret,
  { name, code, actor }: { readonly name: string; readonly code: string; readonly actor: Actor },
): Promise<void> {
  const operator = await livingOperator(tx, name)
  if (!(await takeTotp(tx, secretKey, operator, code))) {
    throw new AppError('UNPROCESSABLE', `This is not a code of the second factor that was set up for ${name}.`)
  }
  await confirmTotp(tx, operator)
  await audit(tx, { actor, action: 'add second factor', subject: `operator:${name}` })
}

/** For an operator who lost the authenticator. @throws AppError NOT_FOUND where there is none. */
export async function removeSecondFactor(tx: Queryable, name: string, actor: Actor): Promise<void> {
  if (!(await removeTotp(tx, await livingOperator(tx, name)))) {
    throw new AppError('NOT_FOUND', `${name} has no second factor.`)
  }
  await audit(tx, { actor, action: 'remove second factor', subject: `operator:${name}` })
}

/** @throws AppError SECOND_FACTOR_REQUIRED: with a second factor, the token alone is not enough. */
export function refuseTokenAlone({ name, hasSecondFactor }: KnownOperator): void {
  if (hasSecondFactor !== true) return
  const message = `${name} has a second factor: sign in at /console with a code. Use a separate operator for programs.`
  throw new AppError('SECOND_FACTOR_REQUIRED', message)
}

/**
 * Requires the second factor of an operator who presented the token. @throws AppError SECOND_FACTOR_REQUIRED,
 * LOGIN_THROTTLED
 */
export async function requireSecondFactor(
  db: Db,
  secretKey: Secret,
  operator: KnownOperator,
  code: string | undefined,
): Promise<void> {
  if (operator.hasSecondFactor !== true) return
  if (code === undefined) {
    throw new AppError('SECOND_FACTOR_REQUIRED', 'Send the current code of the authenticator with the token, as totp.')
  }
  await requireCode(db, operator.id, (tx) => takeTotp(tx, secretKey, { kind: 'operator', id: operator.id }, code))
}

async function livingOperator(tx: Queryable, name: string): Promise<TotpHolder> {
  const [row] = await tx.query<{ id: string }>(
    'SELECT operator_id AS id FROM access.operator WHERE name = $1 AND revoked_at IS NULL',
    [name],
  )
  if (row) return { kind: 'operator', id: row.id }
  throw new AppError(
    'NOT_FOUND',
    `There is no stored operator ${name}; those of the environment have no second factor.`,
  )
}
