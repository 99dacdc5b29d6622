/** The types of facets, and the context in which they are counted. */
import type { Db, Queryable } from '../../db/db.ts'
import type { CountContext } from './total.ts'

export interface FacetValue {
  /** null if unknown. */
  readonly value: string | null
  readonly records: number
  /** The meaning of a code, if a code list contains it. */
  readonly words: string | null
  /** The condition that narrows a search to these records. */
  readonly condition: string
}

export interface Facet {
  readonly field: string
  /** Values and headings are ordered by frequency, conditions as in config/facets.ts. */
  readonly values: readonly FacetValue[]
}

export interface FacetContext extends Omit<CountContext, 'read'> {
  readonly db: Db
  readonly tx: Queryable
}
