/**
 * The second factor of stored operators: begun with a secret for their authenticator, in force from the first code of it
 * that was right. From then on the token alone opens nothing: its operator signs in at the console, with a code.
 *
 * A code opens once. Ten wrong ones within a quarter of an hour are followed by a pause for this operator, whom nobody brings
 * there who has not the token.
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
 * Begun again it has another secret.
 * @throws AppError NOT_FOUND when no living stored operator has the name, CONFLICT when a second factor is in force.
 */
export async function beginSecondFactor(tx: Tx, secretKey: Secret, name: string): Promise<BegunSecondFactor> {
  const begun = await beginTotp(tx, secretKey, await livingOperator(tx, name), name)
  if (begun) return begun
  throw new AppError(
    'CONFLICT',
    `${name} has a second factor already. Remove it first: panji operator totp ${name} --remove.`,
  )
}

/** @throws AppError NOT_FOUND where none was begun, UNPROCESSABLE for a code that is not right. */
export async function confirmSecondFactor(
  tx: Queryable,
  secretKey: Secret,
  { name, code, actor }: { readonly name: string; readonly code: string; readonly actor: Actor },
): Promise<void> {
  const operator = await livingOperator(tx, name)
  if (!(await takeTotp(tx, secretKey, operator, code))) {
    throw new AppError('UNPROCESSABLE', `This is no code of the second factor that was begun for ${name}.`)
  }
  await confirmTotp(tx, operator)
  await audit(tx, { actor, action: 'add second factor', subject: `operator:${name}` })
}

/** For who has lost the authenticator. @throws AppError NOT_FOUND where there is none. */
export async function removeSecondFactor(tx: Queryable, name: string, actor: Actor): Promise<void> {
  if (!(await removeTotp(tx, await livingOperator(tx, name)))) {
    throw new AppError('NOT_FOUND', `${name} has no second factor.`)
  }
  await audit(tx, { actor, action: 'remove second factor', subject: `operator:${name}` })
}

/** @throws AppError SECOND_FACTOR_REQUIRED: where there is one, the token alone opens nothing. */
export function refuseTokenAlone({ name, hasSecondFactor }: KnownOperator): void {
  if (hasSecondFactor !== true) return
  const message = `${name} has a second factor: sign in at /console with a code. Programs have an operator of their own.`
  throw new AppError('SECOND_FACTOR_REQUIRED', message)
}

/**
 * Asks for the second factor of who has come with the token.
 * @throws AppError SECOND_FACTOR_REQUIRED, LOGIN_THROTTLED
 */
export async function requireSecondFactor(
  db: Db,
  secretKey: Secret,
  operator: KnownOperator,
  code: string | undefined,
): Promise<void> {
  if (operator.hasSecondFactor !== true) return
  if (code === undefined) {
    throw new AppError(
      'SECOND_FACTOR_REQUIRED',
      'Send the code that the authenticator shows now beside the token, as totp.',
    )
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
