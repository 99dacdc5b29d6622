/**
 * One sealed row that identifies the secret key of this database. A process with another key finds out at its start,
 * and whoever seals a value uses the key of the row and locks it, so that nothing is sealed under a key that a rotation
 * has just retired.
 */

import type { Queryable, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import { findKey, keyIdOf } from './key-chain.ts'
import { seal, unseal } from './seal.ts'
import { type SealedColumn, sealedColumns } from './sealed-columns.ts'
import { newestValue } from './sealed-values.ts'

interface Canary {
  readonly keyId: string
  readonly sealed: Buffer
}

const song = 'the secret key is the right one'
const useOf = (keyId: string) => ({ purpose: 'panji canary', boundTo: keyId })

/**
 * The current sealing key, which no rotation can change until the transaction ends. @throws AppError SECRET_KEY_WRONG
 */
export async function sealingKey(tx: Tx, keys: Secret): Promise<Secret> {
  const key = await findSealingKey(tx, keys)
  if (!key) throw secretKeyWrong()
  return key
}

/** The same, for values that can be sealed later, when the right key is there. */
export async function findSealingKey(tx: Tx, keys: Secret): Promise<Secret | undefined> {
  const canary = (await readCanary(tx, 'FOR SHARE')) ?? (await firstCanary(tx, keys))
  return canary && openedBy(canary, keys)
}

/** @throws AppError SECRET_KEY_WRONG where the database is sealed under a key that is not in `keys`. */
export async function checkSecretKey(db: Queryable, keys: Secret): Promise<void> {
  if (!(await isSealedUnder(db, keys))) throw secretKeyWrong()
}

/** Also true for a database in which nothing was ever sealed. */
export async function isSealedUnder(db: Queryable, keys: Secret): Promise<boolean> {
  const canary = await readCanary(db)
  return canary === undefined || openedBy(canary, keys) !== undefined
}

/** Locks the row against everyone who seals, and returns its key; undefined where `keys` does not have it. */
export async function holdCanary(tx: Tx, keys: Secret): Promise<Secret | undefined> {
  const canary = (await readCanary(tx, 'FOR UPDATE')) ?? (await firstCanary(tx, keys))
  return canary && findKey(keys, canary.keyId)
}

export async function writeCanary(tx: Tx, key: Secret): Promise<void> {
  const keyId = keyIdOf(key)
  await tx.execute(
    `INSERT INTO runtime.secret_canary (key_id, sealed) VALUES ($1, $2)
     ON CONFLICT (only_one) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed, sealed_at = now()`,
    [keyId, seal(song, useOf(keyId), key)],
  )
}

async function readCanary(db: Queryable, lock: '' | 'FOR SHARE' | 'FOR UPDATE' = ''): Promise<Canary | undefined> {
  const [row] = await db.query<Canary>(sql`SELECT key_id AS "keyId", sealed FROM runtime.secret_canary ${lock}`)
  return row
}

/** A database without the row is new, or comes from a release without it: then its sealed values must open. */
async function firstCanary(tx: Tx, keys: Secret): Promise<Canary | undefined> {
  const lasting = sealedColumns.filter(({ passing }) => !passing)
  for (const column of lasting) if (!(await opensNewest(tx, column, keys))) return undefined
  const keyId = keyIdOf(keys)
  // Two processes that start together: the second waits for the first, and then reads its row.
  await tx.execute('INSERT INTO runtime.secret_canary (key_id, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    keyId,
    seal(song, useOf(keyId), keys),
  ])
  const canary = await readCanary(tx, 'FOR SHARE')
  if (!canary) throw new Error('the canary disappeared while it was being written')
  return canary
}

async function opensNewest(tx: Tx, column: SealedColumn, keys: Secret): Promise<boolean> {
  const row = await newestValue(tx, column)
  return !row || unseal(row.sealed, { purpose: column.purpose, boundTo: row.boundTo }, keys) !== undefined
}

function openedBy({ keyId, sealed }: Canary, keys: Secret): Secret | undefined {
  const key = findKey(keys, keyId)
  return key && unseal(sealed, useOf(keyId), key) === song ? key : undefined
}

export function secretKeyWrong(): AppError {
  return new AppError(
    'SECRET_KEY_WRONG',
    'PANJI_SECRET_KEY is not the key that this database is sealed under. Set the variable to that key or, where it is ' +
      'not set, restore the file secret-key of the data directory from its backup. Where the key is lost for good, ' +
      '`panji secrets rotate --lost` deletes what was sealed: destinations need their settings again.',
    { retry: 'patiently' },
  )
}
