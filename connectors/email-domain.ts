/** The domain by which a lead and a CRM record may belong to the same company. Pure. */
import { freeMailDomains } from '../config/free-mail.ts'

/** Used in a `match_on` rule in place of a lead's column. */
export const emailDomainColumn = 'Email_Domain'

/**
 * @param text an e-mail address, a website or a domain.
 * @returns lower case and without `www.`; empty if there is none, or if it belongs to a free-mail provider.
 */
export function domainIn(text: unknown): string {
  const [, host = ''] = /^(?:[a-z][a-z+.-]*:\/\/)?(?:[^\s@/]*@)?([^\s@/:?#]+)/i.exec(String(text ?? '').trim()) ?? []
  const domain = host
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '')
  return domain.includes('.') && !freeMailDomains.has(domain) ? domain : ''
}
