/**
 * City, district, state and PIN of a record. The state is the one that the source names, in the spelling of the alias
 * table. If the table does not know it, the state is determined by the digits of a GSTIN, which a state assigns, then
 * by the PIN, then by the letters of a CIN, which may be those of an earlier registrar; otherwise the source's word is
 * kept. The district is the one that the PIN directory has for the PIN within that state, else what the text says. PIN
 * prefixes are not used: Mahe is in the Kerala circle, Yanam in the Andhra circle. Of an address abroad, only the text is
 * used: Singapore's postal codes have six digits too, and GA is Georgia as well as Goa.
 */

import type { PlaceSources } from '../../../../config/sources/source.ts'
import { sql } from '../../../db/sql.ts'
import { type CheckLayers, snake } from '../layers.ts'
import type { Surroundings } from './rule-kind.ts'
import { joinKey, joinWord } from './vocabulary-joins.ts'

const directory = 'reference.pincode WHERE closed_on IS NULL'

/** @returns the expressions for the columns of a place. */
export function addPlace(layers: CheckLayers, place: PlaceSources, hasPinDirectory: boolean): Surroundings['place'] {
  const address = optional(layers, place.address)
  const pincode = optional(layers, place.pincode)
  if (address) {
    // Only `…,town,state,PIN-India` has distinguishable parts; of other addresses only the PIN is read. Three spaces
    // mark where the publisher joined two address lines; the place follows them.
    const part = (from: number) =>
      sql`CASE WHEN ${address} LIKE '%-India' THEN split_part(split_part(${address}, ',', -${from}), '   ', -1) END`
    layers.prepare('a2', part(2))
    layers.prepare('a3', part(3))
    layers.prepare('a4', part(4))
    layers.prepare('a5', part(5))
  }
  const pins = [
    ...(pincode ? [sql`ingest.read_pincode(${pincode})`] : []),
    ...[address, optional(layers, place.pincodeAtEndOf)].flatMap((text) => (text ? pinsAtEnd(text) : [])),
  ]
  const pin = pins.length > 0 ? sql`coalesce(${pins.join(', ')})` : 'NULL::text'
  layers.prepare('pin', pin)
  const country = optional(layers, place.country)
  // What is no known country is mostly India in a spelling of its own, or one of its states, or a word for nothing.
  if (country) {
    layers.joined.set(
      'is_abroad',
      sql`${joinWord(layers, 'country_word', 'country', `prepared.${country}`)} IS NOT NULL`,
    )
  }
  addState(layers, place, hasPinDirectory)
  addDistrict(layers, place, hasPinDirectory)
  const city = cityOf(layers, place, hasPinDirectory)
  const code = country
    ? sql`CASE WHEN places.is_abroad THEN ${pincode ? sql`places.${pincode}` : 'NULL'} ELSE places.pin END`
    : 'places.pin'
  return { city, district: 'places.district_name', state: 'places.state_name', pincode: code }
}

/** The PIN by which the directory is joined. */
function pinIn(layers: CheckLayers): string {
  const isAbroad = layers.joined.get('is_abroad')
  return isAbroad ? sql`CASE WHEN NOT (${isAbroad}) THEN prepared.pin END` : 'prepared.pin'
}

/** The PIN of the last part, else the one that the country stands behind: `…,403001,India`. */
function pinsAtEnd(text: string): string[] {
  const withoutCountry = sql`substring(${text} FROM '(?i)^(.*[0-9])[ ,.-]*(?:india|in)[ .]*$')`
  return [
    sql`ingest.read_pincode(split_part(${text}, ',', -1))`,
    sql`ingest.read_pincode(split_part(${withoutCountry}, ',', -1))`,
  ]
}

function optional(layers: CheckLayers, field: string | undefined): string | undefined {
  return field !== undefined && layers.has(field) ? layers.field(field) : undefined
}

function addState(layers: CheckLayers, place: PlaceSources, hasPinDirectory: boolean): void {
  const words = optional(layers, place.state)
  const candidates: string[] = []
  if (words) candidates.push(joinWord(layers, 'state_word', 'state', `prepared.${words}`))
  if (layers.prepared.has('a2')) candidates.push(joinWord(layers, 'state_text', 'state', 'prepared.a2'))
  const ofIdentifier = place.identifier && layers.has(place.identifier.from) ? letters(layers, place.identifier) : []
  if (place.identifier?.letters === 'gstin') candidates.push(...ofIdentifier)
  if (hasPinDirectory) {
    layers.joins.set(
      'pin_any',
      sql`LEFT JOIN (SELECT DISTINCT ON (pincode) pincode, state, district FROM ${directory} AND district <> ''
                  ORDER BY pincode, offices DESC, id) pin_any ON pin_any.pincode = ${pinIn(layers)}`,
    )
    candidates.push('pin_any.state')
  }
  if (place.identifier?.letters === 'cin') candidates.push(...ofIdentifier)
  if (words) candidates.push(sql`prepared.${words}`)
  const state = candidates.length > 0 ? sql`coalesce(${candidates.join(', ')})` : 'NULL::text'
  const isAbroad = layers.joined.get('is_abroad')
  layers.joined.set(
    'state_name',
    isAbroad ? sql`CASE WHEN ${isAbroad} THEN ${words ? sql`prepared.${words}` : 'NULL'} ELSE ${state} END` : state,
  )
  if (hasPinDirectory && candidates.length > 0) {
    layers.joins.set(
      'pin_in_state',
      sql`LEFT JOIN (SELECT DISTINCT ON (pincode, state) pincode, state, district FROM ${directory}
                  AND district <> '' AND state IS NOT NULL ORDER BY pincode, state, offices DESC, id) pin_in_state
         ON pin_in_state.pincode = ${pinIn(layers)} AND pin_in_state.state = coalesce(${candidates.join(', ')})`,
    )
  }
}

