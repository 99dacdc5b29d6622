/** Columns of a source that the oracle does not tell: what the facts leave open, and other tests hold. */
import type { Source } from '../../config/sources/source.ts'

export function unjudged({ name, columns }: Source): string[] {
  const searchForms = Object.entries(columns).flatMap(([column, { kind }]) => (kind === 'name-key' ? [column] : []))
  // Which of the words of an address is the town and which the district, the facts do not say.
  return name === 'mca-companies' ? [...searchForms, 'city', 'district'] : searchForms
}
