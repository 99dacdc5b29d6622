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
  const who = data['by'] ? oneLine(data['by']) : 'Somebody'
  const account = oneLine(data['account'])
  const text = [
    `${who} invites you to the Panji account ${account} as ${oneLine(data['role'])}. Open this link in the browser to join:`,
    '',
    `${publicUrl}/app#code=${code}`,
    '',
    `It works once, within ${invitations.days} days. If you do not know what this is about, do nothing.`,
  ]
  return { subject: `You are invited to ${account} on Panji`, text: text.join('\n') }
}