function letters(layers: CheckLayers, { from, letters: kind }: NonNullable<PlaceSources['identifier']>): string[] {
  layers.field(from)
  const id = sql`prepared.id_${snake(from)}`
  return kind === 'cin'
    ? [joinKey(layers, 'state_letters', 'registrar-letters', sql`substr(${id}, 7, 2)`)]
    : [joinKey(layers, 'state_letters', 'state-code', sql`left(${id}, 2)`)]
}

function addDistrict(layers: CheckLayers, place: PlaceSources, hasPinDirectory: boolean): void {
  const district = optional(layers, place.district)
  if (hasPinDirectory) {
    if (district) {
      layers.joins.set(
        'pin_named',
        sql`LEFT JOIN (SELECT pincode, min(district) AS district FROM ${directory}
             GROUP BY pincode, lower(district)) pin_named
           ON pin_named.pincode = ${pinIn(layers)} AND lower(pin_named.district) = lower(prepared.${district})`,
      )
    }
    layers.joined.set(
      'pin_district',
      sql`coalesce(${district ? 'pin_named.district, ' : ''}pin_in_state.district,
                CASE WHEN pin_any.state IS NULL THEN pin_any.district END)`,
    )
  } else {
    layers.joined.set('pin_district', 'NULL::text')
  }
  if (layers.prepared.has('a3')) {
    layers.joined.set('a3_is_state', sql`${joinWord(layers, 'a3_state', 'state', 'prepared.a3')} IS NOT NULL`)
    if (hasPinDirectory) {
      layers.joins.set(
        'a3_district',
        sql`LEFT JOIN (SELECT min(district) AS district FROM ${directory} AND district <> '' GROUP BY lower(district)) a3_district
           ON lower(a3_district.district) = lower(btrim(prepared.a3))`,
      )
      layers.joined.set('a3_district', 'a3_district.district')
    } else {
      // Without the directory, the part before the state is the best guess at a district.
      layers.joined.set(
        'a3_district',
        sql`CASE WHEN ${joinWord(layers, 'a3_state', 'state', 'prepared.a3')} IS NULL THEN ingest.place_name(prepared.a3, NULL) END`,
      )
    }
  }
  const fromText = [
    ...(district ? [sql`ingest.place_name(joined.${district}, NULL)`] : []),
    ...(layers.prepared.has('a3') ? ['joined.a3_district'] : []),
  ]
  layers.named.set('district_name', sql`coalesce(${['joined.pin_district', ...fromText].join(', ')})`)
}

function cityOf(layers: CheckLayers, place: PlaceSources, hasPinDirectory: boolean): string {
  const given = (place.city ?? []).flatMap((field) => optional(layers, field) ?? [])
  const candidates = given.map((field) => sql`ingest.place_name(places.${field}, places.state_name)`)
  if (layers.prepared.has('a3')) {
    // The town is the nearest part before state and district that looks like a place and repeats neither; `North Goa`
    // is a district in any position.
    const isTown = (part: string) =>
      sql`octet_length(places.${part}) BETWEEN 3 AND 40 AND places.${part} !~ '[0-9]'
       AND lower(btrim(places.${part}, ' .-')) <> lower(coalesce(places.state_name, ''))
       AND (strpos(places.${part}, ' ') = 0 OR places.${part} !~* '^ *(north|south|east|west|central) +[^ ]+ *$')`
    // New Delhi is a city, although it is also used as the state and is a district, too.
    const isNewOrOld = `lower(btrim(places.a3, ' .-')) IN ('new ' || lower(places.state_name), 'old ' || lower(places.state_name))`
    // Without the directory, a part before the state counts as the district if another town precedes it.
    const isDistrict = sql`places.a3_district IS NOT NULL${hasPinDirectory ? '' : sql` AND ${isTown('a4')}`}`
    candidates.push(
      sql`ingest.place_name(CASE
         WHEN ${isNewOrOld} THEN places.a3
         WHEN NOT places.a3_is_state AND (${isDistrict}) IS NOT TRUE AND ${isTown('a3')} THEN places.a3
         WHEN ${isTown('a4')} THEN places.a4
         WHEN ${isTown('a5')} THEN places.a5 END, places.state_name)`,
    )
  }
  return sql`coalesce(${[...candidates, 'places.district_name'].join(', ')})`
}
