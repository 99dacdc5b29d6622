/**
 * A rotation of the secret key: every sealed value is resealed under the new key, and the canary with them, in one
 * transaction. Repeated under the same key it reseals everything and does no harm.
 */

import type { Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import { holdCanary, secretKeyWrong, writeCanary } from './canary.ts'
import { keyIdOf } from './key-chain.ts'
import { seal, unseal } from './seal.ts'
import { destinationColumn, type SealedColumn, signingKeyColumn } from './sealed-columns.ts'
import { forgetValues, heldValues, presentColumns, type SealedValue, writeValues } from './sealed-values.ts'

export interface Rotation {
  readonly keyId: string
  /** null where the key was lost. */
  readonly previousKeyId: string | null
  /** Values resealed, by table. */
  readonly resealed: Readonly<Record<string, number>>
}

/** @throws AppError SECRET_KEY_WRONG where a value cannot be opened; then nothing is changed. */
export async function rotateSecretKey(tx: Tx, keys: Secret, next: Secret): Promise<Rotation> {
  const previous = await holdCanary(tx, keys)
  if (!previous) throw secretKeyWrong()
  const resealed: Record<string, number> = {}
  for (const column of await presentColumns(tx)) resealed[column.table] = await resealColumn(tx, column, keys, next)
  await writeCanary(tx, next)
  return { keyId: keyIdOf(next), previousKeyId: keyIdOf(previous), resealed }
}

async function resealColumn(tx: Tx, column: SealedColumn, keys: Secret, next: Secret): Promise<number> {
  const { table, purpose, passing, isRecognisable } = column
  let resealed = 0
  for await (const values of heldValues(tx, column)) {
    const anew: SealedValue[] = []
    for (const value of values) {
      const use = { purpose, boundTo: value.boundTo, ...(isRecognisable && { isRecognisable }) }
      const text = unseal(value.sealed, use, keys)
      if (text !== undefined) anew.push({ ...value, sealed: seal(text, use, next) })
      else if (!passing) {
        throw new AppError(
          'SECRET_KEY_WRONG',
          `The sealed value of ${table} ${value.id} cannot be opened; nothing was changed.`,
        )
      }
    }
    await writeValues(tx, column, anew)
    resealed += anew.length
  }
  return resealed
}

/**
 * For a lost key: deletes the signing keys, so access tokens end and sessions are refreshed; destinations are broken
 * until they get their settings again, URLs with credentials are refused until they are given again, and responses
 * stored under an Idempotency-Key are neither replayed nor executed again.
 */
export async function forgetSealed(tx: Tx, key: Secret): Promise<Rotation> {
  await tx.query('SELECT FROM runtime.secret_canary FOR UPDATE')
  await tx.execute(sql`DELETE FROM ${signingKeyColumn.table}`)
  // Paused ones stay so: with new settings, they wait until their owner resumes them.
  await tx.execute(
    sql`UPDATE ${destinationColumn.table} SET status = 'broken',
       status_reason = 'its settings were lost with the secret key; give them again'
     WHERE ${destinationColumn.column} <> '' AND status IN ('active', 'broken')`,
  )
  for (const column of await presentColumns(tx)) await forgetValues(tx, column)
  await writeCanary(tx, key)
  return { keyId: keyIdOf(key), previousKeyId: null, resealed: {} }
}
