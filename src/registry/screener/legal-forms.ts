/**
 * A text that names a legal form beside other words, such as `IONS PRIVATE LIMITED`: the key of names leaves legal forms
 * out, so the name as written is asked as well, by a pattern that takes the spellings that the key takes for one.
 */
import type { MatchOperator } from './ast.ts'

export interface LegalFormAsked {
  /** Of the text what every such name holds in its key; empty where nothing is certain. */
  readonly core: string
  /** Regular expression for a name in lower case, without accents and apostrophes. Made of letters and digits of the text. */
  readonly pattern: string
}

/** The spellings of each form that a name may have; sources broke names at 40 characters (`PRI VATE LIMITED`). */
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
/** What the key leaves out without its being a form: names are alike with and without it. */
const fillers = new Set(['and', 'the'])
const leftOut = [...forms.keys(), ...fillers, 'liability', 'partnership']

/** Names have fewer words. The pattern of hundreds would take seconds to be read; the key alone decides then. */
const wordsMax = 32

const between = '[^a-z0-9]+(?:(?:and|the)[^a-z0-9]+)*'
const start = '^[^a-z0-9]*(?:(?:and|the)[^a-z0-9]+)*'
const end = '[^a-z0-9]*$'

/** @returns undefined where the text names no form, names nothing else, or is no piece of a name. */
export function legalFormAsked(op: MatchOperator, text: string): LegalFormAsked | undefined {
  const words = wordsOf(text)
  const cut = cutWord(op, words)
  if (!(cut || words.some((word) => forms.has(word))) || words.every((word) => forms.has(word))) return undefined
  if (words.length > wordsMax) return undefined
  const spelled = words.map((word) => forms.get(word) ?? word.replaceAll(/[^a-z0-9]+/g, '[^ ]*'))
  const pattern = (cut ? spelled.with(-1, cut) : spelled).join(between)
  const opening = op === 'STARTS_WITH' ? start : ''
  return { core: coreOf(op, words).join(' '), pattern: `${opening}${pattern}${op === 'ENDS_WITH' ? end : ''}` }
}

/** The last word where it may go on as one that the key leaves out: `pr` of `private`, which `pvt` is another spelling of. */
function cutWord(op: MatchOperator, words: readonly string[]): string | undefined {
  const last = words.at(-1) ?? ''
  const goesOn = (whole: string) => whole !== last && whole.startsWith(last)
  if (op === 'ENDS_WITH' || words.length < 2 || forms.has(last) || ![...forms.keys(), ...fillers].some(goesOn))
    return undefined
  return oneOf(last, ...[...forms].flatMap(([form, pattern]) => (goesOn(form) ? [pattern] : [])))
}

const brokenWords = /(?<![^ ])(?:p ?r ?i ?v ?a ?t ?e|l ?i ?m ?i ?t ?e ?d)(?![^ ])/g

/** As registry.name_key reads a text, its legal forms left in. */
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

/** The outermost words may be pieces, and a piece of a word that the key leaves out is in no key: `ate` of `private`. */
function coreOf(op: MatchOperator, words: readonly string[]): readonly string[] {
  const isTail = (word: string) => op !== 'STARTS_WITH' && leftOut.some((other) => other.endsWith(word))
  const isHead = (word: string) => op !== 'ENDS_WITH' && leftOut.some((other) => other.startsWith(word))
  const from = words.findIndex((word) => !isTail(word))
  const to = words.findLastIndex((word) => !isHead(word))
  return from < 0 ? [] : words.slice(from, to + 1)
}
