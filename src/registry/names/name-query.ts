/** A search by name, and its limits. */
import type { EntityType } from '../../domain/identity.ts'
import type { Conditions } from '../paging/conditions.ts'

/** Records that a stage ranks. */
export const candidatesMax = 500
/** Shorter words match exactly: as prefixes they would match a large part of the register. */
export const prefixLengthMin = 3
/** Names scanned in order for a common word, and how many of them should contain it. */
export const walkRowsMax = 5_000
export const walkHitsMin = 100

export interface NameSearch {
  readonly entity: EntityType
  readonly name: string
  /** Further conditions on every hit. */
  readonly conditions: () => Conditions
  readonly limit: number
  readonly offset: number
  /** The identifier that the page follows; `offset` is then ignored. */
  readonly after?: string | undefined
}
