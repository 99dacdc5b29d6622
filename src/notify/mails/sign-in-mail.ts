/** The e-mail with the sign-in link of a person of an account. */
import { signInLinks } from '../../../config/sign-in.ts'
import type { Queryable } from '../../db/db.ts'
import { makeCode } from './made-code.ts'
import { oneLine } from './mail-line.ts'
import type { MailText } from './mail-text.ts'

export const signInMail = 'sign-in'

/** @returns undefined where the person or the account no longer exists. */
export async function signInText(
  db: Queryable,
  mailId: string,
  data: Readonly<Record<string, unknown>>,
  publicUrl: string,
): Promise<MailText | undefined> {
  const code = await makeCode(db, mailId, signInLinks.minutes)
  if (code === undefined) return undefined
  const account = data['account'] ? `the Panji account ${oneLine(data['account'])}` : 'your Panji account'
  const text = [
    `To sign in to ${account}, open this link in your browser:`,
    '',
    // After the #, so that no server and no log on the way sees it.
    `${publicUrl}/app#code=${code}`,
    '',
    `The link works once and expires in ${signInLinks.minutes} minutes. If you did not try to sign in, ignore this e-mail: nobody can sign in without the link.`,
  ]
  return { subject: 'Sign in to Panji', text: text.join('\n') }
}
