/**
 * Which person an identity of the provider is: the one that it is bound to, or, the first time, the one whose address the provider
 * has verified. An address of several accounts leads to the one that was signed in to last, of those that are not suspended. What
 * comes out is a code, as of a link. Who had joined by links is told by e-mail that the provider lets them in, too.
 */
import { randomBytes } from 'node:crypto'
import { invitations, oidcCodeMinutes } from '../../../config/sign-in.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import { sha256 } from '../api-keys.ts'
import type { OidcIdentity } from './sign-in-flow.ts'

/** @returns the code, which cannot be read again. @throws AppError OIDC_REFUSED where there is no such person. */
export async function codeForIdentity(db: Db, { issuer, subject, email }: OidcIdentity): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  const made = await db.execute(
    `WITH known AS (
       SELECT p.person_id, p.account_id, a.username,
         p.joined_at IS NOT NULL AND (p.oidc_issuer, p.oidc_subject) IS DISTINCT FROM ($1, $2) AS "isNew"
       FROM access.person p JOIN access.account a USING (account_id)
       WHERE p.removed_at IS NULL AND a.erased_at IS NULL
         AND (p.joined_at IS NOT NULL OR p.invited_at > now() - make_interval(days => $5))
         AND (p.oidc_issuer = $1 AND p.oidc_subject = $2
              OR lower(p.email) = $3 AND (p.oidc_issuer IS DISTINCT FROM $1 OR p.oidc_subject IS NULL))
       ORDER BY a.suspended_at IS NULL DESC, p.last_used_at DESC NULLS LAST, p.oidc_subject IS NOT DISTINCT FROM $2 DESC, p.person_id
       LIMIT 1
     ), bound AS (
       UPDATE access.person p SET oidc_issuer = $1, oidc_subject = $2 FROM known WHERE p.person_id = known.person_id
       RETURNING p.person_id, p.account_id
     ), told AS (
       INSERT INTO deliver.mail (account_id, person_id, type, about, data, next_attempt_at)
       SELECT account_id, person_id, 'sign-in-changed', gen_random_uuid(),
         jsonb_build_object('account', username, 'change', 'provider-added', 'by', 'person'), clock_timestamp()
       FROM known WHERE "isNew"
     )
     INSERT INTO access.sign_in_code (code_sha256, account_id, person_id, expires_at)
     SELECT $4, account_id, person_id, now() + make_interval(mins => $6) FROM bound`,
    [issuer, subject, email ?? null, sha256(code), invitations.days, oidcCodeMinutes],
  )
  if (made === 1) return code
  throw new AppError(
    'OIDC_REFUSED',
    email === undefined
      ? 'The sign-in provider has not verified your e-mail address.'
      : 'Nobody of this Panji has this address. Ask an admin of your account to invite you.',
    { extra: { reason: email === undefined ? 'unverified' : 'nobody' } },
  )
}
