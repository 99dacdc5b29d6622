/** The description of a limit. */
import type { ErrorCode } from '../../errors.ts'

/**
 * How it is enforced: a counter in PostgreSQL, a token bucket in memory, slots with a queue, rows counted where they
 * are stored, or timeouts and sizes of the server.
 */
export type Held = 'counter' | 'bucket' | 'gate' | 'stored rows' | 'server'

/** Figures set by the environment. */
export interface LimitSettings {
  readonly connectionsMax: number
  readonly expensiveReads: number
}

export interface Limit {
  /** What is limited. */
  readonly what: string
  /** What it is counted by. */
  readonly of: string
  readonly held: Held
  readonly figures: (set: LimitSettings) => string
  /** The error that refuses the call, with the seconds of its Retry-After, or what happens instead. */
  readonly answer: { readonly code: ErrorCode; readonly retryAfter?: string } | { readonly instead: string }
  /** The variable or file that changes it. */
  readonly setBy: string
}

/** In the order in which a call meets them. */
export type Limits = Readonly<Record<string, Limit>>

export const httpFile = 'config/http-bounds.ts'
export const plansFile = 'config/plans.ts'
export const signInFile = 'config/sign-in.ts'
export const untilBucket = 'until a unit is there again'
