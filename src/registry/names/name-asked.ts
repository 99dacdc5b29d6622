/** What is asked for by a name, and the bounds of the search for it. */
import type { EntityType } from '../../domain/identity.ts'
import type { Conditions } from '../paging/conditions.ts'

/** Records that a stage ranks. */
export const candidatesMax = 500
/** Shorter words stand for themselves: as a beginning they would match a good part of the register. */
export const prefixLengthMin = 3
/** Names that are looked through for a common word, in their order, and how many of them should hold it. */
export const walkRowsMax = 5_000
export const walkHitsMin = 100

export interface NameSearch {
  readonly entity: EntityType
  readonly name: string
  /** Further conditions that every hit satisfies. */
  readonly conditions: () => Conditions
  readonly limit: number
  readonly offset: number
  /** The identifier that the page follows; `offset` then says nothing. */
  readonly after?: string | undefined
}
