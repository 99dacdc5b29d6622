/**
 * The key that signs receipts: Ed25519, generated on first use, its private half sealed. Concurrent processes agree
 * on one key.
 */
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWK } from 'jose'
import type { Db, Queryable } from '../../db/db.ts'
import type { Secret } from '../../domain/secret.ts'
import { sealingKey, secretKeyWrong } from '../../secrets/canary.ts'
import { seal, unseal } from '../../secrets/seal.ts'
import { receiptKeyColumn } from '../../secrets/sealed-columns.ts'

const algorithm = 'EdDSA'
/** Key of the advisory lock: the letters "rcpt" as a number. */
const keyLock = 0x72637074

interface StoredKey {
  readonly kid: string
  readonly publicJwk: JWK
  readonly sealed: Buffer
}

export interface ReceiptKey {
  readonly publicJwk: JWK
  readonly privateKey: Awaited<ReturnType<typeof importPKCS8>>
}

/** @throws AppError SECRET_KEY_WRONG */
export async function receiptKey(db: Db, secretKey: Secret): Promise<ReceiptKey> {
  const stored = (await newestKey(db)) ?? (await makeKey(db, secretKey))
  const pem = unseal(stored.sealed, useOf(stored.kid), secretKey)
  if (pem === undefined) throw secretKeyWrong()
  return { publicJwk: stored.publicJwk, privateKey: await importPKCS8(pem, algorithm) }
}

async function newestKey(db: Queryable): Promise<StoredKey | undefined> {
  const [row] = await db.query<StoredKey>(
    `SELECT kid, public_jwk AS "publicJwk", private_encrypted AS sealed FROM deliver.receipt_key
     WHERE octet_length(private_encrypted) > 0 ORDER BY created_at DESC, kid LIMIT 1`,
  )
  return row
}

/** Takes the canary before the lock, in the same order as a key rotation. */
function makeKey(db: Db, secretKey: Secret): Promise<StoredKey> {
  return db.transaction(async (tx) => {
    const key = await sealingKey(tx, secretKey)
    await tx.execute('SELECT pg_advisory_xact_lock($1)', [keyLock])
    const before = await newestKey(tx)
    if (before) return before
    const pair = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true })
    const publicJwk = await exportJWK(pair.publicKey)
    const kid = await calculateJwkThumbprint(publicJwk)
    const sealed = seal(await exportPKCS8(pair.privateKey), useOf(kid), key)
    await tx.execute('INSERT INTO deliver.receipt_key (kid, public_jwk, private_encrypted) VALUES ($1, $2, $3)', [
      kid,
      JSON.stringify(publicJwk),
      sealed,
    ])
    return { kid, publicJwk, sealed }
  })
}

const useOf = (kid: string) => ({ purpose: receiptKeyColumn.purpose, boundTo: kid })
