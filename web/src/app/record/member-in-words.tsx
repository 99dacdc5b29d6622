/** A member of a record for people: a readable name, Indian dates and rupees, codes unchanged. */
import type { ReactNode } from 'react'
import { plain } from '../../look/facts.tsx'
import { Day } from '../../look/moment.tsx'
import { money } from '../../look/numbers.ts'

/** Names that are not self-explanatory. */
const words: Readonly<Record<string, string>> = {
  llpStatus: 'Status',
  llpStatusSource: 'Status in the words of the source',
  COREBUSINESS: 'Core business',
  DINStatus: 'Status of the DIN',
}

/** `Date of incorporation` of `dateOfIncorporation`, `NIC code` of `NICCode`. */
export function nameInWords(field: string): string {
  const known = words[field]
  if (known !== undefined) return known
  const parts = field
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(' ')
  const lower = parts.map((part) => (/^[A-Z]{2,}$/.test(part) ? part : part.toLowerCase())).join(' ')
  return lower.slice(0, 1).toUpperCase() + lower.slice(1)
}

/** A number that is not an amount is a code or a year: its digits are not grouped. */
export function valueInWords(field: string, value: unknown): ReactNode {
  if (typeof value === 'number') return /capital|contribution/i.test(field) ? money(value) : String(value)
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z?)?$/.test(value)) return <Day on={value} />
  return plain(value)
}
