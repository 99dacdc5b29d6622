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
import { refusedBy } from '../limits/refused-by.ts'
import { sealingKey } from '../secrets/canary.ts'
import { seal, unseal } from '../secrets/seal.ts'
import { totpColumn } from '../secrets/sealed-columns.ts'
import { countFailure, lockAttempts, throttleSeconds } from './login-throttle.ts'
import type { KnownOperator } from './operators.ts'
import { base32, newTotpSecret, otpauthUrl, stepOf } from './totp.ts'

const useOf = (operatorId: string) => ({ purpose: totpColumn.purpose, boundTo: operatorId })

export interface BegunSecondFactor {
  /** In base32, for who types it. */
  readonly secret: string
  readonly url: string
}

/**
 * Begun again it has another secret.
 * @throws AppError NOT_FOUND when no living stored operator has the name, CONFLICT when a second factor is in force.
 */
export async function beginSecondFactor(tx: Tx, secretKey: Secret, name: string): Promise<BegunSecondFactor> {
  const operatorId = await livingOperator(tx, name)
  const secret = newTotpSecret()
  const sealed = seal(secret.toString('hex'), useOf(operatorId), await sealingKey(tx, secretKey))
  const begun = await tx.execute(
    `INSERT INTO access.operator_totp (operator_id, secret_encrypted) VALUES ($1, $2)
     ON CONFLICT (operator_id) DO UPDATE SET secret_encrypted = $2, created_at = now(), last_step = 0
       WHERE operator_totp.confirmed_at IS NULL`,
    [operatorId, sealed],
  )
  if (begun === 0) {
    throw new AppError(
      'CONFLICT',
      `${name} has a second factor already. Remove it first: panji operator totp ${name} --remove.`,
    )
  }
  return { secret: base32(secret), url: otpauthUrl(secret, name) }
}

/** @throws AppError NOT_FOUND where none was begun, UNPROCESSABLE for a code that is not right. */
export async function confirmSecondFactor(
  tx: Queryable,
  secretKey: Secret,
  { name, code, actor }: { readonly name: string; readonly code: string; readonly actor: Actor },
): Promise<void> {
  const operatorId = await livingOperator(tx, name)
  if (!(await takeCode(tx, secretKey, operatorId, code))) {
    throw new AppError('UNPROCESSABLE', `This is no code of the second factor that was begun for ${name}.`)
  }
  await tx.execute(
    'UPDATE access.operator_totp SET confirmed_at = coalesce(confirmed_at, now()) WHERE operator_id = $1',
    [operatorId],
  )
  await audit(tx, { actor, action: 'add second factor', subject: `operator:${name}` })
}

/** For who has lost the authenticator. @throws AppError NOT_FOUND where there is none. */
export async function removeSecondFactor(tx: Queryable, name: string, actor: Actor): Promise<void> {
  const operatorId = await livingOperator(tx, name)
  const removed = await tx.execute('DELETE FROM access.operator_totp WHERE operator_id = $1', [operatorId])
  if (removed === 0) throw new AppError('NOT_FOUND', `${name} has no second factor.`)
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
  const attempt = { address: `totp ${operator.id}`, keyPrefix: null }
  // A refusal is a value in here: the failure that it records must commit.
  const refusal = await db.transaction(async (tx) => {
    await lockAttempts(tx, attempt)
    const seconds = await throttleSeconds(tx, attempt)
    if (seconds > 0) {
      const message = `Too many wrong codes. The next is read in ${seconds} seconds.`
      return refusedBy('wrongKeys', message, { retryAfterSeconds: seconds })
    }
    if (await takeCode(tx, secretKey, operator.id, code)) return undefined
    await countFailure(tx, attempt)
    return new AppError('SECOND_FACTOR_REQUIRED', 'The code is wrong, or was used already. Send the next one.')
  })
  if (refusal) throw refusal
}

/** @returns whether it is a code of now that has not opened before; then it opens no more. */
async function takeCode(tx: Queryable, secretKey: Secret, operatorId: string, code: string): Promise<boolean> {
  const [row] = await tx.query<{ sealed: Buffer; nowMs: number }>(
    `SELECT secret_encrypted AS sealed, extract(epoch FROM clock_timestamp()) * 1000 AS "nowMs"
     FROM access.operator_totp WHERE operator_id = $1`,
    [operatorId],
  )
  if (!row) return false
  const secret = unseal(row.sealed, useOf(operatorId), secretKey)
  if (secret === undefined) {
    const message =
      'The second factor is sealed under another secret key. An owner removes it: panji operator totp NAME --remove.'
    throw new AppError('SECRET_KEY_WRONG', message)
  }
  const step = stepOf(Buffer.from(secret, 'hex'), code, row.nowMs)
  if (step === undefined) return false
  const taken = await tx.execute(
    'UPDATE access.operator_totp SET last_step = $2 WHERE operator_id = $1 AND last_step < $2',
    [operatorId, step],
  )
  return taken === 1
}

async function livingOperator(tx: Queryable, name: string): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    'SELECT operator_id AS id FROM access.operator WHERE name = $1 AND revoked_at IS NULL',
    [name],
  )
  if (row) return row.id
  throw new AppError(
    'NOT_FOUND',
    `There is no stored operator ${name}; those of the environment have no second factor.`,
  )
}
