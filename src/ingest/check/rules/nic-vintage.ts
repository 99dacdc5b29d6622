/** The NIC list that the industry digits belong to; none without digits. */
import type { ColumnRule, Source } from '../../../../config/sources/source.ts'
import { sql } from '../../../db/sql.ts'
import { vintageOf } from './derivations.ts'
import type { RuleKind } from './rule-kind.ts'

export const nicVintage: RuleKind<'nic-vintage'> = {
  coverage: (rule, { source, has, coverageOf }) =>
    has(rule.dateFrom) || coverageOf(digitsOf(source)) === 'covered' ? 'part' : 'fill',
  // A date determines the vintage; without one, the identifier does if the record has none.
  addsNothing(column, rule, source, coverage) {
    const day = columnOf(source, (of) => of.kind === 'date' && of.from === rule.dateFrom)
    const isDated = coverage.get(day) === 'covered'
    const keeps = isDated ? sql`c.${column} IS NULL` : sql`t.${column} IS NOT NULL`
    const digits = digitsOf(source)
    return coverage.get(digits) === 'covered' ? sql`${keeps} AND c.${digits} IS NOT NULL` : keeps
  },
  sql(layers, column, rule) {
    layers.joined.set('vintage', vintageOf(layers, rule.from, rule.dateFrom))
    layers.values.set(column, `CASE WHEN places.nic_digits IS NOT NULL THEN places.vintage::smallint END`)
  },
}

const digitsOf = (source: Source): string =>
  columnOf(source, (rule) => rule.kind === 'derived' && rule.by === 'nic-code')

const columnOf = (source: Source, isMeant: (rule: ColumnRule) => boolean): string =>
  Object.entries(source.columns).find(([, rule]) => isMeant(rule))?.[0] ?? ''
