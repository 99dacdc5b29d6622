/**
 * The timeline of a database: each promotion of a standby starts a new one. Numbers that a primary assigned but its
 * standby never received are assigned again to something else, so caches keyed by such a number are keyed by the
 * timeline, too.
 */
const known = new WeakMap<object, string>()

/** SQL expression: eight hexadecimal digits, null on a standby. */
export const timelineSql = `CASE WHEN pg_is_in_recovery() THEN NULL ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END`

/** @param of a connection, or the pool that opened one. Ignored for a standby, which reports none. */
export function noteTimeline(of: object, timeline: string | null): void {
  if (timeline !== null) known.set(of, timeline)
}

/** @returns the last timeline noted; empty text if none was. */
export const timelineOf = (of: object): string => known.get(of) ?? ''
