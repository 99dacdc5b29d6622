/**
 * Links that sign an account in with a browser. An e-mail address goes in, and where it is an account's, an e-mail is queued;
 * the code is made by whoever sends that, so it lies nowhere but hashed. What comes back is the same for everybody.
 */
import { createHash } from 'node:crypto'
import { signInLinks } from '../../config/sign-in.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { addressBucket } from '../domain/client-address.ts'
import { countInTurn } from '../limits/counter.ts'
import { type ApiKeyOwner, sha256 } from './api-keys.ts'

const requestSql = sqlFile(import.meta.url, 'request-sign-in-link.sql')

const codeShape = /^[\w-]{43}$/
export const isSignInCodeShaped = (text: string): boolean => codeShape.test(text)

/** Asked for too often, nothing is sent, and nobody is told. */
export async function requestSignInLink(db: Db, email: string, ip: string): Promise<void> {
  const asked = email.trim().toLowerCase()
  const address = addressBucket(ip)
  const hash = createHash('sha256').update(`sign in ${asked}`).digest()
  await db.transaction(async (tx) => {
    await countInTurn(tx, [`sign-in address ${address}`, `sign-in e-mail ${hash.toString('hex')}`])
    const { windowMinutes, perAddressMax, perEmailMax } = signInLinks
    await tx.execute(requestSql, [address, hash, asked, windowMinutes, perAddressMax, perEmailMax])
  })
}

/**
 * Takes the code away. The session has the scopes of the widest key of the account, and ends with it.
 * @returns undefined for a code that is unknown, was used or has had its time, and for an account without a key that is good.
 */
export async function takeSignInCode(tx: Tx, code: string): Promise<ApiKeyOwner | undefined> {
  const [taken] = await tx.query<{ accountId: string }>(
    `UPDATE access.sign_in_code SET used_at = now()
     WHERE code_sha256 = $1 AND used_at IS NULL AND expires_at > now() RETURNING account_id AS "accountId"`,
    [sha256(code)],
  )
  return taken && findWidestKey(tx, taken.accountId)
}

async function findWidestKey(tx: Queryable, accountId: string): Promise<ApiKeyOwner | undefined> {
  const [key] = await tx.query<Pick<ApiKeyOwner, 'apiKeyId' | 'accountId' | 'scopes'>>(
    `UPDATE access.api_key SET last_used_at = now()
     WHERE api_key_id = (
       SELECT api_key_id FROM access.api_key
       WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
       ORDER BY cardinality(scopes) DESC, created_at, api_key_id LIMIT 1)
       AND revoked_at IS NULL
     RETURNING api_key_id AS "apiKeyId", account_id AS "accountId", scopes`,
    [accountId],
  )
  if (!key) return undefined
  const [account] = await tx.query<Pick<ApiKeyOwner, 'email' | 'username' | 'suspended'>>(
    `SELECT email, username, suspended_at IS NOT NULL AS suspended FROM access.account
     WHERE account_id = $1 AND erased_at IS NULL FOR SHARE`,
    [accountId],
  )
  return account && { ...key, ...account }
}
