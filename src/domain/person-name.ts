/**
 * A person's name as a register writes it goes in, its parts come out. Every character of the name stands in exactly one
 * part, but blanks, what cannot be seen, and the commas that part it. Pure; a name written `LAST, FIRST MIDDLE` out of its
 * parts gives the same parts again.
 */
import { visibleLine } from './visible-text.ts'

export interface PersonName {
  /** `SMT.`, `DR`, `CAPT.`: what stands before a name and belongs to none. */
  readonly honorific: string | null
  readonly first: string | null
  readonly middle: string | null
  /** Always there: a single name is a last name, as CRMs demand one. */
  readonly last: string
  /** `JR`, `(RETD)`, `S/O …`. */
  readonly suffix: string | null
}

const listed = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const honorifics = listed(
  'SMT SHRIMATI SHRI SRI SHREE SH MR MRS MS MISS MASTER KUM DR PROF ADV ADVOCATE ER AR CAPT CAPTAIN COL LTCOL MAJ MAJOR GEN LT BRIG CMDE CDR LCDR SQN WGCDR WG GP AVM HON JUSTICE PT PANDIT LATE MESSRS M/S',
)
/** Words that are names too: they are honorifics only where two more words follow. */
const oftenNames = listed('SRI SHREE SH SHRI MASTER MAJOR MISS AR ER LT GEN PT HON MS')
const suffixes = listed('JR SR RETD RETIRED JI II III IV ESQ ESQUIRE')
/** Behind a comma alone. */
const degrees = listed('CA CS CMA FCA ACA MBBS MD MS PHD MBA BTECH MTECH LLB IAS IPS IFS IRS ADV ADVOCATE HUF')
const relations = listed('S/O D/O W/O C/O H/O')
/** Belong to the last name that follows them. */
const particles = listed('DE DA DOS VAN VON DER DEN DI DEL BIN BINTI IBN AL EL')

const keyOf = (word: string): string => word.replace(/[.()]/g, '').toUpperCase()
const isSuffix = (word: string): boolean => suffixes.has(keyOf(word))
const isInitial = (word: string): boolean =>
  /^(?:\p{L}\p{M}?\.?){1,2}$/u.test(word) && (word.includes('.') || /^\p{L}\p{M}*$/u.test(word))

/** @returns undefined for a text without a letter. */
export function splitName(text: string): PersonName | undefined {
  const line = visibleLine(text)
  if (!/\p{L}/u.test(line)) return undefined
  const segments = line
    .split(',')
    .map(wordsOf)
    .filter((words) => words.length > 0)
  const trailing: string[] = []
  while (segments.length > 1 && segments.at(-1)?.every((word) => isSuffix(word) || degrees.has(keyOf(word)))) {
    trailing.unshift(...(segments.pop() ?? []))
  }
  const [before = [], after, ...more] = segments
  if (after && more.length === 0) return inverted(before, after, trailing)
  return inOrder(segments.flat(), trailing)
}

/** `SMT.ASHA`, `R.K.SHARMA` are words of their own, as their dots say. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/\.(?=\p{L}{2})/gu, '. ')
    .replace(/(?<=\p{L}\.\p{L}\.)(?=\p{L})/gu, ' ')
    .split(' ')
    .filter((word) => word !== '')

/** `SHARMA, RAJESH KUMAR` */
function inverted(family: readonly string[], given: readonly string[], trailing: readonly string[]): PersonName {
  const [inFront, surname] = takeHonorifics(family)
  const [behind, named] = takeHonorifics(given)
  const [names, ending] = takeSuffixes(named)
  const [last, familyEnding] = takeSuffixes(surname)
  if (last.length === 0 || names.length === 0) return inOrder([...family, ...given], trailing)
  const [first, ...middle] = names
  return {
    honorific: joined([...inFront, ...behind]),
    first: first ?? null,
    middle: joined(middle),
    last: last.join(' '),
    suffix: joined([...familyEnding, ...ending, ...trailing]),
  }
}

function inOrder(words: readonly string[], trailing: readonly string[]): PersonName {
  const [front, rest] = takeHonorifics(words)
  const [names, ending] = takeSuffixes(rest)
  const suffix = joined([...ending, ...trailing])
  const [only = '', ...others] = names
  if (others.length === 0) return { honorific: joined(front), first: null, middle: null, last: only, suffix }
  const at = lastNameAt(names)
  const [first, ...middle] = [...names.slice(0, at.from), ...names.slice(at.to)]
  return {
    honorific: joined(front),
    first: first ?? null,
    middle: joined(middle),
    last: names.slice(at.from, at.to).join(' '),
    suffix,
  }
}

/** The last word that is no initial, with the particles before it: of `SUBRAMANIAN K` the K is the given name. */
function lastNameAt(names: readonly string[]): { readonly from: number; readonly to: number } {
  const whole = names.findLastIndex((word) => !isInitial(word))
  const place = whole === -1 ? names.length - 1 : whole
  let from = place
  while (from > 1 && particles.has(keyOf(names[from - 1] ?? ''))) from -= 1
  return { from, to: place + 1 }
}

/** At least one word remains. */
function takeHonorifics(words: readonly string[]): [string[], string[]] {
  let count = 0
  while (count < words.length - 1) {
    const key = keyOf(words[count] ?? '')
    const remain = words.length - count - 1
    if (!honorifics.has(key) || (oftenNames.has(key) && remain < 2)) break
    count += 1
  }
  return [words.slice(0, count), words.slice(count)]
}

function takeSuffixes(words: readonly string[]): [string[], string[]] {
  const relation = words.findIndex((word, index) => index > 0 && relations.has(keyOf(word)))
  let end = relation === -1 ? words.length : relation
  while (end > 1 && isSuffix(words[end - 1] ?? '')) end -= 1
  return [words.slice(0, end), words.slice(end)]
}

const joined = (words: readonly string[]): string | null => (words.length === 0 ? null : words.join(' '))
