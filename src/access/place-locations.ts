/**
 * Where districts and PIN codes are according to the PIN directory, for grants restricted to states or districts. A
 * place that the directory does not know may be anywhere: nothing is refused for lack of a directory.
 */
import type { Queryable } from '../db/db.ts'
import { placeKey } from '../domain/scope.ts'
import type { StatedGrant } from './entitlements.ts'

interface Place {
  readonly state: string | null
  readonly district: string
}

interface AskedPlaces {
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
  { districts = [], pincodes = [] }: AskedPlaces,
): Promise<Directory> {
  const territories = grants.map(({ territory }) => territory)
  const byState = territories.some((each) => each.districts === null && each.states !== null)
  const byPlace = territories.some(
    (each) => each.pincodes === null && (each.states !== null || each.districts !== null),
  )
  const names = byState ? districts.map(placeKey) : []
  const codes = byPlace ? pincodes : []
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
  return {
    district: (name) => rows.filter((row) => row.pincode === null && placeKey(row.district) === placeKey(name)),
    pincode: (code) => rows.filter((row) => row.pincode === code),
  }
}

/** Whether a place can be in the states and districts of a grant. */
export function isInTerritory(places: readonly Place[], { states, districts }: StatedGrant['territory']): boolean {
  const holds = (list: readonly string[] | null, name: string | null) =>
    list === null || name === null || list.some((each) => placeKey(each) === placeKey(name))
  return places.length === 0 || places.some((place) => holds(states, place.state) && holds(districts, place.district))
}
