/**
 * Query text in, tokens with their offsets out. Signs that other languages use (`=`, `"`, `&&`, `<>`, curly quotes)
 * are recognised so that the message can name the sign to write; nothing is corrected silently.
 */
import { queryMistake } from './mistake.ts'

export const keywords = [
  'AND',
  'OR',
  'NOT',
  'IN',
  'BETWEEN',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'IS',
  'NULL',
] as const
export type Keyword = (typeof keywords)[number]

export interface Token {
  readonly kind: 'word' | 'keyword' | 'text' | 'number' | 'sign' | 'end'
  /** As written; for `text` see `value`. */
  readonly raw: string
  /** Text without quotes, digits without underscores and with the zeros of lakh and crore; otherwise the same as `raw`. */
  readonly value: string
  readonly at: number
}

const keywordSet: ReadonlySet<string> = new Set(keywords)
const wordShape = /[A-Za-z_][A-Za-z0-9_]*/y
const numberShape = /-?\d[\d_]*(?:\.\d+)?/y
/** Indian amounts: 10 lakh is 1,000,000 and 1 crore 10,000,000. */
const unitShape = /\s*(lakhs?|lacs?|crores?|cr)(?![A-Za-z0-9_])/iy
const zerosOfUnit = (unit: string): number => (/^l/i.test(unit) ? 5 : 7)
/** Units that are understood and not taken, with their zeros. */
const foreignUnitShape = /\s*(thousand|k|millions?|mn|m|billions?|bn|l)(?![A-Za-z0-9_])/iy
const zerosOfForeignUnit: Readonly<Record<string, number>> = { t: 3, k: 3, m: 6, b: 9, l: 5 }
const dateShape = /\d{4}-\d{2}-\d{2}/y
const textShape = /'(?:[^']|'')*'/y
const foreignText = /"([^"]*)"|[“”]([^“”"]*)[“”"]|[‘’]([^‘’']*)[‘’']|`([^`]*)`/y
const signs = ['==', '!=', '>=', '<=', '>', '<', '(', ')', '[', ']', ','] as const

/** Signs of other languages, longest first, and ours. */
const foreignSigns: readonly (readonly [string, string])[] = [
  ['===', '=='],
  ['!==', '!='],
  ['<>', '!='],
  ['=>', '>='],
  ['=<', '<='],
  ['=~', 'CONTAINS'],
  ['≥', '>='],
  ['≤', '<='],
  ['≠', '!='],
  ['&&', 'AND'],
  ['||', 'OR'],
  ['&', 'AND'],
  ['|', 'OR'],
]
/** These are looked at only where no sign of ours matches. */
const loneSigns: readonly (readonly [string, string])[] = [
  ['=', '=='],
  ['!', 'NOT'],
]

const matchAt = (shape: RegExp, query: string, at: number): RegExpExecArray | null => {
  shape.lastIndex = at
  return shape.exec(query)
}

export const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

export function tokenise(query: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < query.length) {
    if (/\s/.test(query.charAt(at))) {
      at += 1
      continue
    }
    const token = tokenAt(query, at)
    tokens.push(token)
    at += token.raw.length
  }
  return [...tokens, { kind: 'end', raw: '', value: 'end of query', at: query.length }]
}

function tokenAt(query: string, at: number): Token {
  const word = matchAt(wordShape, query, at)?.[0]
  if (word !== undefined) return { kind: keywordSet.has(word) ? 'keyword' : 'word', raw: word, value: word, at }
  const text = matchAt(textShape, query, at)?.[0]
  if (text !== undefined) return { kind: 'text', raw: text, value: readText(query, text, at), at }
  if (matchAt(numberShape, query, at)) return numberAt(query, at)
  refuseForeign(query, at, foreignSigns)
  const sign = signs.find((each) => query.startsWith(each, at))
  if (sign) return { kind: 'sign', raw: sign, value: sign, at }
  refuseForeign(query, at, loneSigns)
  throw unreadable(query, at)
}

function readText(query: string, text: string, at: number): string {
  const value = text.slice(1, -1).replaceAll("''", "'")
  const nul = text.indexOf('\0')
  if (nul < 0) return value
  throw queryMistake(query, { at: at + nul, message: 'A text cannot hold a NUL character.', found: '\\0' })
}

function numberAt(query: string, at: number): Token {
  const date = matchAt(dateShape, query, at)?.[0]
  if (date !== undefined) {
    throw queryMistake(query, {
      at,
      message: `The date ${date} stands without quotes.`,
      found: date,
      expected: ['a date in single quotes'],
      suggestion: quoted(date),
    })
  }
  const raw = matchAt(numberShape, query, at)?.[0] ?? ''
  const end = at + raw.length
  const digits = raw.replaceAll('_', '')
  const unit = matchAt(unitShape, query, end)
  if (unit) return { kind: 'number', raw: raw + unit[0], value: scaled(digits, zerosOfUnit(unit[1] ?? '')), at }
  const foreign = matchAt(foreignUnitShape, query, end)
  if (foreign) {
    throw queryMistake(query, {
      at,
      message: 'Amounts are written as digits, or with lakh and crore.',
      found: raw + foreign[0],
      expected: ['a number', 'a number and lakh', 'a number and crore'],
      suggestion: scaled(digits, zerosOfForeignUnit[(foreign[1] ?? '').charAt(0).toLowerCase()] ?? 0),
    })
  }
  const trailing = /^[A-Za-z_.\d]+/.exec(query.slice(end))?.[0]
  if (trailing !== undefined) {
    throw queryMistake(query, {
      at,
      message: `${raw}${trailing} is not a number: digits, one decimal point and nothing else.`,
      found: `${raw}${trailing}`,
      expected: ['a number'],
    })
  }
  return { kind: 'number', raw, value: digits, at }
}

/** The decimal point moved to the right, in digits, because a float would lose some. */
function scaled(digits: string, zeros: number): string {
  const [whole = '', fraction = ''] = digits.split('.')
  const moved = fraction.padEnd(zeros, '0')
  const rest = moved.slice(zeros)
  return `${whole}${moved.slice(0, zeros)}${rest === '' ? '' : `.${rest}`}`
}

function refuseForeign(query: string, at: number, table: readonly (readonly [string, string])[]): void {
  const [foreign, ours] = table.find(([sign]) => query.startsWith(sign, at)) ?? []
  if (foreign === undefined || ours === undefined) return
  throw queryMistake(query, {
    at,
    message: `The language has no ${foreign}.`,
    found: foreign,
    expected: [ours],
    suggestion: ours,
  })
}

function unreadable(query: string, at: number): Error {
  const foreign = matchAt(foreignText, query, at)
  if (foreign) {
    const [raw, ...bodies] = foreign
    return queryMistake(query, {
      at,
      message: 'Text stands in single quotes.',
      found: raw,
      expected: ['text in single quotes'],
      suggestion: quoted(bodies.find((body) => body !== undefined) ?? ''),
    })
  }
  const found = String.fromCodePoint(query.codePointAt(at) ?? 0)
  if (found === "'") {
    return queryMistake(query, {
      at,
      message: "The text that begins here never ends; close it with '. A quote inside is written ''.",
      found: query.slice(at),
      expected: ["'"],
    })
  }
  return queryMistake(query, {
    at,
    message: `The character ${JSON.stringify(found)} has no meaning here.`,
    found,
    expected: ['a field name', 'an operator', 'text in single quotes', 'a number'],
  })
}
