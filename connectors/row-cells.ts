/** A person's and a company's name for CRMs that require both of every lead. */
import type { OutgoingLead } from './contract.ts'

type Row = Pick<OutgoingLead, 'row' | 'externalId'>

/** CRMs trim what they store; an empty text would clear a field whose value is merely unknown. */
export function tidy(value: string | number | null | undefined): string | number | null {
  if (value === null || value === undefined || typeof value === 'number') return value ?? null
  const text = value.replaceAll('\r\n', '\n').trim()
  return text === '' ? null : text
}

export function nameOf({ row, externalId }: Row): string {
  return String(tidy(row['Full_Name']) ?? tidy(row['LegalName']) ?? tidy(row['Company']) ?? externalId)
}

/** A director's row has no company of its own. */
export function companyOf(lead: Row): string {
  const first = String(lead.row['CompanyNames'] ?? '').split(';')[0]
  return String(tidy(first) ?? tidy(lead.row['LegalName']) ?? nameOf(lead))
}

/** One @ between texts without white space, and a dot inside the domain. */
export function isEmailShape(text: string): boolean {
  const [local, domain, ...more] = text.split('@')
  if (!local || !domain || more.length > 0 || /\s/.test(text)) return false
  const dot = domain.indexOf('.', 1)
  return dot > 0 && dot < domain.length - 1
}
