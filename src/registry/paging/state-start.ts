/**
 * Where a state's GST registrations begin in the order of identifiers, since a GSTIN begins with its state's code. Some
 * registrations have another state's code: those before the start are listed individually, so that none is missed.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { timelineOf } from '../../db/timeline.ts'
import { states } from '../../domain/states.ts'

export interface StateStart {
  /** No registration of the state has an identifier before this, except those in `astray`. */
  readonly from: string
  readonly astray: readonly string[]
  /** Open registrations of the state. */
  readonly rows: number
}

/** With more of them, the state's code does not determine the position. */
const astrayMax = 1_000
/** From the state's first registration to the newest; a longer span is an error in the source and is not searched. */
const daysMax = 20_000

interface FoundStart {
  readonly rows: number
  readonly astray: readonly string[]
  /** Whether there are more days than are searched; null for a state without registrations. */
  readonly isLong: boolean | null
}

interface KnownStart {
  /** The timeline and version of the register that it was read from. */
  readonly of: string
  readonly start: StateStart | undefined
}
const startsByDb = new WeakMap<object, Map<string, KnownStart>>()

/**
 * Read once per version of the register.
 * @returns undefined if identifiers do not determine the position of the state.
 */
export async function readStateStart(
  db: Db,
  tx: Queryable,
  state: string,
  version: number,
): Promise<StateStart | undefined> {
  const [from] = states.find(({ name }) => name === state)?.gstCodes.toSorted() ?? []
  if (from === undefined) return undefined
  const starts = startsByDb.get(db.identity) ?? new Map<string, KnownStart>()
  startsByDb.set(db.identity, starts)
  const newest = () => `${timelineOf(db.identity)}:${version}`
  const known = starts.get(state)
  if (known?.of === newest()) return known.start
  const [row] = await tx.query<FoundStart>(startSql, [state, from, astrayMax + 1])
  const isWhole = row && row.isLong !== true && row.astray.length <= astrayMax
  const start = isWhole ? { from, rows: row.rows, astray: row.astray } : undefined
  starts.set(state, { of: newest(), start })
  return start
}

/** For each registration day, the index of a state's newest gives the first identifiers without reading the others. */
const startSql = sql`
WITH span AS (
  SELECT min(registered_on) AS first, least(max(registered_on), min(registered_on) + ${daysMax}) AS last, max(registered_on) AS newest
  FROM registry.gst_taxpayer WHERE state = $1
), before AS (
  SELECT early.gstin FROM span CROSS JOIN generate_series(0, last - first) AS n CROSS JOIN LATERAL (
    SELECT r.gstin FROM registry.gst_taxpayer r
    WHERE r.state = $1 AND r.registered_on = first + n AND r.gstin < $2 ORDER BY r.gstin LIMIT $3) AS early
  UNION ALL
  (SELECT r.gstin FROM registry.gst_taxpayer r WHERE r.state = $1 AND r.registered_on IS NULL AND r.gstin < $2 LIMIT $3)
)
SELECT (SELECT coalesce(sum(records), 0)::bigint FROM feed.record_count WHERE dataset = 'gst' AND grain = 'year' AND state = $1) AS rows,
       ARRAY(SELECT gstin FROM before LIMIT $3) AS astray, (SELECT last < newest FROM span) AS "isLong"`
