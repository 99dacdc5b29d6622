/**
 * The timeline that a database is on: each promotion of a standby begins a new one. The numbers that a primary gave out and its
 * standby never received are given out again, for something else; what is remembered by such a number is remembered by its timeline, too.
 */
const known = new WeakMap<object, string>()

/** For a statement: eight hexadecimal digits, null on a standby. */
export const timelineSql = `CASE WHEN pg_is_in_recovery() THEN NULL ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END`

/** @param of a connection, or the pool that has opened one. A standby says nothing new. */
export function noteTimeline(of: object, timeline: string | null): void {
  if (timeline !== null) known.set(of, timeline)
}

/** @returns what was noted last; the empty text where nothing was. */
export const timelineOf = (of: object): string => known.get(of) ?? ''
