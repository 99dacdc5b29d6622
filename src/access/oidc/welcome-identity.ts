/**
 * The people that an identity of the provider belongs to: in each account the one that it is bound to, or, the first
 * time, the one with the e-mail address that the provider verified. Returns a code for each, like that of a link; a
 * person of several accounts chooses on the page. A person who had joined by link is notified by e-mail that the
 * provider can now sign them in.
 */
import { randomBytes } from 'node:crypto'
import { invitations, oidcAccountsMax, oidcCodeMinutes } from '../../../config/sign-in.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { sha256 } from '../api-keys.ts'
import type { OidcIdentity } from './sign-in-flow.ts'

export interface AccountCode {
  readonly account: string
  /** It cannot be read again. */
  readonly code: string
}

interface Known {
  readonly personId: string
  readonly accountId: string
  readonly username: string
  readonly isNew: boolean
}

/**
 * @returns codes, the most recently used first; suspended accounts only if there are no others. @throws AppError
 * OIDC_REFUSED where there is no such person.
 */
export function codesForIdentity(db: Db, identity: OidcIdentity): Promise<AccountCode[]> {
  return db.transaction(async (tx) => {
    const known = await readPeople(tx, identity)
    if (known.length === 0) throw nobody(identity)
    const codes: AccountCode[] = []
    for (const person of known) codes.push({ account: person.username, code: await bind(tx, identity, person) })
    return codes
  })
}

async function readPeople(tx: Tx, { issuer, subject, email }: OidcIdentity): Promise<Known[]> {
  return tx.query<Known>(
    `WITH known AS (
       SELECT p.person_id, p.account_id, a.username, a.suspended_at IS NOT NULL AS suspended, p.last_used_at,
         p.joined_at IS NOT NULL AND (p.oidc_issuer, p.oidc_subject) IS DISTINCT FROM ($1, $2) AS "isNew",
         row_number() OVER (PARTITION BY p.account_id
           ORDER BY p.last_used_at DESC NULLS LAST, p.oidc_subject IS NOT DISTINCT FROM $2 DESC, p.person_id) AS place
       FROM access.person p JOIN access.account a USING (account_id)
       WHERE p.removed_at IS NULL AND a.erased_at IS NULL
         AND (p.joined_at IS NOT NULL OR p.invited_at > now() - make_interval(days => $4))
         AND (p.oidc_issuer = $1 AND p.oidc_subject = $2
              OR lower(p.email) = $3 AND (p.oidc_issuer IS DISTINCT FROM $1 OR p.oidc_subject IS NULL))
     ), open AS (
       SELECT *, bool_and(suspended) OVER () AS "noOther" FROM known WHERE place = 1
     )
     SELECT person_id AS "personId", account_id AS "accountId", username, "isNew" FROM open
     WHERE NOT suspended OR "noOther"
     ORDER BY last_used_at DESC NULLS LAST, person_id LIMIT $5`,
    [issuer, subject, email ?? null, invitations.days, oidcAccountsMax],
  )
}

async function bind(tx: Tx, { issuer, subject }: OidcIdentity, person: Known): Promise<string> {
  const { personId, accountId, username, isNew } = person
  const code = randomBytes(32).toString('base64url')
  await tx.execute('UPDATE access.person SET oidc_issuer = $1, oidc_subject = $2 WHERE person_id = $3', [
    issuer,
    subject,
    personId,
  ])
  if (isNew) {
    await tx.execute(
      `INSERT INTO deliver.mail (account_id, person_id, type, about, data, next_attempt_at)
       VALUES ($1, $2, 'sign-in-changed', gen_random_uuid(),
         jsonb_build_object('account', $3::text, 'change', 'provider-added', 'by', 'person'), clock_timestamp())`,
      [accountId, personId, username],
    )
  }
  await tx.execute(
    `INSERT INTO access.sign_in_code (code_sha256, account_id, person_id, expires_at)
     VALUES ($1, $2, $3, now() + make_interval(mins => $4))`,
    [sha256(code), accountId, personId, oidcCodeMinutes],
  )
  return code
}

const nobody = ({ email }: OidcIdentity) =>
  new AppError(
    'OIDC_REFUSED',
    email === undefined
      ? 'The sign-in provider has not verified your e-mail address.'
      : 'No one in this Panji has this address. Ask an admin of your account to invite you.',
    { extra: { reason: email === undefined ? 'unverified' : 'nobody' } },
  )
