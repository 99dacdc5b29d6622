/** The displayed text of a workbook's cell: strings without escapes, numbers by their format, dates as ISO days. */
import { tokenize } from 'numfmt'
import { workbookBounds } from '../../../../config/input-bounds.ts'

const { formatCharactersMax } = workbookBounds

/** How a number format displays a value; decorative parts of a format are ignored. */
export type NumberFormat =
  | { readonly kind: 'general' }
  | { readonly kind: 'date' }
  | { readonly kind: 'fixed'; readonly decimals: number; readonly digits: number }

const general: NumberFormat = { kind: 'general' }
/** Formats that every workbook has without declaring them. Percentages, fractions and exponents keep their value. */
const builtIn: Readonly<Record<number, string>> = { 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00' }
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Parts of a format that only decorate, or say when and in which language it applies. */
const decoration: ReadonlySet<string> = new Set(
  'STRING ESCAPED SKIP FILL COLOR CONDITION LOCALE CURRENCY MODIFIER NATNUM DBNUM'.split(' '),
)
const ofDates: ReadonlySet<string> = new Set(['DATETIME', 'DURATION', 'AMPM', 'CALENDAR'])

/**
 * Uses the first section of the format only, which is for positive values.
 * @throws Error for a format longer than any that a workbook may contain.
 */
export function numberFormat(id: number, declared: string | undefined): NumberFormat {
  if (declared === undefined && isBuiltInDate(id)) return { kind: 'date' }
  const code = declared ?? builtIn[id] ?? 'General'
  if (code.length > formatCharactersMax) {
    throw new Error(`it declares a number format of ${code.length} characters; at most ${formatCharactersMax} are read`)
  }
  const tokens = tokenize(code)
  const end = tokens.findIndex(({ type }) => type === 'BREAK')
  const shown = (end < 0 ? tokens : tokens.slice(0, end)).filter(({ type }) => !decoration.has(type))
  if (shown.some(({ type }) => type === 'GENERAL')) return general
  if (shown.some(({ type }) => ofDates.has(type))) return { kind: 'date' }
  const bare = shown.map(({ raw }) => raw).join('')
  const plain = /^[#,]*(0+)(?:\.(0+))?$/.exec(bare.trim())
  if (!plain) return general
  // toFixed() accepts no more, and no number has as many.
  return { kind: 'fixed', digits: plain[1]?.length ?? 1, decimals: Math.min(100, plain[2]?.length ?? 0) }
}

/** `1.1000000000000001` is how a workbook stores 1.1, `1.00001E5` how it stores 100001. */
export function numberText(stored: string, format: NumberFormat, is1904: boolean): string {
  const value = Number(stored)
  if (stored.trim() === '' || !Number.isFinite(value)) return stored
  if (format.kind === 'date') return dateText(value, is1904)
  const shown = format.kind === 'fixed' ? value.toFixed(format.decimals) : String(Number(value.toPrecision(15)))
  if (format.kind === 'general' || format.digits === 1 || value < 0) return shown
  const [whole = '', decimals] = shown.split('.')
  return [whole.padStart(format.digits, '0'), ...(decimals === undefined ? [] : [decimals])].join('.')
}

function dateText(serial: number, is1904: boolean): string {
  // The first of the two calendars counts a 29 February 1900 that did not exist.
  const days = is1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  const milliseconds = Math.round((days - 25_569) * 86_400) * 1000
  if (Math.abs(milliseconds) > 8.64e15) return String(serial)
  const iso = new Date(milliseconds).toISOString()
  if (serial < 1) return iso.slice(11, 19)
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19)
}

/** `_x000D_` is how a workbook writes a character that XML cannot contain; `_x005F_` escapes such a text itself. */
export function withoutEscapes(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Column letters → position from 0: A → 0, Z → 25, AA → 26. */
export function columnIndex(reference: string): number {
  let index = 0
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '') index = index * 26 + letter.charCodeAt(0) - 64
  return index - 1
}
