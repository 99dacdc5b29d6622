/** The place names recognized in a phrase: states in every spelling, and the districts of the PIN directory. */
import { states } from '../../domain/states.ts'
import { formerNames } from './former-names.ts'
import type { Token } from './tokens.ts'
import { wordsOfText } from './tokens.ts'

export interface Place {
  readonly field: 'state' | 'District'
  readonly name: string
}

/** State abbreviations that are also English words. */
const commonWords = new Set(['or', 'as', 'an', 'in', 'la', 'ch'])
const wordsMax = 6

const ofStates = new Map<string, Place>(
  states.flatMap(({ name, aliases, letters }) =>
    [name, ...aliases, ...letters]
      .map((each) => wordsOfText(each).join(' '))
      .filter((each) => !commonWords.has(each))
      .map((each) => [each, { field: 'state', name }] as const),
  ),
)

export type Places = ReadonlyMap<string, Place>

/** @param districts as the directory spells them. A name shared by a state and a district means the state. */
export function placesOf(districts: readonly string[]): Places {
  const ofDistricts = new Map(
    districts.map((name) => [wordsOfText(name).join(' '), { field: 'District', name }] satisfies [string, Place]),
  )
  const byFormerName = Object.entries(formerNames).flatMap(([former, names]) => {
    const [place] = names.flatMap((name) => ofDistricts.get(name.toLowerCase()) ?? [])
    return place ? [[former, place] satisfies [string, Place]] : []
  })
  return new Map<string, Place>([...byFormerName, ...ofDistricts, ...ofStates])
}

/** @returns the longest name that begins at the token `first`. */
export function placeAt(
  places: Places,
  tokens: readonly Token[],
  first: number,
): (Place & { end: number }) | undefined {
  for (let count = Math.min(wordsMax, tokens.length - first); count > 0; count--) {
    const part = tokens.slice(first, first + count)
    const words = part.filter(({ kind }) => kind !== 'sign').map(({ text }) => text)
    // A sign may be part of a name, as in J&K, but not its first or last character.
    if (part[0]?.kind === 'sign' || part.at(-1)?.kind === 'sign') continue
    const place = places.get(words.join(' '))
    if (place) return { ...place, end: first + count }
  }
  return undefined
}
