/** The e-mail that notifies an account of a new API key, whoever created it. It never contains the key itself. Pure. */
import { oneLine } from './mail-line.ts'
import type { MailText } from './mail-text.ts'

export const keyMail = 'key-made'

export function keyText(data: Readonly<Record<string, unknown>>): MailText {
  const prefix = oneLine(data['prefix'])
  const person = data['person'] ? `by ${oneLine(data['person'])}` : undefined
  const maker = person ?? (data['made_by'] ? `with the key ${oneLine(data['made_by'])}` : 'by an operator of Panji')
  const scopes = Array.isArray(data['scopes']) ? data['scopes'].map(oneLine).join(', ') : ''
  const text = [
    `A new API key was created for your Panji account, ${maker}:`,
    '',
    `  begins with: ${prefix}`,
    `  name: ${oneLine(data['name'])}`,
    `  may: ${scopes}`,
    `  ends: ${data['expires_at'] ? oneLine(data['expires_at']) : 'when it is revoked'}`,
    '',
    `If nobody on your team created it, revoke it: DELETE /api/keys/${prefix}, or the page "API keys".`,
    ...(person
      ? []
      : data['made_by']
        ? [`Revoke ${oneLine(data['made_by'])}, too: that ends every key that was made with it.`]
        : ['Then write to your operator.']),
  ]
  return { subject: `A new API key for your Panji account: ${prefix}`, text: text.join('\n') }
}
