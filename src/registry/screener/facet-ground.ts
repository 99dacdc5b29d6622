/** What facets are, and what they are counted on. */
import type { Db, Queryable } from '../../db/db.ts'
import type { Ground } from './total.ts'

export interface FacetValue {
  /** null where the register tells none. */
  readonly value: string | null
  readonly records: number
  /** What narrows a search to these records. */
  readonly condition: string
}

export interface Facet {
  readonly field: string
  /** Values stand with the most frequent first, bounds in the order of config/facets.ts. */
  readonly values: readonly FacetValue[]
}

export interface FacetGround extends Omit<Ground, 'read'> {
  readonly db: Db
  readonly tx: Queryable
}
