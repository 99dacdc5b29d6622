/** The e-mail that notifies an account of a new API key, whoever created it. It never contains the key itself. Pure. */
import { shownInstant } from '../../domain/shown-instant.ts'
import { oneLine } from './mail-line.ts'
import type { MailText } from './mail-text.ts'

export const keyMail = 'key-made'

export function keyText(data: Readonly<Record<string, unknown>>): MailText {
  const prefix = oneLine(data['prefix'])
  const person = data['person'] ? `by ${oneLine(data['person'])}` : undefined
  const maker = person ?? (data['made_by'] ? `with the key ${oneLine(data['made_by'])}` : 'by an operator of Panji')
  const scopes = Array.isArray(data['scopes']) ? data['scopes'].map(oneLine).join(', ') : ''
  const text = [
    `A new API key for your Panji account was created ${maker}:`,
    '',
    `  prefix: ${prefix}`,
    `  name: ${oneLine(data['name'])}`,
    `  scopes: ${scopes}`,
    `  expires: ${data['expires_at'] ? shownInstant(new Date(oneLine(data['expires_at']))) : 'never, unless it is revoked'}`,
    '',
    `If nobody on your team created it, revoke it on the API keys page, or with DELETE /api/keys/${prefix}.`,
    ...(person
      ? []
      : data['made_by']
        ? [`Also revoke ${oneLine(data['made_by'])}: that revokes every key that was created with it.`]
        : ['Then contact the operator of your Panji.']),
  ]
  return { subject: `New API key for your Panji account: ${prefix}`, text: text.join('\n') }
}
