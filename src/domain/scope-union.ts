/**
 * Unions of scopes: each is a territory and a window, and a record in any of them may be read.
 *
 * Members of a union are joined if the result is exact: one covers the other, they differ in one list only, or they
 * have the same territory and adjoining windows. Others stay separate. The hull, a single territory and window around
 * all of them, contains more than the union if that has more than one member.
 */
import { type DateRange, distinctPlaces, earlierOf, laterOf, placeKey, type Scope, type Territory } from './scope.ts'

const listNames = ['states', 'districts', 'pincodes'] as const

/** The same union with as few members as exact joins allow, in the order of their first parts. */
export function simplestUnion(scopes: readonly Scope[]): Scope[] {
  const joined: Scope[] = []
  for (const { states, districts, pincodes, from, to } of scopes) {
    addJoined(joined, { states, districts, pincodes, from, to })
  }
  return joined
}

/** A join may allow further joins, so the joined scope is added like a new one. */
function addJoined(scopes: Scope[], scope: Scope): void {
  for (const [index, other] of scopes.entries()) {
    const join = joinOf(other, scope)
    if (!join) continue
    scopes.splice(index, 1)
    addJoined(scopes, join)
    return
  }
  scopes.push(scope)
}

function joinOf(a: Scope, b: Scope): Scope | undefined {
  if (covers(a, b)) return a
  if (covers(b, a)) return b
  const different = listNames.filter((name) => !sameList(a[name], b[name]))
  const [only] = different
  if (only === undefined && windowsMeet(a, b)) return { ...a, ...hullOfWindows([a, b]) }
  if (different.length === 1 && only !== undefined && a.from === b.from && a.to === b.to) {
    return { ...a, [only]: unionOf([a[only], b[only]]) }
  }
  return undefined
}

/** The smallest territory and window around at least one scope. */
export function hullOf(scopes: readonly Scope[]): Scope {
  return {
    states: unionOf(scopes.map(({ states }) => states)),
    districts: unionOf(scopes.map(({ districts }) => districts)),
    pincodes: unionOf(scopes.map(({ pincodes }) => pincodes)),
    ...hullOfWindows(scopes),
  }
}

function hullOfWindows(windows: readonly DateRange[]): DateRange {
  const [first, ...rest] = windows
  if (!first) throw new Error('no windows have no hull')
  return rest.reduce<DateRange>(
    (hull, { from, to }) => ({
      from: hull.from === null || from === null ? null : earlierOf(hull.from, from),
      to: hull.to === null || to === null ? null : laterOf(hull.to, to),
    }),
    { from: first.from, to: first.to },
  )
}

/** True if it includes every place; its window may still be bounded. */
export const isNationwide = (territory: Territory): boolean => listNames.every((name) => territory[name] === null)

export function covers(a: Scope, b: Scope): boolean {
  const startsBefore = a.from === null || (b.from !== null && a.from <= b.from)
  const endsAfter = a.to === null || (b.to !== null && a.to >= b.to)
  return startsBefore && endsAfter && listNames.every((name) => coversList(a[name], b[name]))
}

/** False only if no record at all can be in both. */
export function mayOverlap(a: Scope, b: Scope): boolean {
  const before = (first: DateRange, second: DateRange) =>
    first.to !== null && second.from !== null && first.to < second.from
  if (before(a, b) || before(b, a)) return false
  return listNames.every((name) => {
    const keys = a[name] && new Set(a[name].map(placeKey))
    return keys === null || b[name] === null || b[name].some((place) => keys.has(placeKey(place)))
  })
}

function coversList(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null) return true
  if (b === null) return false
  const keys = new Set(a.map(placeKey))
  return b.every((name) => keys.has(placeKey(name)))
}

const sameList = (a: readonly string[] | null, b: readonly string[] | null) => coversList(a, b) && coversList(b, a)

function unionOf(lists: readonly (readonly string[] | null)[]): readonly string[] | null {
  return lists.some((list) => list === null) ? null : distinctPlaces(lists.flatMap((list) => list ?? []))
}

/** True if they overlap or are adjacent days. */
function windowsMeet(a: DateRange, b: DateRange): boolean {
  const reaches = (first: DateRange, second: DateRange) =>
    first.to === null || second.from === null || Date.parse(second.from) - Date.parse(first.to) <= 86_400_000
  return reaches(a, b) && reaches(b, a)
}
