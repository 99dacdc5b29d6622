/**
 * A text with a legal form and other words, such as `IONS PRIVATE LIMITED`. The key of names omits legal forms, so the
 * name as written is tested as well, with a pattern that accepts all spellings that the key treats alike.
 */
import { sql } from '../../db/sql.ts'

type Part = 'CONTAINS' | 'STARTS_WITH' | 'ENDS_WITH'

export interface LegalFormAsked {
  /** The part of the text that the key of every such name contains; empty if nothing is certain. */
  readonly core: string
  /**
   * Regular expression for a name in lower case, without accents and apostrophes. Consists of letters and digits of the
   * text.
   */
  readonly pattern: string
}

/** The spellings of each form in names; sources broke names at 40 characters (`PRI VATE LIMITED`). */
const broken = (word: string): string => [...word].join(' ?')
const oneOf = (...spellings: readonly string[]): string => ['(?:', spellings.join('|'), ')'].join('')
const privately = oneOf(broken('private'), 'pvt', 'p(?=[ .]*[)])')
const limited = oneOf(broken('limited'), 'ltd')
const forms: ReadonlyMap<string, string> = new Map([
  ['private', privately],
  ['pvt', privately],
  ['limited', limited],
  ['ltd', limited],
  ['llp', oneOf('llp', 'limited[^a-z0-9]+liability[^a-z0-9]+partnership')],
  ['opc', 'opc'],
])
/** Words that the key omits although they are not forms: names are the same with and without them. */
const fillers = new Set(['and', 'the'])
const leftOut = [...forms.keys(), ...fillers, 'liability', 'partnership']

/**
 * No name has this many words. The pattern of hundreds would take seconds to compile; then only the key is compared.
 */
const wordsMax = 32

const between = '[^a-z0-9]+(?:(?:and|the)[^a-z0-9]+)*'
const start = '^[^a-z0-9]*(?:(?:and|the)[^a-z0-9]+)*'
const end = '[^a-z0-9]*$'

/**
 * A name as written, in the form that patterns are compared with. Collation C makes lower() and the pattern twice as
 * fast, and suffices for the output of unaccent.
 */
export const comparedForm = (written: string): string =>
  sql`translate(lower(public.unaccent('public.unaccent', ${written}) COLLATE "C"), '''\`', '')`

/** @returns undefined if the text contains no form, contains nothing else, or cannot be part of a name. */
export function legalFormAsked(op: Part, text: string): LegalFormAsked | undefined {
  const words = wordsOf(text)
  const cut = cutWord(op, words)
  if (!(cut || words.some((word) => forms.has(word))) || words.every((word) => forms.has(word))) return undefined
  if (words.length > wordsMax) return undefined
  const spelled = words.map((word) => forms.get(word) ?? word.replaceAll(/[^a-z0-9]+/g, '[^ ]*'))
  const pattern = (cut ? spelled.with(-1, cut) : spelled).join(between)
  const opening = op === 'STARTS_WITH' ? start : ''
  return { core: coreOf(op, words).join(' '), pattern: `${opening}${pattern}${op === 'ENDS_WITH' ? end : ''}` }
}

/** The last word if it may be the beginning of one that the key omits: `pr` of `private`, which is also spelt `pvt`. */
function cutWord(op: Part, words: readonly string[]): string | undefined {
  const last = words.at(-1) ?? ''
  const goesOn = (whole: string) => whole !== last && whole.startsWith(last)
  if (op === 'ENDS_WITH' || words.length < 2 || forms.has(last) || ![...forms.keys(), ...fillers].some(goesOn))
    return undefined
  return oneOf(last, ...[...forms].flatMap(([form, pattern]) => (goesOn(form) ? [pattern] : [])))
}

const brokenWords = /(?<![^ ])(?:p ?r ?i ?v ?a ?t ?e|l ?i ?m ?i ?t ?e ?d)(?![^ ])/g

/** As registry.name_key reads a text, but keeping its legal forms. */
function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff'`‘’]/g, '')
    .replaceAll(/[(] *p[ .]*[)](?=[ .]*(?:ltd|limited)\b)/g, ' pvt ')
    .replaceAll(/[\0-/:-`{-\x7f“”–—]+/g, ' ')
    .replaceAll(brokenWords, (word) => word.replaceAll(' ', ''))
    .replaceAll(/\blimited liability partnership\b/g, 'llp')
  return plain.split(' ').filter((word) => word !== '' && !fillers.has(word))
}

/** The outermost words may be fragments, and a fragment of an omitted word is in no key: `ate` of `private`. */
function coreOf(op: Part, words: readonly string[]): readonly string[] {
  const isTail = (word: string) => op !== 'STARTS_WITH' && leftOut.some((other) => other.endsWith(word))
  const isHead = (word: string) => op !== 'ENDS_WITH' && leftOut.some((other) => other.startsWith(word))
  const from = words.findIndex((word) => !isTail(word))
  const to = words.findLastIndex((word) => !isHead(word))
  return from < 0 ? [] : words.slice(from, to + 1)
}
