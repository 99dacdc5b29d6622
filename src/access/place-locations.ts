/**
 * Where districts and PIN codes are according to the PIN directory, for grants that have lists of another kind than a
 * requested place: of states for a district, of PIN codes for a state. A place that the directory does not know may be
 * anywhere: nothing is refused for lack of a directory.
 */
import type { Queryable } from '../db/db.ts'
import { placeKey, type Territory } from '../domain/scope.ts'
import type { StatedGrant } from './entitlements.ts'

interface Place {
  readonly state: string | null
  readonly district: string
}

interface AskedPlaces {
  readonly state?: string | undefined
  readonly districts?: readonly string[] | undefined
  readonly pincodes?: readonly string[] | undefined
}

export interface Directory {
  /** Each district of that name, in any casing. */
  district(name: string): readonly Place[]
  pincode(code: string): readonly Place[]
}

/** Queries the directory only where its answer can refuse something. */
export async function locatePlaces(
  db: Queryable,
  grants: readonly StatedGrant[],
  { state, districts = [], pincodes = [] }: AskedPlaces,
): Promise<Directory> {
  const territories = grants.map(({ territory }) => territory)
  const byState = territories.some((each) => each.districts === null && each.states !== null)
  const byPlace = territories.some(
    (each) => each.pincodes === null && (each.states !== null || each.districts !== null),
  )
  const listed = territories.flatMap((each) => [
    ...(state !== undefined && each.states === null ? [listedPlaces('state', each)] : []),
    ...(districts.length > 0 && each.districts === null ? [listedPlaces('district', each)] : []),
  ])
  const names = [...(byState ? districts : []), ...listed.flatMap((each) => each?.districts ?? [])].map(placeKey)
  const codes = [...(byPlace ? pincodes : []), ...listed.flatMap((each) => each?.pincodes ?? [])]
  const rows =
    names.length + codes.length === 0
      ? []
      : await db.query<Place & { pincode: string | null }>(
          `SELECT DISTINCT NULL AS pincode, district, state FROM reference.pincode
           WHERE cardinality($1::text[]) > 0 AND lower(district) = ANY ($1::text[]) AND closed_on IS NULL
           UNION ALL
           SELECT pincode, district, state FROM reference.pincode WHERE pincode = ANY ($2::text[]) AND closed_on IS NULL`,
          [names, codes],
        )
  const placed = Map.groupBy(rows, (row) => row.pincode ?? placeKey(row.district))
  return {
    district: (name) => placed.get(placeKey(name)) ?? [],
    pincode: (code) => placed.get(code) ?? [],
  }
}

/** The places of a territory that decide whether it reaches into a state or district; undefined if none do. */
function listedPlaces(
  kind: 'state' | 'district',
  { districts, pincodes }: Territory,
): { readonly districts?: readonly string[]; readonly pincodes?: readonly string[] } | undefined {
  if (pincodes !== null) return { pincodes }
  return kind === 'state' && districts !== null ? { districts } : undefined
}

/** Whether a requested place, of a kind of which the territory has no list, can be in the territory. */
export function canHold(
  territory: Territory,
  kind: 'state' | 'district' | 'pincode',
  name: string,
  directory: Directory,
): boolean {
  if (kind !== 'state' && !isAround(directory[kind](name), territory)) return false
  const listed = kind === 'pincode' ? undefined : listedPlaces(kind, territory)
  if (kind === 'pincode' || listed === undefined) return true
  const places = [
    ...(listed.districts ?? []).map(directory.district),
    ...(listed.pincodes ?? []).map(directory.pincode),
  ]
  return places.some((known) => known.length === 0 || known.some((place) => isSame(place[kind], name)))
}

/** Whether one of the places is in the states and districts of a territory. */
function isAround(places: readonly Place[], { states, districts }: Territory): boolean {
  const holds = (list: readonly string[] | null, name: string | null) =>
    list === null || list.some((each) => isSame(name, each))
  return places.length === 0 || places.some((place) => holds(states, place.state) && holds(districts, place.district))
}

/** A state that the directory does not have may be any. */
const isSame = (known: string | null, name: string): boolean => known === null || placeKey(known) === placeKey(name)
