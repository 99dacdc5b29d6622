/** Did-you-mean suggestions for unknown names of parameters and members. */
import { editDistance } from '../../domain/nearest.ts'
import { quoted } from '../../domain/visible.ts'

export interface UnknownName {
  /** `a`, or `items[0].a`, as sent; not yet safe to show. */
  readonly written: string
  /** The last part of it. */
  readonly name: string
  readonly kind: 'parameter' | 'member'
  /** Names that are known there; other spellings of them map to the first. */
  readonly known: ReadonlyMap<string, string>
  /** Names that the other half of the request knows: the body for a parameter, the query for a member. */
  readonly elsewhere: ReadonlyMap<string, string>
}

export interface NameFault {
  readonly field: string
  readonly message: string
  readonly suggestion: string | null
}

const shownMax = 60
const listedMax = 40

/** Names of other APIs for what has another name here. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  limit: ['pagesize', 'perpage', 'size', 'count', 'max', 'top'],
  page: ['offset', 'pageno', 'pagenumber', 'skip', 'start'],
  search: ['q', 'query', 'keyword', 'keywords', 'text', 'name', 'description'],
  search_query: ['q', 'query', 'keyword', 'search', 'name'],
  company: ['name', 'q', 'search', 'query'],
  TradeName: ['name', 'q', 'search', 'query', 'legalname', 'company'],
  firstName: ['name', 'givenname'],
  lastName: ['surname', 'familyname'],
  postalCode: ['pincode', 'pin', 'zip', 'zipcode', 'postcode'],
  pincode: ['postalcode', 'pin', 'zip', 'zipcode', 'postcode'],
  as_of: ['date', 'day', 'on', 'at'],
  from_date: ['from', 'start', 'since'],
  to_date: ['to', 'end', 'until'],
  number: ['identifier', 'id', 'cin', 'din', 'gstin'],
  identifier: ['number', 'id', 'cin', 'din', 'gstin'],
  api_key: ['key', 'token'],
  refresh_token: ['token'],
}

export const namesOf = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name, name]))

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The intended name, where one is close. */
function meantBy(name: string, known: ReadonlyMap<string, string>): string | undefined {
  const letters = lettersOf(name)
  // Names longer than any known one are not compared.
  if (letters === '' || letters.length > shownMax) return undefined
  const candidates = [...known].map(([spelling, canonical]) => ({ canonical, spelling: lettersOf(spelling) }))
  const same = candidates.find(({ spelling }) => spelling === letters)
  if (same) return same.canonical
  const max = letters.length < 5 ? 1 : 2
  const near = candidates
    .map((each) => ({ ...each, distance: editDistance(letters, each.spelling, max) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance || sharedStart(b.spelling, letters) - sharedStart(a.spelling, letters))
  if (near[0]) return near[0].canonical
  const other = candidates.find(({ canonical }) => otherWords[canonical]?.includes(letters))
  if (other) return other.canonical
  return candidates.find(({ spelling }) => isWithin(letters, spelling) || isWithin(spelling, letters))?.canonical
}

const isWithin = (part: string, whole: string): boolean => part.length > 2 && whole.includes(part)

function sharedStart(one: string, other: string): number {
  const end = [...one].findIndex((letter, index) => letter !== other[index])
  return end < 0 ? one.length : end
}

export function nameFault({ written, name, kind, known, elsewhere }: UnknownName): NameFault {
  const field = quoted(written, shownMax)
  const unknown = `Unknown ${kind} "${field}"`
  if (elsewhere.has(name)) {
    const place = kind === 'parameter' ? 'body' : 'query'
    return { field, message: `${unknown}: ${name} belongs in the ${place} of this call.`, suggestion: null }
  }
  const meant = meantBy(name, known)
  const names = [...new Set(known.values())]
  const list = names.length === 0 ? `This call takes no ${kind}s.` : `Known: ${names.slice(0, listedMax).join(', ')}.`
  return {
    field,
    message: meant === undefined ? `${unknown}. ${list}` : `${unknown}; did you mean ${meant}? ${list}`,
    suggestion: meant ?? null,
  }
}
