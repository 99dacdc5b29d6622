import type { DataClass } from './data-classes.ts'

/** `nothing` changes nothing and shows no person but the caller; `act` leaves a row; the others show records of persons. */
export type Audited = 'nothing' | 'act' | { readonly reads: DataClass }
