/**
 * The e-mail by which an account signs in with a browser. Its code is made here, each time that it is sent, and kept hashed: a
 * link that was sent twice works twice, each once. The database keeps a code for an e-mail alone that somebody asked for.
 */
import { createHash, randomBytes } from 'node:crypto'
import { signInLinks } from '../../../config/sign-in.ts'
import type { Queryable } from '../../db/db.ts'
import type { MailText } from './mail-text.ts'

export const signInMail = 'sign-in'

/** @returns undefined where the account is gone meanwhile. */
export async function signInText(db: Queryable, mailId: string, publicUrl: string): Promise<MailText | undefined> {
  const code = randomBytes(32).toString('base64url')
  const [kept] = await db.query<{ made: boolean }>('SELECT access.make_sign_in_code($1, $2, $3) AS made', [
    mailId,
    createHash('sha256').update(code).digest(),
    signInLinks.minutes,
  ])
  if (kept?.made !== true) return undefined
  const text = [
    'Somebody, you we hope, wants to sign in to your Panji account. Open this link in the browser:',
    '',
    // After the #, so that no server and no log on the way sees it.
    `${publicUrl}/app#code=${code}`,
    '',
    `It works once, and for ${signInLinks.minutes} minutes. If it was not you, do nothing: without the link nobody gets in.`,
  ]
  return { subject: 'Sign in to Panji', text: text.join('\n') }
}
