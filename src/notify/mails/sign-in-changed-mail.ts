/** The e-mail that notifies a person of a change to how they sign in, whoever made it. Pure. */
import { oneLine } from './mail-line.ts'
import type { MailText } from './mail-text.ts'

export const signInChangedMail = 'sign-in-changed'

const changes: Readonly<Record<string, { readonly subject: string; readonly what: string; readonly undo: string }>> = {
  'factor-added': {
    subject: 'A second factor was added to your Panji sign-in',
    what: 'A second factor was added. From now on you sign in with a link and a code from your authenticator app, or a recovery code.',
    undo: 'ask an admin of your account to remove the second factor and to end your sessions',
  },
  'codes-renewed': {
    subject: 'New recovery codes for your Panji sign-in',
    what: 'New recovery codes were created for your second factor. The previous codes no longer work.',
    undo: 'ask an admin of your account to remove the second factor and to end your sessions',
  },
  'factor-removed': {
    subject: 'The second factor was removed from your Panji sign-in',
    what: 'Your second factor was removed. From now on a link is enough to sign in.',
    undo: 'add a second factor again on the Team page, and check there who is signed in',
  },
  'provider-added': {
    subject: 'A sign-in provider was added to your Panji sign-in',
    what: 'Somebody signed in to the sign-in provider of this Panji with your e-mail address. From now on that provider can sign you in.',
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
    `This is about your sign-in to the Panji account ${oneLine(data['account'])}.`,
    '',
    change.what,
    ...(maker ? [`The change was made by ${maker}.`] : []),
    '',
    `If this was not you, ${change.undo}.`,
  ]
  return { subject: change.subject, text: text.join('\n') }
}
