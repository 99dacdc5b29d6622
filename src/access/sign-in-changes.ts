/**
 * E-mails about changes to how a person signs in, queued in the transaction of the change. People cannot opt out of
 * them.
 */
import type { Queryable } from '../db/db.ts'

export interface SignInChange {
  readonly personId: string
  readonly change: 'factor-added' | 'codes-renewed' | 'factor-removed'
  /** Who did it. */
  readonly by: 'person' | 'admin' | 'operator'
}

/** Each change gets its own e-mail, however soon the next one follows. */
export async function notifyOfSignIn(tx: Queryable, { personId, change, by }: SignInChange): Promise<void> {
  await tx.execute(
    `INSERT INTO deliver.mail (account_id, person_id, type, about, data, next_attempt_at)
     SELECT account_id, person_id, 'sign-in-changed', gen_random_uuid(),
       jsonb_build_object('account', username, 'change', $2::text, 'by', $3::text), clock_timestamp()
     FROM access.person JOIN access.account USING (account_id) WHERE person_id = $1 AND removed_at IS NULL`,
    [personId, change, by],
  )
}
