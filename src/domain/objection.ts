/** What people may object to the use of, and how they write it: the canonical spelling is what the registers hold. */
import { bareIdentifier } from './bare-identifier.ts'
import { parseDin } from './din.ts'

export const suppressionKinds = ['email', 'mobile', 'din', 'pan'] as const
export type SuppressionKind = (typeof suppressionKinds)[number]

export interface Objection {
  readonly kind: SuppressionKind
  /** Canonical: an e-mail address in lower case, a mobile number as +91 and ten digits, a DIN of eight digits, a person's PAN. */
  readonly value: string
}

/** @returns undefined where the text is none of the kind. */
export function readObjection(kind: SuppressionKind, text: string): Objection | undefined {
  const value = readers[kind](text.trim())
  return value === undefined ? undefined : { kind, value }
}

const readers: Readonly<Record<SuppressionKind, (text: string) => string | undefined>> = {
  email: (text) => (/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text) ? text.toLowerCase() : undefined),
  mobile: readMobile,
  din: parseDin,
  pan: readPan,
}

/** Of a person, whom the fourth letter tells, or out of one of the GSTINs under which the person trades. */
function readPan(text: string): string | undefined {
  const written = bareIdentifier(text)
  const pan = written.length === 15 ? written.slice(2, 12) : written
  return /^[A-Z]{3}P[A-Z]\d{4}[A-Z]$/.test(pan) ? pan : undefined
}

/** Ten digits that begin with 6 to 9 are Indian, with or without 0, 91 or 0091 before them; others need their country. */
function readMobile(text: string): string | undefined {
  const digits = text.replace(/[^0-9]/g, '')
  if (!/^\+?[0-9 ().-]+$/.test(text)) return undefined
  const indian = /^(?:0|91|0091|091)?([6-9][0-9]{9})$/.exec(digits)?.[1]
  if (indian !== undefined) return `+91${indian}`
  return digits.length >= 6 && digits.length <= 15 ? `+${digits}` : undefined
}
