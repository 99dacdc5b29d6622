/** What every kind of column rule says: when a header covers its column, and the SQL that reads it out. */
import type { ColumnRule, PlacePart, Source } from '../../../../config/sources/source.ts'
import type { Coverage } from '../coverage.ts'
import type { CheckLayers } from '../layers.ts'

export type Kind = ColumnRule['kind']

/** The rule of one kind; kinds that are declared alike are told apart. */
export type RuleOf<K extends Kind, R = ColumnRule> = R extends { readonly kind: infer Own }
  ? K extends Own
    ? R & { readonly kind: K }
    : never
  : never

/** A header, as the rules of a source look at it. */
export interface Header {
  readonly source: Source
  /** Whether a column of the file is this field. */
  readonly has: (field: string | undefined) => boolean
  readonly coverageOf: (column: string) => Coverage
}

export interface Surroundings {
  readonly source: Source
  /** Over the layer `places`; undefined where the source declares no place. */
  readonly place: Readonly<Record<PlacePart, string>> | undefined
}

export interface RuleKind<K extends Kind> {
  readonly coverage: (rule: RuleOf<K>, header: Header) => Coverage
  /**
   * For a column that is covered in part: SQL over the checked row `c` and the record `t`, true where the row tells nothing
   * that the record does not hold; unless it says otherwise, a row without a value does.
   */
  readonly addsNothing?: (
    column: string,
    rule: RuleOf<K>,
    source: Source,
    coverage: ReadonlyMap<string, Coverage>,
  ) => string
  /** Adds the column's value, and the faults and repaired that come with it. */
  readonly sql: (layers: CheckLayers, column: string, rule: RuleOf<K>, around: Surroundings) => void
}
