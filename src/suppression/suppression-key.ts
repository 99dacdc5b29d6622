/**
 * The key that the suppression list is hashed with: created once, sealed under PANJI_SECRET_KEY, and set on every
 * connection. Rotating the secret key reseals it; the hashes stay.
 */
import { randomBytes } from 'node:crypto'
import type { Queryable, Tx } from '../db/db.ts'
import type { Secret } from '../domain/secret.ts'
import { findSealingKey } from '../secrets/canary.ts'
import { seal, unseal } from '../secrets/seal.ts'
import { suppressionKeyColumn } from '../secrets/sealed-columns.ts'

export type SuppressionSettings = Readonly<Record<string, string>>

const use = { purpose: suppressionKeyColumn.purpose, boundTo: 'suppression list' }
/** Block size of SHA-256. */
const blockBytes = 64

/** Creates the key if there is none or the existing one is lost; needs the owner's rights. */
export async function ensureSuppressionKey(tx: Tx, keys: Secret): Promise<void> {
  const sealing = await findSealingKey(tx, keys)
  if (!sealing) return
  await tx.execute(
    `INSERT INTO runtime.suppression_key (sealed) VALUES ($1)
     ON CONFLICT (only_one) DO UPDATE SET sealed = excluded.sealed, created_at = now() WHERE suppression_key.sealed = ''`,
    [seal(randomBytes(32).toString('hex'), use, sealing)],
  )
}

/**
 * Settings of connections; empty if the key is missing or cannot be unsealed: they then fail once the list has entries.
 */
export async function suppressionSettings(db: Queryable, keys: Secret): Promise<SuppressionSettings> {
  const [row] = await db.query<{ sealed: Buffer }>('SELECT sealed FROM runtime.suppression_key')
  const key = row && unseal(row.sealed, use, keys)
  return key === undefined ? {} : settingsOf(Buffer.from(key, 'hex'))
}

/** The key as HMAC uses it: the inner block followed by the outer one, as access.suppression_hash reads them. */
export function settingsOf(key: Buffer): SuppressionSettings {
  const padded = Buffer.concat([key, Buffer.alloc(blockBytes - key.length)])
  const block = (mask: number) => padded.map((byte) => byte ^ mask)
  return { 'panji.suppression_key': Buffer.concat([block(0x36), block(0x5c)]).toString('hex') }
}
