/** What facets are, and what they are counted on. */
import type { Db, Queryable } from '../../db/db.ts'
import type { Ground } from './total.ts'

export interface FacetValue {
  /** null where the register tells none. */
  readonly value: string | null
  readonly records: number
  /** What a code stands for, where a list of codes tells it. */
  readonly words: string | null
  /** What narrows a search to these records. */
  readonly condition: string
}

export interface Facet {
  readonly field: string
  /** Values stand with the most frequent first, as headings do, bounds in the order of config/facets.ts. */
  readonly values: readonly FacetValue[]
}

export interface FacetGround extends Omit<Ground, 'read'> {
  readonly db: Db
  readonly tx: Queryable
}
