/** Which part of a feed an account may read: scopes, each a territory and a window of registration dates. */
import type { EntityType } from './identity.ts'

/** null means unbounded; a record must satisfy every list that is not null. */
export interface Territory {
  readonly states: readonly string[] | null
  readonly districts: readonly string[] | null
  readonly pincodes: readonly string[] | null
}

/** Both days are included; null means open. */
export interface DateRange {
  readonly from: string | null
  readonly to: string | null
}

/** What one grant covers; several grants cover their union, see scope-union.ts. */
export interface Scope extends Territory, DateRange {}

/** The form in which place names are compared: case and spaces do not matter. SQL twin: lower(). */
export function placeKey(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase()
}

/** Distinct places, each in its first spelling and position. */
export function distinctPlaces(names: readonly string[]): string[] {
  const first = new Map<string, string>()
  for (const name of names) if (!first.has(placeKey(name))) first.set(placeKey(name), name)
  return [...first.values()]
}

export function laterOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return a > b ? a : b
}

export function earlierOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

/**
 * Registrations of recent days, which are sold as a feed: date searches find them only within what the account is
 * entitled to.
 */
export interface SoldRegistrations {
  readonly dataset: EntityType
  /** The first day that is sold, YYYY-MM-DD; earlier ones are open to everyone. */
  readonly from: string
  /** What the account may find of the dataset: the union of these; empty if nothing. */
  readonly entitled: readonly Scope[]
}
