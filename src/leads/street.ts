/**
 * The street of a lead, from the address in its register: without the town, district, state, PIN and `-India` at its
 * end, which have columns of their own. Only what a column contains is removed; the whole address has its own column
 * in the types that have one.
 */
import { asciiForm } from '../domain/ascii-form.ts'
import { states } from '../domain/states.ts'
import { trimEdges } from '../domain/trim-edges.ts'
import { visibleLine } from '../domain/visible-text.ts'
import { wordKey } from '../domain/word-key.ts'

export interface Place {
  /** Towns and districts, each in a column of its own. */
  readonly towns: readonly (string | null)[]
  readonly state: string | null
  readonly pincode: string | null
}

/** @returns null if nothing is left. */
export function streetOf(address: string | null, { towns, state, pincode }: Place): string | null {
  if (address === null) return null
  const regions = new Set(['', 'india', 'na', ...spellingsOf(state)])
  const known = new Set([...regions, ...towns.map(keyOf)])
  // Registers join two address lines with a run of blanks, which separates like a comma.
  const segments = address.split(/,|[ \t\u00a0]{3,}/).map(visibleLine)
  // A short address may consist of its town only; it is the street all the same.
  while (segments.length > 1 && isKnownPlace(segments.at(-1) ?? '', known, pincode)) segments.pop()
  if (isKnownPlace(segments[0] ?? '', regions, pincode)) segments.shift()
  const street = trimEdges(segments.filter((segment) => segment !== '').join(', '), edges)
  return street === '' ? null : street
}

const edges = { before: /[\s.,;:*]/, behind: /[\s,;:-]/ }

const keyOf = (word: string | null): string => wordKey(word ?? '')

function spellingsOf(name: string | null): string[] {
  const found = states.find((state) => state.name === name)
  return [name ?? '', ...(found?.aliases ?? [])].map(keyOf)
}

/** `Goa`, `403521-India`, `NA-India`, `Panaji - 403 001`, `Goa 403001 India`. */
function isKnownPlace(segment: string, known: ReadonlySet<string>, pincode: string | null): boolean {
  const withoutPin = asciiForm(segment)
    .replace(/\b(?:PIN|PINCODE)\b[ :.-]{0,3}(?=\d)/i, '')
    .replace(/\b(\d{3}) ?(\d{3})\b/g, (digits) =>
      digits.replace(' ', '') === pincode || /^0{3} ?0{3}$/.test(digits) ? '' : digits,
    )
  return withoutPin.split(/\s?-\s?|\s(?=India\b)/i).every((part) => consistsOf(part.split(/\s+/), known))
}

/** `PANAJI GOA` consists of the town and the state. */
function consistsOf(words: readonly string[], known: ReadonlySet<string>): boolean {
  if (words.length === 0) return true
  return words.some(
    (_, index) =>
      index < wordsOfPlaceMax &&
      known.has(keyOf(words.slice(0, index + 1).join(' '))) &&
      consistsOf(words.slice(index + 1), known),
  )
}

/** Longer segments are text. */
const wordsOfPlaceMax = 5
