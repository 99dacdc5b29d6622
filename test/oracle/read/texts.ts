/** Cells as texts, words and amounts, by the registry facts (1.2, 1.3) and the vocabularies. */
import { type Vocabulary, vocabularies } from '../../../config/vocabularies.ts'

/** What a row is rejected for. */
export class Rejected extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Byte escapes of curly quotes and dashes, and UTF-8 that was read as Windows-1252 once. */
function withoutMojibake(text: string): string {
  const whole = text.replace(/\uFFFDx80x9[89]/g, "'").replace(/\uFFFDx80x93/g, '-')
  return whole.replace(/Ã([\u0080-\u00BF])/g, (_, second: string) =>
    String.fromCodePoint(0xc0 + (second.charCodeAt(0) & 0x3f)),
  )
}

/** @returns null where the source says nothing. */
export function textOf(cell: string | undefined): string | null {
  const text = withoutMojibake((cell ?? '').replaceAll('\0', ''))
    .replace(/\s*[\r\n]\s*/g, ' ')
    .trim()
  return text === '' || text === 'NA' ? null : text
}

export const wordKey = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s.,\-_()'/]/g, '')
    .replaceAll('&', 'and')

/** An unknown word stays as it came. */
export function wordOf(cell: string | undefined, vocabulary: Vocabulary): string | null {
  const text = textOf(cell)
  if (text === null) return null
  const words: Readonly<Record<string, readonly string[]>> = vocabularies[vocabulary]
  const known = Object.entries(words).find(([, spellings]) =>
    spellings.some((spelling) => wordKey(spelling) === wordKey(text)),
  )
  return known?.[0] ?? text
}

/** `1,00,000.00`, `1E+9`, `Rs. 10,00,000/-`: rupees and paise, in paise. */
export function amountOf(cell: string | undefined): number | null {
  const text = textOf(cell)
  if (text === null) return null
  const bare = text
    .replace(/^(?:rs\.?|inr|₹)\s*/i, '')
    .replace(/\/-$/, '')
    .replace(/[,\s]/g, '')
  if (!/^\d+(?:\.\d*)?(?:e\+?\d+)?$/i.test(bare)) throw new Rejected('amount_unreadable')
  return Math.round(Number(bare) * 100 + 1e-6)
}

export function integerOf(cell: string | undefined, max: number): number | null {
  const text = textOf(cell)
  if (text === null) return null
  const bare = text.replace(/\.0+$/, '')
  if (!/^\d+$/.test(bare) || Number(bare) > max) throw new Rejected('number_unreadable')
  return Number(bare)
}
