/**
 * Sign-in links for browsers: for each account with a person of this e-mail address, an e-mail is queued. Its code is
 * generated when it is sent, so it is only ever stored hashed. The response is the same for everybody.
 */
import { createHash } from 'node:crypto'
import { signInLinks } from '../../config/sign-in.ts'
import { audit } from '../audit/audit.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import { sqlFile } from '../db/sql-file.ts'
import { scopesOfRole } from '../domain/account-role.ts'
import { addressBucket } from '../domain/client-address.ts'
import { countInTurn } from '../limits/counter.ts'
import { sha256 } from './api-keys.ts'
import type { ActingPerson } from './people.ts'
import type { SessionOwner } from './session-owner.ts'

const requestSql = sqlFile(import.meta.url, 'request-sign-in-link.sql')

const codeShape = /^[\w-]{43}$/
export const isSignInCodeShaped = (text: string): boolean => codeShape.test(text)

/** If requested too often, nothing is sent and nothing is reported. */
export async function requestSignInLink(db: Db, email: string, ip: string): Promise<void> {
  const requested = email.trim().toLowerCase()
  const address = addressBucket(ip)
  const hash = createHash('sha256').update(`sign in ${requested}`).digest()
  await db.transaction(async (tx) => {
    await countInTurn(tx, [`sign-in address ${address}`, `sign-in e-mail ${hash.toString('hex')}`])
    const { windowMinutes, perAddressMax, perEmailMax } = signInLinks
    await tx.execute(requestSql, [address, hash, requested, windowMinutes, perAddressMax, perEmailMax])
  })
}

/** @returns the person whom a code would currently sign in. */
export async function personOfCode(db: Queryable, code: string): Promise<string | undefined> {
  const [found] = await db.query<{ personId: string }>(
    `SELECT person_id AS "personId" FROM access.sign_in_code
     WHERE code_sha256 = $1 AND used_at IS NULL AND expires_at > now()`,
    [sha256(code)],
  )
  return found?.personId
}

/**
 * Uses the code up. The first one that a person uses accepts the invitation. The account is locked before its people,
 * as in an erasure, so that the two cannot deadlock. @returns undefined for a code that is unknown, already used or
 * expired.
 */
export async function takeSignInCode(tx: Tx, code: string): Promise<SessionOwner | undefined> {
  const [account] = await tx.query<
    Pick<SessionOwner, 'accountId' | 'email' | 'username' | 'suspended' | 'mustAddSecondFactor'>
  >(
    `SELECT a.account_id AS "accountId", a.email, a.username, a.suspended_at IS NOT NULL AS suspended,
            a.second_factor_required AND NOT EXISTS (
              SELECT FROM access.person_totp t WHERE t.person_id = c.person_id AND t.confirmed_at IS NOT NULL
            ) AS "mustAddSecondFactor"
     FROM access.sign_in_code c JOIN access.account a USING (account_id)
     WHERE c.code_sha256 = $1 AND a.erased_at IS NULL FOR SHARE OF a`,
    [sha256(code)],
  )
  if (!account) return undefined
  const [used] = await tx.query<{ personId: string }>(
    `UPDATE access.sign_in_code SET used_at = now()
     WHERE code_sha256 = $1 AND used_at IS NULL AND expires_at > now() RETURNING person_id AS "personId"`,
    [sha256(code)],
  )
  const person = used && !account.suspended ? await welcome(tx, account.accountId, used.personId) : undefined
  if (!used || (!person && !account.suspended)) return undefined
  return { ...account, apiKeyId: null, person: person ?? null, scopes: person ? scopesOfRole[person.role] : [] }
}

async function welcome(tx: Queryable, accountId: string, personId: string): Promise<ActingPerson | undefined> {
  const [joined] = await tx.query(
    'UPDATE access.person SET joined_at = now() WHERE person_id = $1 AND joined_at IS NULL AND removed_at IS NULL RETURNING 1',
    [personId],
  )
  const [person] = await tx.query<ActingPerson>(
    `UPDATE access.person SET last_used_at = now() WHERE person_id = $1 AND removed_at IS NULL
     RETURNING person_id AS "personId", name, email, role`,
    [personId],
  )
  if (joined) {
    await audit(tx, { actor: `account:${accountId}`, action: 'join team', subject: personId, credential: personId })
  }
  return person
}
