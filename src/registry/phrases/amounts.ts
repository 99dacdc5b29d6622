/**
 * Amounts of rupees as buyers write them: `above 10 lakh`, `Rs. 10,00,000 or more`, `between 5 and 10 crore`, `50k to 2
 * lakh`.
 */
import type { Token } from './tokens.ts'

/** Words before an amount, and the operator that they mean. */
const before: readonly (readonly [string, string])[] = [
  ['no less than', '>='],
  ['no more than', '<='],
  ['not exceeding', '<='],
  ['not above', '<='],
  ['not below', '>='],
  ['not less than', '>='],
  ['not more than', '<='],
  ['greater than', '>'],
  ['more than', '>'],
  ['less than', '<'],
  ['at least', '>='],
  ['at most', '<='],
  ['up to', '<='],
  ['above', '>'],
  ['over', '>'],
  ['exceeding', '>'],
  ['minimum', '>='],
  ['min', '>='],
  ['below', '<'],
  ['under', '<'],
  ['upto', '<='],
  ['maximum', '<='],
  ['max', '<='],
  ['>=', '>='],
  ['=>', '>='],
  ['≥', '>='],
  ['<=', '<='],
  ['=<', '<='],
  ['≤', '<='],
  ['>', '>'],
  ['<', '<'],
  ['==', '=='],
  ['=', '=='],
]
const behind: readonly (readonly [string, string])[] = [
  ['or more', '>='],
  ['and above', '>='],
  ['or above', '>='],
  ['+', '>='],
  ['or less', '<='],
  ['and below', '<='],
  ['or below', '<='],
]
const units: Readonly<Record<string, 'lakh' | 'crore' | 'thousand'>> = {
  ...Object.fromEntries(['lakh', 'lakhs', 'lac', 'lacs', 'l'].map((word) => [word, 'lakh'])),
  ...Object.fromEntries(['crore', 'crores', 'cr', 'crs'].map((word) => [word, 'crore'])),
  ...Object.fromEntries(['thousand', 'thousands', 'k'].map((word) => [word, 'thousand'])),
}
const currencies = new Set(['rs', 'inr', 'rupee', 'rupees'])

export interface ReadAmount {
  /** `> 10 lakh`, to follow a field. */
  readonly condition: string
  readonly end: number
  /** A number alone, which may mean anything else. */
  readonly isBare: boolean
}

interface Sum {
  readonly digits: string
  readonly unit: string | undefined
  readonly end: number
}

/** @returns the amount that begins at the token `first`, if any. */
export function amountAt(tokens: readonly Token[], first: number): ReadAmount | undefined {
  const compared = before.find(([words]) => followedBy(tokens, first, words))
  if (compared) {
    const sum = sumAt(tokens, first + compared[0].split(' ').length)
    return sum && { condition: `${compared[1]} ${shown(sum)}`, end: sum.end, isBare: false }
  }
  const isBetween = tokens[first]?.text === 'between'
  const low = sumAt(tokens, isBetween ? first + 1 : first)
  if (!low) return undefined
  const joined = isBetween ? ['and', '&', 'to', '-'] : ['to', '-', '–']
  const high = joined.includes(tokens[low.end]?.text ?? '') ? sumAt(tokens, low.end + 1) : undefined
  if (high) {
    const condition = `BETWEEN ${shown({ ...low, unit: low.unit ?? high.unit })} AND ${shown(high)}`
    return { condition, end: high.end, isBare: false }
  }
  if (isBetween) return undefined
  const bounded = behind.find(([words]) => followedBy(tokens, low.end, words))
  if (bounded)
    return { condition: `${bounded[1]} ${shown(low)}`, end: low.end + bounded[0].split(' ').length, isBare: false }
  return { condition: `== ${shown(low)}`, end: low.end, isBare: low.unit === undefined }
}

export const followedBy = (tokens: readonly Token[], first: number, words: string): boolean =>
  words.split(' ').every((word, place) => tokens[first + place]?.text === word)

function sumAt(tokens: readonly Token[], first: number): Sum | undefined {
  const at = currencies.has(tokens[first]?.text ?? '') ? first + 1 : first
  const number = tokens[at]
  if (number?.kind !== 'number') return undefined
  const unit = units[tokens[at + 1]?.text ?? '']
  const afterUnit = unit === undefined ? at + 1 : at + 2
  const isNamed = currencies.has(tokens[afterUnit]?.text ?? '')
  return { digits: number.text, unit, end: isNamed ? afterUnit + 1 : afterUnit }
}

/** The query language has no unit for a thousand. */
function shown({ digits, unit }: Pick<Sum, 'digits' | 'unit'>): string {
  if (unit === 'thousand') return String(Math.round(Number(digits) * 1_000))
  return unit === undefined ? digits : `${digits} ${unit}`
}
