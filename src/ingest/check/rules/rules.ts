/** Every kind of rule, one line each; and a source's rules applied to a header, and as SQL. */
import type { ColumnRule, Source } from '../../../../config/sources/source.ts'
import { sql } from '../../../db/sql.ts'
import type { Coverage } from '../coverage.ts'
import type { CheckLayers } from '../layers.ts'
import { contact } from './contact.ts'
import { date } from './date.ts'
import { derived } from './derived.ts'
import { companyId, din, gstin } from './identifier.ts'
import { list } from './list.ts'
import { namePart } from './name-part.ts'
import { nicDescription } from './nic-description.ts'
import { nicVintage } from './nic-vintage.ts'
import { amount, contactValue, integer, pincode, previousIds, registrar, text, website, word } from './one-cell.ts'
import { place } from './place.ts'
import type { Header, Kind, RuleKind, Surroundings } from './rule-kind.ts'
import { address, anyIdentifier, fullName, joined, nameKey } from './several-cells.ts'
import { tariff } from './tariff.ts'

const rules: { readonly [K in Kind]: RuleKind<K> } = {
  'company-id': companyId,
  din,
  gstin,
  'any-identifier': anyIdentifier,
  'previous-ids': previousIds,
  joined,
  text,
  word,
  integer,
  amount,
  date,
  contact,
  'contact-value': contactValue,
  website,
  registrar,
  list,
  'name-key': nameKey,
  'full-name': fullName,
  'name-part': namePart,
  derived,
  'nic-vintage': nicVintage,
  'nic-description': nicDescription,
  pincode,
  place,
  tariff,
  address,
}

/** The compiler cannot see that a rule and the entry of its own kind belong together. */
const kindOf = (rule: ColumnRule): RuleKind<Kind> => rules[rule.kind] as RuleKind<Kind>

/** @param positions of the fields that the header has. */
export function coverageOf(source: Source, positions: ReadonlyMap<string, number>): Map<string, Coverage> {
  const header: Header = {
    source,
    has: (field) => field !== undefined && positions.has(field),
    coverageOf(column) {
      const rule = source.columns[column]
      return rule ? kindOf(rule).coverage(rule, header) : 'absent'
    },
  }
  return new Map(Object.keys(source.columns).map((column) => [column, header.coverageOf(column)] as const))
}

/** True for a checked row `c` that leaves the column of the record `t` unchanged, if the header covers it partly. */
export function keepsPart(source: Source, column: string, coverage: ReadonlyMap<string, Coverage>): string {
  const rule = source.columns[column]
  return (rule && kindOf(rule).addsNothing?.(column, rule, source, coverage)) ?? sql`c.${column} IS NULL`
}

export function addRule(layers: CheckLayers, column: string, rule: ColumnRule, around: Surroundings): void {
  kindOf(rule).sql(layers, column, rule, around)
}
