/** City, district, state or PIN of a record, of what place-layers.ts finds out. */
import type { PlacePart, PlaceSources } from '../../../../config/sources/source.ts'
import { type Coverage, coveredIf } from '../coverage.ts'
import type { Header, RuleKind } from './rule-kind.ts'

export const place: RuleKind<'place'> = {
  coverage: (rule, header) =>
    header.source.place ? coverageOfPart(rule.part, header.source.place, header.has) : 'absent',
  sql(layers, column, rule, around) {
    if (around.place) layers.values.set(column, around.place[rule.part])
  },
}

function coverageOfPart(part: PlacePart, sources: PlaceSources, has: Header['has']): Coverage {
  const fromText = has(sources.address)
  switch (part) {
    case 'pincode':
      return coveredIf(fromText || has(sources.pincode))
    case 'state':
      if (fromText || has(sources.state)) return 'covered'
      return sources.identifier ? 'fill' : 'absent'
    case 'district':
      return coveredIf(fromText || has(sources.pincode) || has(sources.district))
    case 'city':
      return coveredIf(fromText || has(sources.pincode) || has(sources.district) || (sources.city ?? []).some(has))
  }
}
