/**
 * Splits query text into tokens with their offsets. Signs of other languages (`=`, `"`, `&&`, `<>`, curly quotes) are
 * recognised so that the message can suggest ours; nothing is corrected silently.
 */
import { queryMistake } from './mistake.ts'
import { amountAt, dayAt, dayMeant } from './written-values.ts'

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
  /**
   * Text without quotes; digits without underscores and with the zeros of lakh and crore; otherwise the same as `raw`.
   */
  readonly value: string
  readonly at: number
}

const keywordSet: ReadonlySet<string> = new Set(keywords)
const wordShape = /[A-Za-z_][A-Za-z0-9_]*/y
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
  ['~', 'CONTAINS'],
  ['≥', '>='],
  ['≤', '<='],
  ['≠', '!='],
  ['&&', 'AND'],
  ['||', 'OR'],
  ['&', 'AND'],
  ['|', 'OR'],
]
/** Checked only if none of our signs matches. */
const loneSigns: readonly (readonly [string, string])[] = [
  ['=', '=='],
  ['!', 'NOT'],
  [':', '=='],
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

/** The token at this position, as written. */
export const writtenAt = (query: string, at: number): string => tokenAt(query, at).raw

function tokenAt(query: string, at: number): Token {
  const number = /[\d\-₹ri]/i.test(query.charAt(at)) ? numberAt(query, at) : undefined
  if (number) return number
  const word = matchAt(wordShape, query, at)?.[0]
  if (word !== undefined) return { kind: keywordSet.has(word) ? 'keyword' : 'word', raw: word, value: word, at }
  const text = matchAt(textShape, query, at)?.[0]
  if (text !== undefined) return { kind: 'text', raw: text, value: readText(query, text, at), at }
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

/** `1_000`, `10 lakh`; for other amounts and days, the error says how to write them. */
function numberAt(query: string, at: number): Token | undefined {
  refuseBareDay(query, at)
  const amount = amountAt(query, at)
  if (amount === undefined) return undefined
  const { raw, value, isOurs } = amount
  const trailing = /^[A-Za-z_.\d]+/.exec(query.slice(at + raw.length))?.[0]
  if (trailing !== undefined) {
    throw queryMistake(query, {
      at,
      message: `${raw}${trailing} is not a number: digits, one decimal point and nothing else.`,
      found: `${raw}${trailing}`,
      expected: ['a number'],
    })
  }
  if (isOurs) return { kind: 'number', raw, value, at }
  const isGrouped = /^-?[\d,]+(?:\.\d+)?$/.test(raw)
  throw queryMistake(query, {
    at,
    message: isGrouped
      ? 'Numbers are written without grouping commas.'
      : 'Amounts are written as digits, or with lakh and crore.',
    found: raw,
    expected: ['a number', 'a number and lakh', 'a number and crore'],
    suggestion: value,
  })
}

function refuseBareDay(query: string, at: number): void {
  const iso = matchAt(dateShape, query, at)?.[0]
  const written = iso ?? dayAt(query, at)
  if (written === undefined) return
  const meant = iso ?? dayMeant(written)
  throw queryMistake(query, {
    at,
    message: iso === undefined ? "A date is written 'YYYY-MM-DD'." : `The date ${iso} needs quotes.`,
    found: written,
    expected: ['a date in single quotes'],
    suggestion: meant === undefined ? undefined : quoted(meant),
  })
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
      message: 'Text needs single quotes.',
      found: raw,
      expected: ['text in single quotes'],
      suggestion: quoted(bodies.find((body) => body !== undefined) ?? ''),
    })
  }
  const found = String.fromCodePoint(query.codePointAt(at) ?? 0)
  if (found === "'") {
    return queryMistake(query, {
      at,
      message: "The text that begins here is not closed; close it with '. A quote inside is written ''.",
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
