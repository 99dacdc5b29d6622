/**
 * Splits a person's name as a register writes it into its parts. Every character of the name is in exactly one part,
 * except blanks, invisible characters, the separating commas, and punctuation at its edges. Pure; the parts written
 * as `LAST, FIRST MIDDLE` split into the same parts again.
 */
import { trimEdges } from './trim-edges.ts'
import { visibleLine } from './visible-text.ts'

export interface PersonName {
  /** `SMT.`, `DR`, `CAPT.`: precedes a name and is not part of it. */
  readonly honorific: string | null
  readonly first: string | null
  readonly middle: string | null
  /** Always set, since CRMs require it: a single name is a last name. */
  readonly last: string
  /** `JR`, `(RETD)`, `S/O …`. */
  readonly suffix: string | null
}

const listed = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))
const honorifics = listed(
  `SMT SHRIMATI SRIMATI SRIMATHI TMT THIRU SELVI SAU SOU SUSHRI SHRI SRI SHREE SH MR MRS MS MISS MASTER KUM KM KU KUMARI DR
  PROF ADV ADVOCATE ER AR CA CS CAPT CAPTAIN COL LTCOL MAJ MAJOR GEN LT BRIG CMDE CDR LCDR SQN WGCDR WG GP AVM SUBEDAR HAVILDAR
  HON HON'BLE HONBLE HH JUSTICE PT PANDIT SARDAR SWAMI HAJI MAULANA REV REVD FR SR LATE MESSRS M/S PROP PROPRIETOR PROPRIETRIX
  श्री श्रीमती सुश्री कुमारी डॉ`,
)
/** Words that are also names: honorifics only if two more words follow, or with a dot. */
const oftenNames = listed(
  'SRI SHREE SH SHRI MASTER MAJOR MISS AR ER LT GEN PT HON MS KM KU KUMARI CA CS SR FR SARDAR SWAMI HAJI MAULANA THIRU SELVI SAU SOU HH',
)
/** With a dot they are just as often initials. */
const alsoInitials = listed('AR ER HH')
const suffixes = listed('JR SR RETD RETIRED JI II III IV ESQ ESQUIRE HUF')
/** What a register writes for an unknown name. */
const placeholders = listed('NA NIL NULL NONE UNKNOWN NOTAVAILABLE NOTAPPLICABLE')
/** Only after a comma. */
const degrees = listed('CA CS CMA FCA ACA MBBS MD MS PHD MBA BTECH MTECH LLB IAS IPS IFS IRS ADV ADVOCATE HUF')
const relations = listed('S/O D/O W/O C/O H/O PROP PROPRIETOR PROPRIETRIX')
/** Before OF. */
const relatives = listed('SON WIFE DAUGHTER WIDOW HUSBAND')
/** The next word is another name of the same person. */
const aliases = listed('ALIAS URF @ AKA A/K/A')
/** Belong to the last name that follows them. */
const particles = listed('DE DA DOS VAN VON DER DEN DI DEL BIN BINTI IBN AL EL')

const keyOf = (word: string): string => word.replace(/[.()]/g, '').toUpperCase()
const isSuffix = (word: string): boolean => suffixes.has(keyOf(word))
const isInitial = (word: string): boolean =>
  /^(?:\p{L}\p{M}?\.?){1,2}$/u.test(word) && (word.includes('.') || /^\p{L}\p{M}*$/u.test(word))

/** Quotes around a name, punctuation before it. */
const edges = { before: /[^\p{L}\p{N}(]/u, behind: /[^\p{L}\p{M}\p{N}.)]/u }

/** @returns undefined for a text without letters, and for a placeholder. */
export function splitName(text: string): PersonName | undefined {
  const line = trimEdges(visibleLine(text), edges)
  if (!/\p{L}/u.test(line) || placeholders.has(keyOf(line).replace(/[\s/]/g, ''))) return undefined
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

/** Splits `SMT.ASHA`, `DR.A.P.J.ABDUL`, `R.K.SHARMA` at their dots. */
const wordsOf = (text: string): string[] =>
  text
    .split(' ')
    .flatMap((word) => {
      const title = /^[^.]{2,}\.(?=.*\p{L})/u.exec(word)?.[0]
      return title && honorifics.has(keyOf(title)) ? [title, word.slice(title.length)] : [word]
    })
    .join(' ')
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

/** The last word that is not an initial, with the particles before it: in `SUBRAMANIAN K` the K is the given name. */
function lastNameAt(names: readonly string[]): { readonly from: number; readonly to: number } {
  const whole = names.findLastIndex((word) => !isInitial(word))
  const place = whole === -1 ? names.length - 1 : whole
  let from = place
  while (from > 1 && particles.has(keyOf(names[from - 1] ?? ''))) from -= 1
  return { from, to: place + 1 }
}

/** Leaves at least one word. */
function takeHonorifics(words: readonly string[]): [string[], string[]] {
  let count = 0
  while (count < words.length - 1) {
    const word = words[count] ?? ''
    const key = keyOf(word)
    const remain = words.length - count - 1
    const isUnambiguous = remain >= 2 || (word.endsWith('.') && !alsoInitials.has(key))
    // `COL. (RETD) R K SINGH`
    const isRank = honorifics.has(key)
      ? !oftenNames.has(key) || isUnambiguous
      : count > 0 && /^RETD$|^RETIRED$/.test(key)
    if (!isRank) break
    count += 1
  }
  return [words.slice(0, count), words.slice(count)]
}

function takeSuffixes(given: readonly string[]): [string[], string[]] {
  const [words, alias] = takeAlias(given)
  const relation = words.findIndex((word, index) => index > 0 && isRelation(word, words[index + 1]))
  let end = relation === -1 ? words.length : relation
  for (let begin = end; begin > 0; begin = endingAt(words, end)) end = begin
  return [words.slice(0, end), [...words.slice(end), ...alias]]
}

const isRelation = (word: string, next = ''): boolean =>
  relations.has(keyOf(word)) || (relatives.has(keyOf(word)) && keyOf(next) === 'OF')

/** Index of the word that begins the ending: a suffix, a number, or all in brackets; 0 if there is none. */
function endingAt(words: readonly string[], end: number): number {
  const last = words[end - 1] ?? ''
  const bracket = last.endsWith(')') ? words.findLastIndex((word, index) => index < end && word.startsWith('(')) : 0
  if (bracket > 0) return bracket
  return end > 1 && (isSuffix(last) || !/\p{L}/u.test(last)) ? end - 1 : 0
}

/** `RAJESH @ RAJU SHARMA` has the last name SHARMA. */
function takeAlias(words: readonly string[]): [string[], string[]] {
  const at = words.findIndex((word, index) => index > 0 && index < words.length - 1 && aliases.has(keyOf(word)))
  return at === -1 ? [[...words], []] : [[...words.slice(0, at), ...words.slice(at + 2)], words.slice(at, at + 2)]
}

const joined = (words: readonly string[]): string | null => (words.length === 0 ? null : words.join(' '))
