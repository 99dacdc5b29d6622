/**
 * The receipt of one delivery: what the lead held, what was sent, the CRM's answer and which credit paid for it,
 * signed so that anyone with the public key can verify it independently. Repeated requests give the same receipt.
 */
import { CompactSign, type JWK } from 'jose'
import type { Db } from '../../db/db.ts'
import { sqlFile } from '../../db/sql-file.ts'
import type { Secret } from '../../domain/secret.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import { receiptKey } from './receipt-key.ts'

export interface Receipt {
  readonly delivery_id: string
  readonly order_id: string
  readonly item_id: string
  readonly destination_id: string
  readonly type: string
  readonly remote_account: string | null
  readonly record: string
  /** Of the lead as it was sent, hexadecimal. */
  readonly payload_sha256: string
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly crm_id: string | null
  readonly acknowledged_at: string
  /** Run that last changed the record, and the file that it imported. */
  readonly run_id: number | null
  readonly file_sha256: string | null
  /** Transfer of the credit ledger that paid for the item. */
  readonly ledger_transfer: number | null
  /** The standing order that bought it, and its run; null if a person did. */
  readonly standing_order_id: string | null
  readonly standing_run_id: number | null
}

export interface SignedReceipt {
  readonly receipt: Receipt
  /** The receipt as a JSON Web Signature, EdDSA over Ed25519. */
  readonly jws: string
  readonly key: JWK
}

const receiptSql = sqlFile(import.meta.url, 'receipt.sql')

/** @returns undefined if there is no such delivery, or it is not the given account's. */
async function readReceipt(
  db: Db,
  deliveryId: string,
  accountId?: string,
): Promise<(Receipt & { readonly state: string }) | undefined> {
  if (!isUuid(deliveryId)) return undefined
  const [row] = await db.query<Receipt & { state: string }>(receiptSql, [deliveryId, accountId ?? null])
  return row
}

/** The receipt with the current state; undefined if there is nothing to confirm. */
export async function receiptNow(db: Db, deliveryId: string): Promise<Receipt | undefined> {
  const known = await readReceipt(db, deliveryId)
  if (known?.state !== 'acknowledged') return undefined
  const { state: _state, ...receipt } = known
  return receipt
}

/**
 * @throws AppError NOT_FOUND, CONFLICT before the CRM has acknowledged the lead, or after it was rejected or
 * withdrawn.
 */
export async function signedReceipt(
  db: Db,
  secretKey: Secret,
  deliveryId: string,
  accountId?: string,
): Promise<SignedReceipt> {
  const known = await readReceipt(db, deliveryId, accountId)
  if (!known) throw new AppError('NOT_FOUND', `There is no delivery ${deliveryId}.`)
  const { state, ...receipt } = known
  if (state === 'rejected')
    throw new AppError(
      'CONFLICT',
      'The CRM does not hold this lead, so there is nothing to confirm; its delivery says why',
    )
  if (state !== 'acknowledged')
    throw new AppError('CONFLICT', 'The CRM has not acknowledged this lead, so there is nothing to confirm yet')
  const { publicJwk, privateKey } = await receiptKey(db, secretKey)
  const text = new TextEncoder().encode(JSON.stringify(receipt))
  const jws = await new CompactSign(text).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey)
  return { receipt, jws, key: publicJwk }
}
