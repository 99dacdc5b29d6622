/**
 * What a header covers of a target table. A column that the header does not cover is never nulled by a merge; one
 * that is only inferred (`fill`) never overwrites what a fuller snapshot gave.
 */
import type { ColumnRule, PlacePart, PlaceSources, Registry } from '../../../config/sources/source.ts'

export type Coverage = 'covered' | 'fill' | 'absent'

export function coverageOf(registry: Registry, positions: ReadonlyMap<string, number>): Map<string, Coverage> {
  const has = (field: string | undefined): boolean => field !== undefined && positions.has(field)
  const entries = Object.entries(registry.columns).map(
    ([column, rule]) => [column, coverageOfRule(rule, registry, has)] as const,
  )
  return new Map(entries)
}

type Has = (field: string | undefined) => boolean

function coverageOfRule(rule: ColumnRule, registry: Registry, has: Has): Coverage {
  switch (rule.kind) {
    case 'joined':
    case 'any-identifier':
      return 'covered'
    case 'name-key':
      return rule.of.some((column) => coverageOfColumn(registry, column, has) !== 'absent') ? 'covered' : 'absent'
    case 'full-name':
      return [rule.from, ...rule.parts].some(has) ? 'covered' : 'absent'
    case 'name-part':
      return has(rule.from) || has(rule.fullFrom) ? 'covered' : 'absent'
    case 'derived':
      return rule.by === 'nic-code' || rule.by === 'main-division' || rule.by === 'listing'
        ? inferred(has(rule.prefer))
        : 'covered'
    case 'nic-vintage':
      return inferred(has(rule.dateFrom))
    case 'nic-description':
      return inferred(has(rule.from))
    case 'place':
      return registry.place ? coverageOfPlace(rule.part, registry.place, has) : 'absent'
    case 'address':
      return rule.fields.some(has) ? 'covered' : 'absent'
    case 'tariff':
      return has(rule.hsn) || has(rule.sac) ? 'covered' : 'absent'
    case 'text':
    case 'integer':
      return has(rule.from) || rule.fallback !== undefined ? 'covered' : 'absent'
    case 'company-id':
    case 'din':
    case 'gstin':
    case 'word':
    case 'amount':
    case 'mobile':
    case 'registrar':
    case 'date':
    case 'list':
    case 'previous-ids':
      return has(rule.from) ? 'covered' : 'absent'
  }
}

function coverageOfColumn(registry: Registry, column: string, has: Has): Coverage {
  const rule = registry.columns[column]
  return rule ? coverageOfRule(rule, registry, has) : 'absent'
}

const inferred = (fromSource: boolean): Coverage => (fromSource ? 'covered' : 'fill')

function coverageOfPlace(part: PlacePart, place: PlaceSources, has: Has): Coverage {
  const fromText = has(place.address)
  switch (part) {
    case 'pincode':
      return fromText || has(place.pincode) ? 'covered' : 'absent'
    case 'state':
      if (fromText || has(place.state)) return 'covered'
      return place.identifier ? 'fill' : 'absent'
    case 'district':
      return fromText || has(place.pincode) || has(place.district) ? 'covered' : 'absent'
    case 'city':
      return fromText || has(place.pincode) || has(place.district) || (place.city ?? []).some(has)
        ? 'covered'
        : 'absent'
  }
}
