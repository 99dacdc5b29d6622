/** What part of a feed an account may read: scopes, each a territory times a window of registration dates. */
import type { EntityType } from './identity.ts'

/** Null means no bound of that kind; a record must satisfy every list that is not null. */
export interface Territory {
  readonly states: readonly string[] | null
  readonly districts: readonly string[] | null
  readonly pincodes: readonly string[] | null
}

/** Both days included; null means open. */
export interface DateRange {
  readonly from: string | null
  readonly to: string | null
}

/** What one grant opens; several open their union, see scope-union.ts. */
export interface Scope extends Territory, DateRange {}

/** The spelling in which names of places are compared: case and spaces do not matter. The SQL twin is lower(). */
export function placeKey(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase()
}

/** Each place once, in its first spelling and position. */
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
 * Registrations of the last days, which a feed sells: searches by date find them only within what an account is entitled
 * to of that feed.
 */
export interface SoldRegistrations {
  readonly dataset: EntityType
  /** The first day that is sold, YYYY-MM-DD; earlier ones are open to all. */
  readonly from: string
  /** What the account is entitled to of the dataset, and may find: the union of these; none where it is nothing. */
  readonly entitled: readonly Scope[]
}
