/**
 * Several grants of one kind become one scope, because a statement can name one territory and one window.
 *
 * Grants are joined where the join is exactly their sum: one covers the other, or they differ in one list only, or
 * they have the same territory and windows that meet. Of what cannot be joined the widest counts: territory first,
 * then window. So an account never reads what no grant of it allows.
 */
import { type DateRange, distinctPlaces, earlierOf, laterOf, placeKey, type Territory } from '../domain/scope.ts'

export interface Grant extends Territory, DateRange {
  /** `from` is the subscription's start. */
  readonly anchored: boolean
}

const listNames = ['states', 'districts', 'pincodes'] as const

/** @returns undefined when there are no grants. The order of the grants decides between equally wide ones. */
export function widestGrant(grants: readonly Grant[]): Grant | undefined {
  const joined: Grant[] = []
  for (const grant of grants) addJoined(joined, grant)
  return joined.reduce<Grant | undefined>((best, grant) => (best && !isWider(grant, best) ? best : grant), undefined)
}

/** A join may make further joins possible, so the joined grant is added like a new one. */
function addJoined(grants: Grant[], grant: Grant): void {
  for (const [index, other] of grants.entries()) {
    const join = joinOf(other, grant)
    if (!join) continue
    grants.splice(index, 1)
    addJoined(grants, join)
    return
  }
  grants.push(grant)
}

function joinOf(a: Grant, b: Grant): Grant | undefined {
  if (covers(a, b)) return withAnchor(a, a, b)
  if (covers(b, a)) return withAnchor(b, a, b)
  const different = listNames.filter((name) => !sameList(a[name], b[name]))
  const [only] = different
  if (only === undefined && windowsMeet(a, b)) {
    const from = a.from === null || b.from === null ? null : earlierOf(a.from, b.from)
    const to = a.to === null || b.to === null ? null : laterOf(a.to, b.to)
    return withAnchor({ ...a, from, to }, a, b)
  }
  if (different.length === 1 && only !== undefined && a.from === b.from && a.to === b.to) {
    return withAnchor({ ...a, [only]: unionOf(a[only], b[only]) }, a, b)
  }
  return undefined
}

/** The joined window is anchored when every grant that gives it its start is. */
function withAnchor(join: Grant, a: Grant, b: Grant): Grant {
  return { ...join, anchored: [a, b].filter((grant) => grant.from === join.from).every((grant) => grant.anchored) }
}

function covers(a: Grant, b: Grant): boolean {
  const startsBefore = a.from === null || (b.from !== null && a.from <= b.from)
  const endsAfter = a.to === null || (b.to !== null && a.to >= b.to)
  return startsBefore && endsAfter && listNames.every((name) => coversList(a[name], b[name]))
}

function coversList(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null) return true
  if (b === null) return false
  const keys = new Set(a.map(placeKey))
  return b.every((name) => keys.has(placeKey(name)))
}

const sameList = (a: readonly string[] | null, b: readonly string[] | null) => coversList(a, b) && coversList(b, a)

function unionOf(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  return a === null || b === null ? null : distinctPlaces([...a, ...b])
}

/** Overlapping, or one ends on the day before the other begins. */
function windowsMeet(a: DateRange, b: DateRange): boolean {
  const reaches = (first: DateRange, second: DateRange) =>
    first.to === null || second.from === null || Date.parse(second.from) - Date.parse(first.to) <= 86_400_000
  return reaches(a, b) && reaches(b, a)
}

function isWider(a: Grant, b: Grant): boolean {
  const [widthA, widthB] = [widthOf(a), widthOf(b)]
  const index = widthA.findIndex((width, at) => width !== widthB[at])
  return index >= 0 && (widthA[index] ?? 0) > (widthB[index] ?? 0)
}

function widthOf(grant: Grant): number[] {
  const open = listNames.filter((name) => grant[name] === null).length
  const days = grant.from === null || grant.to === null ? Infinity : Date.parse(grant.to) - Date.parse(grant.from)
  return [open, ...listNames.map((name) => grant[name]?.length ?? Infinity), days]
}
