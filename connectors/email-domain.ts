/** The domain by which a lead and a record of a CRM may be one company's; pure. */
import { freeMailDomains } from '../config/free-mail.ts'

/** What a rule of `match_on` names in place of a lead's column. */
export const emailDomainColumn = 'Email_Domain'

/**
 * @param text an e-mail address, a website or a domain.
 * @returns lower case and without `www.`; empty where there is none, or where it is one that anybody may have an address of.
 */
export function domainIn(text: unknown): string {
  const [, host = ''] = /^(?:[a-z][a-z+.-]*:\/\/)?(?:[^\s@/]*@)?([^\s@/:?#]+)/i.exec(String(text ?? '').trim()) ?? []
  const domain = host
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '')
  return domain.includes('.') && !freeMailDomains.has(domain) ? domain : ''
}
