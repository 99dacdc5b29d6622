/** The e-mail that notifies a person of a change to how they sign in, whoever made it. Pure. */
import { oneLine } from './mail-line.ts'
import type { MailText } from './mail-text.ts'

export const signInChangedMail = 'sign-in-changed'

const changes: Readonly<Record<string, { readonly subject: string; readonly what: string; readonly undo: string }>> = {
  'factor-added': {
    subject: 'A second factor was added to your Panji sign-in',
    what: 'A second factor was added: from now on a link lets you in only with a code of an authenticator, or a recovery code.',
    undo: 'ask an admin of your account to remove the second factor and to end your sessions',
  },
  'codes-renewed': {
    subject: 'You have new recovery codes for Panji',
    what: 'New recovery codes were made for your second factor; those before open nothing any more.',
    undo: 'ask an admin of your account to remove the second factor and to end your sessions',
  },
  'factor-removed': {
    subject: 'Your second factor for Panji was removed',
    what: 'Your second factor was removed: from now on a link alone lets you in.',
    undo: 'add a second factor again on the page Team, and look there at who is signed in',
  },
  'provider-added': {
    subject: 'A sign-in provider was added to your Panji sign-in',
    what: 'You can sign in at the sign-in provider of this Panji from now on, as somebody just did with your e-mail address.',
    undo: 'ask an admin of your account to remove you and invite you again',
  },
}

/** Who did it, if it was not the person. */
const makers: Readonly<Record<string, string>> = { admin: 'an admin of your account', operator: 'an operator of Panji' }

/** @returns undefined for a change that this version does not know. */
export function signInChangedText(data: Readonly<Record<string, unknown>>): MailText | undefined {
  const change = changes[String(data['change'])]
  if (!change) return undefined
  const maker = makers[String(data['by'])]
  const text = [
    `This is about your access to the Panji account ${oneLine(data['account'])}.`,
    '',
    change.what,
    ...(maker ? [`It was done by ${maker}.`] : []),
    '',
    `If this was not you, ${change.undo}.`,
  ]
  return { subject: change.subject, text: text.join('\n') }
}
