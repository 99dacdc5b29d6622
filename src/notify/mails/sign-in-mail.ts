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
    `Somebody, you we hope, wants to sign in to ${account}. Open this link in the browser:`,
    '',
    // After the #, so that no server and no log on the way sees it.
    `${publicUrl}/app#code=${code}`,
    '',
    `It works once, and for ${signInLinks.minutes} minutes. If it was not you, do nothing: without the link nobody can sign in.`,
  ]
  return { subject: 'Sign in to Panji', text: text.join('\n') }
}
