/**
 * Days in a phrase: `this month`, `since 1 April`, `in 2024`, `between 2019 and 2021`, `FY 2023-24`. Relative days are
 * kept in words, so that a saved query stays current; what has a year becomes days.
 */
import { isIsoDate } from '../../domain/iso-date.ts'
import { isoDay, months, numberOfMonth, relativeDayAt } from '../screener/relative-days.ts'
import { followedBy } from './amounts.ts'
import type { Token } from './tokens.ts'

interface When {
  /** As the query language writes it. */
  readonly words: string
  readonly from: string
  readonly to: string
  readonly hasYear: boolean
  readonly isDay: boolean
  /** A month's or a year's name alone, which must follow a preposition or a verb. */
  readonly isBare: boolean
  readonly end: number
}

export interface ReadDays {
  /** To follow the field of the day. */
  readonly condition: string
  readonly end: number
}

const verbs = new Set(
  'registered incorporated formed founded started established opened born registration incorporation'.split(' '),
)
const prepositions = new Set(['in', 'during', 'of', 'on', 'the', 'within', 'for'])
const bounds: readonly (readonly [string, '>=' | '>' | '<' | '<='])[] = [
  ['since', '>='],
  ['starting', '>='],
  ['after', '>'],
  ['before', '<'],
  ['until', '<='],
  ['till', '<='],
  ['up to', '<='],
  ['upto', '<='],
  ['by', '<='],
  ['>=', '>='],
  ['≥', '>='],
  ['<=', '<='],
  ['≤', '<='],
  ['>', '>'],
  ['<', '<'],
]

/** Tokens of a registration verb at this position; 0 if there is none. */
export function verbAt(tokens: readonly Token[], first: number): number {
  if (followedBy(tokens, first, 'set up')) return 2
  return verbs.has(tokens[first]?.text ?? '') ? 1 : 0
}

/** @returns the days that begin at the token `first`, with or without a registration verb, if any. */
export function daysAt(phrase: string, tokens: readonly Token[], first: number, today: string): ReadDays | undefined {
  let at = first + verbAt(tokens, first)
  const hasVerb = at > first
  let isLedTo = hasVerb
  const read = (place: number) => whenAt(phrase, tokens, place, today)
  const range = rangeAt(tokens, at, read)
  if (range) return range
  const bound = bounds.find(([words]) => followedBy(tokens, at, words))
  if (bound) {
    const when = read(at + bound[0].split(' ').length)
    return when && { condition: bounded(bound[1], when), end: pastOnwards(tokens, when.end) }
  }
  if (tokens[at]?.text === 'from') {
    const when = read(at + 1)
    return when && { condition: bounded('>=', when), end: pastOnwards(tokens, when.end) }
  }
  while (prepositions.has(tokens[at]?.text ?? '')) {
    at += 1
    isLedTo = true
  }
  const when = read(at)
  if (!when || (when.isBare && !isLedTo)) return undefined
  return { condition: within(when), end: when.end }
}

const pastOnwards = (tokens: readonly Token[], end: number): number =>
  ['onwards', 'onward'].includes(tokens[end]?.text ?? '') ? end + 1 : end

function rangeAt(
  tokens: readonly Token[],
  at: number,
  read: (place: number) => When | undefined,
): ReadDays | undefined {
  const joiner = { between: ['and', 'to', '&'], from: ['to', 'till', 'until'] }[tokens[at]?.text ?? '']
  const low = joiner && read(at + 1)
  if (!low || !joiner.includes(tokens[low.end]?.text ?? '')) return undefined
  const high = read(low.end + 1)
  if (!(low.hasYear && high?.hasYear)) return undefined
  return { condition: `BETWEEN '${low.from}' AND '${high.to}'`, end: high.end }
}

function bounded(operator: '>=' | '>' | '<' | '<=', { words, from, to, hasYear }: When): string {
  if (!hasYear) return `${operator} ${words}`
  return `${operator} '${operator === '>=' || operator === '<' ? from : to}'`
}

function within({ words, from, to, hasYear, isDay }: When): string {
  if (isDay) return hasYear ? `== '${from}'` : `== ${words}`
  return words === '' ? `BETWEEN '${from}' AND '${to}'` : `IN ${words}`
}

function whenAt(phrase: string, tokens: readonly Token[], at: number, today: string): When | undefined {
  const token = tokens[at]
  if (!token) return undefined
  return (
    writtenDay(token, at) ??
    financialYear(tokens, at) ??
    monthFirst(tokens, at, today) ??
    ordinal(tokens, at, today) ??
    inWords(phrase, tokens, at, today) ??
    year(tokens, at)
  )
}

