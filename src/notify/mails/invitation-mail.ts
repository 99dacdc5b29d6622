/** The e-mail that invites a person to an account; its link works once. */
import { invitations } from '../../../config/sign-in.ts'
import type { Queryable } from '../../db/db.ts'
import { makeCode } from './made-code.ts'
import { oneLine } from './mail-line.ts'
import type { MailText } from './mail-text.ts'

export const invitationMail = 'invitation'

interface SentInvitation {
  readonly mailId: string
  readonly data: Readonly<Record<string, unknown>>
  readonly publicUrl: string
}

/** @returns undefined where the invitation has expired, was withdrawn, or was used. */
export async function invitationText(
  db: Queryable,
  { mailId, data, publicUrl }: SentInvitation,
): Promise<MailText | undefined> {
  const code = await makeCode(db, mailId, invitations.days * 24 * 60)
  if (code === undefined) return undefined
  const account = oneLine(data['account'])
  const invited = data['by'] ? `${oneLine(data['by'])} invited you` : 'You are invited'
  const text = [
    `${invited} to join the Panji account ${account} as ${oneLine(data['role'])}. To accept, open this link in your browser:`,
    '',
    `${publicUrl}/app#code=${code}`,
    '',
    `The link works once and expires in ${invitations.days} days. If you did not expect this invitation, ignore this e-mail.`,
  ]
  return { subject: `${invited} to join ${account} on Panji`, text: text.join('\n') }
}
