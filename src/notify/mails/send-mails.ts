/**
 * Sends due e-mails. Rejected ones are retried for three days. An accepted e-mail is sent once, unless the sender died
 * after the server accepted it: then it is sent again with the same ID. Without a server nothing is sent.
 */
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { EventDeclaration } from '../event.ts'
import { type EventType, events } from '../event-types.ts'
import { accountAddress } from './account-address.ts'
import { adminMail, adminText } from './admin-mail.ts'
import { invitationMail, invitationText } from './invitation-mail.ts'
import { keyMail, keyText } from './key-mail.ts'
import { type MailText, mailText } from './mail-text.ts'
import { signInChangedMail, signInChangedText } from './sign-in-changed-mail.ts'
import { signInMail, signInText } from './sign-in-mail.ts'
import type { Mailer } from './smtp.ts'

interface DueMail {
  readonly mailId: string
  readonly to: string
  readonly type:
    | EventType
    | typeof signInMail
    | typeof invitationMail
    | typeof keyMail
    | typeof adminMail
    | typeof signInChangedMail
  readonly data: Readonly<Record<string, unknown>>
  readonly attempts: number
}

const atOnce = 5
/** Seconds after each failed attempt; after the last one it has failed. */
const waits = [60, 300, 1_800, 7_200, 18_000, 36_000, 86_400, 86_400] as const
/** Older events are no longer news: they happened while no server was configured. */
const newsDays = 3
/** People request another link when one does not arrive. */
const linkMinutes = 15

/** Also sent to a suspended account: what is about its money, and changes to who can sign in. */
const whileSuspended = [
  ...Object.entries<EventDeclaration>(events).flatMap(([type, { isAboutMoney }]) => (isAboutMoney ? [type] : [])),
  ...[keyMail, adminMail, signInChangedMail],
]

/** E-mails `m` of accounts that still want them; all but the types $1 wait while an account is suspended. */
const dueMails = sql`deliver.mail m
  JOIN access.account a ON a.account_id = m.account_id AND a.erased_at IS NULL AND (a.suspended_at IS NULL OR m.type = ANY($1))
  WHERE m.state = 'pending' AND m.next_attempt_at <= clock_timestamp()
    AND NOT EXISTS (SELECT FROM deliver.mail_choice c WHERE c.account_id = m.account_id AND m.type = ANY(c.unwanted))`

export async function mailsAreDue(db: Db): Promise<boolean> {
  const rows = await db.query(sql`SELECT FROM ${dueMails} LIMIT 1`, [whileSuspended])
  return rows.length > 0
}

/** @param publicUrl base URL of links; without it no sign-in links are sent, and other e-mails have none. */
export async function sendMails(
  db: Db,
  mailer: Mailer,
  signal: AbortSignal,
  publicUrl?: string,
): Promise<{ readonly sent: number }> {
  await db.execute(
    `DELETE FROM deliver.mail WHERE state = 'pending' AND attempts = 0 AND created_at < now() - $1 * interval '1 day'`,
    [newsDays],
  )
  await db.execute(
    `UPDATE deliver.mail SET state = 'failed', last_error = 'too late' WHERE state = 'pending' AND type = $1
       AND created_at < now() - make_interval(mins => $2)`,
    [signInMail, linkMinutes],
  )
  let sent = 0
  while (!signal.aborted) {
    const due = await takeDue(db)
    if (due.length === 0) break
    const outcomes = await Promise.all(due.map((mail) => sendOne(db, mailer, mail, publicUrl)))
    sent += outcomes.filter(Boolean).length
  }
  return { sent }
}

function takeDue(db: Db): Promise<DueMail[]> {
  return db.query<DueMail>(
    sql`WITH due AS (
       SELECT m.mail_id FROM ${dueMails} ORDER BY m.next_attempt_at LIMIT $2 FOR UPDATE OF m SKIP LOCKED
     )
     UPDATE deliver.mail m SET attempts = m.attempts + 1, next_attempt_at = clock_timestamp() + interval '2 minutes'
     FROM due JOIN deliver.mail w USING (mail_id) JOIN access.account a USING (account_id)
       LEFT JOIN access.person p ON p.person_id = w.person_id AND p.removed_at IS NULL
     WHERE m.mail_id = due.mail_id
     RETURNING m.mail_id AS "mailId", coalesce(p.email, ${accountAddress}) AS "to", m.type, m.data, m.attempts`,
    [whileSuspended, atOnce],
  )
}

async function sendOne(db: Db, mailer: Mailer, mail: DueMail, publicUrl: string | undefined): Promise<boolean> {
  const { mailId, to, attempts } = mail
  const text = await composeText(db, mail, publicUrl)
  const outcome = text
    ? await mailer.send({ to, id: mailId, ...text })
    : ({ sent: false, refused: true, reason: 'nothing to send' } as const)
  const wait = waits[attempts - 1]
  const state = outcome.sent ? 'sent' : outcome.refused || wait === undefined ? 'failed' : 'pending'
  await db.execute(
    `UPDATE deliver.mail SET state = $2, last_error = $3, sent_at = CASE $2 WHEN 'sent' THEN now() END,
       next_attempt_at = clock_timestamp() + $4 * interval '1 second' WHERE mail_id = $1`,
    [mailId, state, outcome.sent ? null : outcome.reason, wait ?? 0],
  )
  return outcome.sent
}

async function composeText(
  db: Db,
  { mailId, type, data }: DueMail,
  publicUrl: string | undefined,
): Promise<MailText | undefined> {
  if (type === keyMail) return keyText(data)
  if (type === adminMail) return adminText(data)
  if (type === signInChangedMail) return signInChangedText(data)
  if (type !== signInMail && type !== invitationMail) return mailText(type, data, publicUrl)
  if (publicUrl === undefined) return undefined
  return type === signInMail ? signInText(db, mailId, data, publicUrl) : invitationText(db, { mailId, data, publicUrl })
}

/** Deletes e-mails that are older than a period. @returns how many. */
export function sweepMails(db: Db, period: string): Promise<number> {
  return db.execute('DELETE FROM deliver.mail WHERE created_at < now() - $1::interval', [period])
}