function ofDays(from: string, to: string, end: number, isBare = false): When {
  return { words: '', from, to, hasYear: true, isDay: from === to, isBare, end }
}

/** `2024-04-01`, or `01/04/2024` with the day first, as in India. */
function writtenDay({ kind, text }: Token, at: number): When | undefined {
  if (kind !== 'day') return undefined
  const [one = '', two = '', three = ''] = text.split(/[/.-]/)
  const day = one.length === 4 ? text : isoDay(Number(three), Number(two), Number(one))
  return isIsoDate(day) ? ofDays(day, day, at + 1) : undefined
}

function financialYear(tokens: readonly Token[], at: number): When | undefined {
  const lead = followedBy(tokens, at, 'financial year') ? 2 : tokens[at]?.text === 'fy' ? 1 : 0
  const token = tokens[at + lead]
  if (lead === 0 || token?.kind !== 'years') return undefined
  const first = Number(token.text.slice(0, 4))
  if (Number(token.text.slice(5)) !== (first + 1) % 100) return undefined
  return ofDays(`${first}-04-01`, `${first + 1}-03-31`, at + lead + 1)
}

function year(tokens: readonly Token[], at: number): When | undefined {
  const text = tokens[at]?.text ?? ''
  if (tokens[at]?.kind !== 'number' || !/^(19|20)\d\d$/.test(text)) return undefined
  return ofDays(`${text}-01-01`, `${text}-12-31`, at + 1, true)
}

/** The full name of a month, given at least three letters. */
const monthNamed = (word = ''): string | undefined => (word.length < 3 ? undefined : months[numberOfMonth(word) - 1])

const ordinals = new Set(['st', 'nd', 'rd', 'th'])
const yearOf = (token: Token | undefined): string | undefined =>
  token?.kind === 'number' && /^(19|20)\d\d$/.test(token.text) ? token.text : undefined

/** `April 1`, `April 1st, 2024`. */
function monthFirst(tokens: readonly Token[], at: number, today: string): When | undefined {
  const month = monthNamed(tokens[at]?.text)
  const number = tokens[at + 1]
  if (month === undefined || number?.kind !== 'number' || !/^\d{1,2}$/.test(number.text)) return undefined
  const after = ordinals.has(tokens[at + 2]?.text ?? '') ? at + 3 : at + 2
  return dayOfMonth(number.text, month, tokens, after, today)
}

/** `1 April`, `1st April 2024`, `1st of April`. */
function ordinal(tokens: readonly Token[], at: number, today: string): When | undefined {
  const number = tokens[at]
  if (number?.kind !== 'number' || !/^\d{1,2}$/.test(number.text)) return undefined
  const named = [at + 1, at + 2, at + 3].find((place) => monthNamed(tokens[place]?.text) !== undefined)
  const between = tokens.slice(at + 1, named).map(({ text }) => text)
  if (named === undefined || between.some((text) => !ordinals.has(text) && text !== 'of')) return undefined
  return dayOfMonth(number.text, monthNamed(tokens[named]?.text) ?? '', tokens, named + 1, today)
}

function dayOfMonth(
  day: string,
  month: string,
  tokens: readonly Token[],
  after: number,
  today: string,
): When | undefined {
  const behindComma = tokens[after]?.text === ',' ? after + 1 : after
  const inYear = yearOf(tokens[behindComma])
  if (inYear !== undefined) {
    const written = isoDay(Number(inYear), numberOfMonth(month), Number(day))
    return isIsoDate(written) ? ofDays(written, written, behindComma + 1) : undefined
  }
  const words = `${Number(day)} ${month}`
  const period = relativeDayAt(words, 0, today)?.period
  return period && { words, ...period, hasYear: false, isDay: true, isBare: false, end: after }
}

/** `this month`, `last 7 days`, `March 2024`: what the query language itself accepts. */
function inWords(phrase: string, tokens: readonly Token[], at: number, today: string): When | undefined {
  const from = tokens[at]?.from ?? 0
  const read = relativeDayAt(phrase.toLowerCase(), from, today)
  if (!read?.period) return undefined
  const after = tokens.findIndex((token) => token.from >= from + read.raw.length)
  const end = after === -1 ? tokens.length : after
  const [first = '', ...rest] = read.raw.split(/\s+/)
  const month = monthNamed(first)
  const hasYear = month !== undefined && rest.length > 0
  return {
    words: month === undefined ? [first, ...rest].join(' ') : [month, ...rest].join(' '),
    ...read.period,
    hasYear,
    isDay: false,
    isBare: month !== undefined && !hasYear,
    end,
  }
}
