/** The e-mail that notifies the admins of an account that somebody else is to be one. Pure. */
import { oneLine } from './mail-line.ts'
import type { MailText } from './mail-text.ts'

export const adminMail = 'admin-added'

export function adminText(data: Readonly<Record<string, unknown>>): MailText {
  const [account, email] = [oneLine(data['account']), oneLine(data['email'])]
  const maker = data['by'] ? oneLine(data['by']) : 'An operator of Panji'
  const text = [
    data['change'] === 'invited'
      ? `${maker} invited ${email} to the Panji account ${account}, as an admin.`
      : `${maker} made ${email} an admin of the Panji account ${account}.`,
    '',
    'Admins manage API keys, plans, credits, CRMs and people.',
    'If this was not agreed in your team, remove this person on the Team page, and check there who is signed in.',
  ]
  return { subject: `New admin for the Panji account ${account}: ${email}`, text: text.join('\n') }
}
