/**
 * E-mails that invite people to an account, queued in the transaction of the invitation. The code of the link is
 * generated when the e-mail is sent, so it is only ever stored hashed.
 */
import { invitations } from '../../config/sign-in.ts'
import type { Queryable } from '../db/db.ts'
import type { AccountRole } from '../domain/account-role.ts'
import { refusedBy } from '../limits/refused-by.ts'

export interface InvitationMail {
  readonly personId: string
  readonly role: AccountRole
  /** Name of the person who invites. */
  readonly invitedBy: string | null
}

/** The caller has locked the account, so that concurrent invitations are counted. @throws AppError RATE_LIMITED */
export async function sendInvitation(tx: Queryable, accountId: string, mail: InvitationMail): Promise<void> {
  const [sent] = await tx.query<{ times: number; seconds: number }>(
    `SELECT count(*) AS times, ceil(extract(epoch FROM min(created_at) + interval '1 day' - now()))::integer AS seconds
     FROM deliver.mail WHERE account_id = $1 AND type = 'invitation' AND created_at > now() - interval '1 day'`,
    [accountId],
  )
  if (sent && sent.times >= invitations.perDayMax) {
    const message = `Your account has sent ${invitations.perDayMax} invitations within a day. Send the next one later.`
    throw refusedBy('invitations', message, { retryAfterSeconds: Math.max(1, sent.seconds) })
  }
  await tx.execute(
    `INSERT INTO deliver.mail (account_id, person_id, type, about, data, next_attempt_at)
     SELECT account_id, $2::uuid, 'invitation', 'invitation ' || $2, jsonb_build_object('account', username, 'by', $3::text, 'role', $4::text),
            clock_timestamp()
     FROM access.account WHERE account_id = $1`,
    [accountId, mail.personId, mail.invitedBy, mail.role],
  )
}
