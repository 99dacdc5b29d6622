/** What every kind of column rule defines: when a header covers its column, and the SQL that reads it. */
import type { ColumnRule, PlacePart, Source } from '../../../../config/sources/source.ts'
import type { Coverage } from '../coverage.ts'
import type { CheckLayers } from '../layers.ts'

export type Kind = ColumnRule['kind']

/** The rule of one kind, also for kinds that share a declaration. */
export type RuleOf<K extends Kind, R = ColumnRule> = R extends { readonly kind: infer Own }
  ? K extends Own
    ? R & { readonly kind: K }
    : never
  : never

export interface Header {
  readonly source: Source
  /** Whether the file has a column for this field. */
  readonly has: (field: string | undefined) => boolean
  readonly coverageOf: (column: string) => Coverage
}

export interface Surroundings {
  readonly source: Source
  /** Over the layer `places`; undefined if the source declares no place. */
  readonly place: Readonly<Record<PlacePart, string>> | undefined
}

export interface RuleKind<K extends Kind> {
  readonly coverage: (rule: RuleOf<K>, header: Header) => Coverage
  /**
   * For a partly covered column: SQL over the checked row `c` and the record `t`, true if the row adds nothing to the
   * record. By default, that is a row without a value.
   */
  readonly addsNothing?: (
    column: string,
    rule: RuleOf<K>,
    source: Source,
    coverage: ReadonlyMap<string, Coverage>,
  ) => string
  /** Adds the column's value with its faults and repairs. */
  readonly sql: (layers: CheckLayers, column: string, rule: RuleOf<K>, around: Surroundings) => void
}
