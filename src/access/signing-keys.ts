/**
 * The keys that sign access tokens: Ed25519, stored with the private half encrypted under the instance's secret.
 *
 * The first key is made at first use; processes that start together agree on one through an advisory lock. The
 * database is asked for the current key at each signing, so a rotation holds everywhere at once. A retired key
 * signs no more and verifies until its last token has expired.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8, type JWK } from 'jose'
import type { Db, Queryable } from '../db/db.ts'
import type { Secret } from '../domain/secret.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError } from '../errors.ts'
import { audit } from './audit.ts'

/** The one algorithm; a token that names another is refused before any key is looked up. */
export const signingAlgorithm = 'EdDSA'
/** Key of the advisory lock: the letters "pkey" as a number. */
const keyLock = 0x706b6579

export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
}

export interface KeyRing {
  /** The key that signs now, made when there is none. */
  current(db: Db): Promise<SigningKey>
  /** @returns undefined for a key id that was never issued. */
  publicKey(db: Queryable, kid: string): Promise<CryptoKey | undefined>
}

export function createKeyRing(secretKey: Secret): KeyRing {
  const wrappingKey = wrappingKeyOf(secretKey)
  const privateKeys = new Map<string, CryptoKey>()
  const publicKeys = new Map<string, CryptoKey>()

  return {
    async current(db) {
      const stored = (await newestKey(db)) ?? (await makeFirstKey(db, wrappingKey))
      const known = privateKeys.get(stored.kid)
      if (known) return { kid: stored.kid, privateKey: known }
      const privateKey = await importPKCS8(decrypt(stored.privateEncrypted, wrappingKey, stored.kid), signingAlgorithm)
      privateKeys.set(stored.kid, privateKey)
      return { kid: stored.kid, privateKey }
    },
    async publicKey(db, kid) {
      const known = publicKeys.get(kid)
      if (known || !isUuid(kid)) return known
      const [row] = await db.query<{ jwk: JWK }>('SELECT public_jwk AS jwk FROM access.signing_key WHERE kid = $1', [
        kid,
      ])
      if (!row) return undefined
      const key = (await importJWK(row.jwk, signingAlgorithm)) as CryptoKey
      publicKeys.set(kid, key)
      return key
    },
  }
}

/** Retires the signing keys and makes a new one; tokens signed before stay valid until they expire. */
export async function rotateSigningKey(db: Db, secretKey: Secret): Promise<{ kid: string }> {
  return db.transaction(async (tx) => {
    await tx.execute('SELECT pg_advisory_xact_lock($1)', [keyLock])
    await tx.execute('UPDATE access.signing_key SET retired_at = now() WHERE retired_at IS NULL')
    const { kid } = await insertKey(tx, wrappingKeyOf(secretKey))
    await audit(tx, { actor: 'operator', action: 'rotate signing key', subject: kid })
    return { kid }
  })
}

interface StoredKey {
  readonly kid: string
  readonly privateEncrypted: Buffer
}

async function newestKey(db: Queryable): Promise<StoredKey | undefined> {
  const [key] = await db.query<StoredKey>(
    `SELECT kid, private_encrypted AS "privateEncrypted" FROM access.signing_key
     WHERE retired_at IS NULL ORDER BY created_at DESC, kid LIMIT 1`,
  )
  return key
}

function makeFirstKey(db: Db, wrappingKey: Buffer): Promise<StoredKey> {
  return db.transaction(async (tx) => {
    await tx.execute('SELECT pg_advisory_xact_lock($1)', [keyLock])
    return (await newestKey(tx)) ?? (await insertKey(tx, wrappingKey))
  })
}

async function insertKey(tx: Queryable, wrappingKey: Buffer): Promise<StoredKey> {
  const kid = randomUUID()
  const pair = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true })
  const privateEncrypted = encrypt(await exportPKCS8(pair.privateKey), wrappingKey, kid)
  // clock_timestamp(): two rotations in one transaction still have an order.
  await tx.execute(
    `INSERT INTO access.signing_key (kid, public_jwk, private_encrypted, created_at)
     VALUES ($1, $2, $3, clock_timestamp())`,
    [kid, JSON.stringify(await exportJWK(pair.publicKey)), privateEncrypted],
  )
  return { kid, privateEncrypted }
}

function wrappingKeyOf(secretKey: Secret): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey.reveal(), '', 'panji signing keys', 32))
}

/** nonce (12) · tag (16) · ciphertext; the key id is additional data, so a row's ciphertext fits no other row. */
function encrypt(text: string, wrappingKey: Buffer, kid: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', wrappingKey, nonce).setAAD(Buffer.from(kid))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

function decrypt(stored: Buffer, wrappingKey: Buffer, kid: string): string {
  const decipher = createDecipheriv('aes-256-gcm', wrappingKey, stored.subarray(0, 12))
    .setAAD(Buffer.from(kid))
    .setAuthTag(stored.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(stored.subarray(28)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new AppError(
      'CONFIG_INVALID',
      'The signing key does not open with this PANJI_SECRET_KEY. Restore the secret that it was written with.',
      { cause },
    )
  }
}
