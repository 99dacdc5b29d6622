/** City, district, state or PIN of a record, from place-layers.ts. */
import type { PlacePart, PlaceSources } from '../../../../config/sources/source.ts'
import { sql } from '../../../db/sql.ts'
import type { Coverage } from '../coverage.ts'
import type { CheckLayers } from '../layers.ts'
import type { Header, RuleKind } from './rule-kind.ts'

export const place: RuleKind<'place'> = {
  coverage: (rule, header) =>
    header.source.place ? coverageOfPart(rule.part, header.source.place, header.has) : 'absent',
  // An unchanged address implies the same place; only a directory loaded since may add to it.
  addsNothing(column, { part }, { place: sources, columns }) {
    const text = Object.entries(columns).find(([, rule]) => rule.kind === 'text' && rule.from === sources?.address)
    const isSame = text && sql`c.${text[0]} IS NOT DISTINCT FROM t.${text[0]}`
    if (part === 'state') return sql`${isSame ?? 'false'} AND t.${column} IS NOT NULL`
    if (part === 'district' && isSame) {
      const isOfDirectory = sql`EXISTS (SELECT FROM reference.pincode p
        WHERE p.closed_on IS NULL AND p.pincode = c.pincode AND p.district = c.${column})`
      const isNoNews = sql`c.${column} IS NOT DISTINCT FROM t.${column} OR NOT ${isOfDirectory}`
      return sql`${isSame} AND (c.${column} IS NULL OR t.${column} IS NOT NULL AND (${isNoNews}))`
    }
    return sql`c.${column} IS NULL${isSame ? sql` AND ${isSame}` : ''}`
  },
  sql(layers, column, rule, { place, source }) {
    if (!place) return
    layers.values.set(column, place[rule.part])
    if (rule.part === 'pincode' && source.place) addDropped(layers, column, source.place)
  },
}

/**
 * An unreadable PIN does not reject the record; it is counted. Zeros are not a PIN, nor is a country at the end of an
 * address.
 */
function addDropped(layers: CheckLayers, column: string, { pincode, address }: PlaceSources): void {
  const given = [
    ...(pincode && layers.has(pincode) ? [sql`ingest.ascii_form(checked.${layers.field(pincode)}) ~ '[^0 .,-]'`] : []),
    ...(address && layers.has(address)
      ? [sql`ingest.ascii_form(substring(checked.${layers.field(address)} FROM ',([^,]*)-India$')) ~ '[1-9]'`]
      : []),
  ]
  if (given.length > 0)
    layers.repaired.push({
      kind: 'pincode_dropped',
      when: sql`checked.${column} IS NULL AND (${given.join(' OR ')})`,
    })
}

function coverageOfPart(part: PlacePart, sources: PlaceSources, has: Header['has']): Coverage {
  const fromText = has(sources.address)
  const hasPin = has(sources.pincode) || has(sources.pincodeAtEndOf)
  switch (part) {
    case 'pincode':
      if (fromText || has(sources.pincode)) return 'covered'
      return has(sources.pincodeAtEndOf) ? 'part' : 'absent'
    case 'state':
      if (has(sources.state)) return 'covered'
      if (fromText) return 'part'
      return sources.identifier || hasPin ? 'fill' : 'absent'
    case 'district':
      if (has(sources.district) || (fromText && sources.district === undefined)) return 'covered'
      return fromText || hasPin ? 'part' : 'absent'
    case 'city': {
      const [own, ...others] = sources.city ?? []
      if (has(own)) return 'covered'
      if (fromText) return sources.district === undefined || has(sources.district) ? 'covered' : 'part'
      return others.some(has) || hasPin || has(sources.district) ? 'fill' : 'absent'
    }
  }
}
