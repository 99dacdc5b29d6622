/**
 * Secrets of second factors, for operators and people of accounts alike: stored sealed during setup, and activated by
 * the first valid code. A code works once.
 */
import type { Queryable, Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Secret } from '../domain/secret.ts'
import { AppError } from '../errors.ts'
import { sealingKey } from '../secrets/canary.ts'
import { seal, unseal } from '../secrets/seal.ts'
import { personTotpColumn, type SealedColumn, totpColumn } from '../secrets/sealed-columns.ts'
import { base32, newTotpSecret, otpauthUrl, stepOf } from './totp.ts'

/** The holder. `lost` says who can remove a secret that is sealed under another secret key. */
export interface TotpHolder {
  readonly kind: 'operator' | 'person'
  readonly id: string
}

const kinds = {
  operator: {
    column: totpColumn,
    lost: 'An owner can remove it: panji operator totp NAME --remove.',
  },
  person: {
    column: personTotpColumn,
    lost: 'An admin of the account or an operator can remove it: panji account second-factor USER_ID PERSON --remove.',
  },
} as const satisfies Record<TotpHolder['kind'], { readonly column: SealedColumn; readonly lost: string }>

export interface BegunSecondFactor {
  /** In base32, for manual entry. */
  readonly secret: string
  readonly url: string
}

/** Starting again creates another secret. @returns undefined where one is active. */
export async function beginTotp(
  tx: Tx,
  secretKey: Secret,
  { kind, id }: TotpHolder,
  name: string,
): Promise<BegunSecondFactor | undefined> {
  const { table, purpose, id: key } = kinds[kind].column
  const secret = newTotpSecret()
  const sealed = seal(secret.toString('hex'), { purpose, boundTo: id }, await sealingKey(tx, secretKey))
  const begun = await tx.execute(
    sql`INSERT INTO ${table} AS begun (${key}, secret_encrypted) VALUES ($1, $2)
     ON CONFLICT (${key}) DO UPDATE SET secret_encrypted = $2, created_at = now(), last_step = 0
       WHERE begun.confirmed_at IS NULL`,
    [id, sealed],
  )
  return begun === 0 ? undefined : { secret: base32(secret), url: otpauthUrl(secret, name) }
}

/** @returns whether the code is currently valid and unused; it is then used up. @throws AppError SECRET_KEY_WRONG */
export async function takeTotp(
  tx: Queryable,
  secretKey: Secret,
  { kind, id }: TotpHolder,
  code: string,
): Promise<boolean> {
  const { column, lost } = kinds[kind]
  const { table, purpose, id: key } = column
  const [row] = await tx.query<{ sealed: Buffer; nowMs: number }>(
    sql`SELECT secret_encrypted AS sealed, extract(epoch FROM clock_timestamp()) * 1000 AS "nowMs"
     FROM ${table} WHERE ${key} = $1`,
    [id],
  )
  if (!row) return false
  const secret = unseal(row.sealed, { purpose, boundTo: id }, secretKey)
  if (secret === undefined) {
    throw new AppError('SECRET_KEY_WRONG', `The second factor is sealed under another secret key. ${lost}`)
  }
  const step = stepOf(Buffer.from(secret, 'hex'), code, row.nowMs)
  if (step === undefined) return false
  const updated = await tx.execute(sql`UPDATE ${table} SET last_step = $2 WHERE ${key} = $1 AND last_step < $2`, [
    id,
    step,
  ])
  return updated === 1
}

/** Activates what was set up. The caller has checked a code of it. */
export async function confirmTotp(tx: Queryable, { kind, id }: TotpHolder): Promise<void> {
  const { table, id: key } = kinds[kind].column
  await tx.execute(sql`UPDATE ${table} SET confirmed_at = coalesce(confirmed_at, now()) WHERE ${key} = $1`, [id])
}

/** @returns whether there was one. */
export async function removeTotp(tx: Queryable, { kind, id }: TotpHolder): Promise<boolean> {
  const { table, id: key } = kinds[kind].column
  return (await tx.execute(sql`DELETE FROM ${table} WHERE ${key} = $1`, [id])) > 0
}
