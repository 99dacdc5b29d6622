/** What people may object to the use of. The canonical form is the one in the registers. */
import { bareIdentifier } from './bare-identifier.ts'
import { parseDin } from './din.ts'

export const suppressionKinds = ['email', 'mobile', 'din', 'pan'] as const
export type SuppressionKind = (typeof suppressionKinds)[number]

export interface Objection {
  readonly kind: SuppressionKind
  /**
   * Canonical: an e-mail address in lower case, a mobile number as +91 and ten digits, a DIN of eight digits, a
   * person's PAN.
   */
  readonly value: string
}

/** @returns undefined if the text is not of that kind. */
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

/** A person's PAN, recognizable by its fourth letter, or the one contained in a GSTIN of that person. */
function readPan(text: string): string | undefined {
  const written = bareIdentifier(text)
  const pan = written.length === 15 ? written.slice(2, 12) : written
  return /^[A-Z]{3}P[A-Z]\d{4}[A-Z]$/.test(pan) ? pan : undefined
}

/**
 * Ten digits beginning with 6 to 9 are Indian, with or without a leading 0, 91 or 0091; others need their country
 * code.
 */
function readMobile(text: string): string | undefined {
  const digits = text.replace(/[^0-9]/g, '')
  if (!/^\+?[0-9 ().-]+$/.test(text)) return undefined
  const indian = /^(?:0|91|0091|091)?([6-9][0-9]{9})$/.exec(digits)?.[1]
  if (indian !== undefined) return `+91${indian}`
  return digits.length >= 6 && digits.length <= 15 ? `+${digits}` : undefined
}
