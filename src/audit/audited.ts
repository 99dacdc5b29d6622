import type { DataClass } from './data-classes.ts'

/**
 * `nothing` changes nothing and shows no personal data but the caller's; `act` writes a row; the others show personal
 * records.
 */
export type Audited = 'nothing' | 'act' | { readonly reads: DataClass }
