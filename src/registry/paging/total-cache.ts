/**
 * Exact totals, counted once per query and version of the register. A register changes only when a merge commits and
 * increments its version, so a total of the same version and timeline is still exact. Limited in size; the least
 * recently used total is evicted.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { timelineOf } from '../../db/timeline.ts'
import type { EntityType } from '../../domain/identity.ts'
import { registerTables } from '../register-table.ts'

const totalsMax = 2_000
const totalsByDb = new WeakMap<object, Map<string, number>>()
const versionedByDb = new WeakMap<object, Map<string, VersionedTotal>>()

interface VersionedTotal {
  /** The timeline on which the version has this number. */
  readonly timeline: string
  readonly version: number
  readonly total: number
}

/** @returns 0 before the first merge. */
export async function registryVersion(tx: Queryable, entity: string): Promise<number> {
  const rows = await tx.query<{ version: number }>('SELECT version FROM registry.version WHERE entity = $1', [entity])
  return rows[0]?.version ?? 0
}

export interface RegisterState {
  readonly version: number
  /** The version whose names' words are all in registry.name_word. */
  readonly wordsVersion: number | null
  /** The version whose words are in registry.held_word. */
  readonly heldVersion: number | null
  /** Approximate rows of the register's table, from the planner's statistics; 0 if there are none. */
  readonly rows: number
}

export async function registerState(tx: Queryable, entity: EntityType): Promise<RegisterState> {
  const [row] = await tx.query<RegisterState>(
    `SELECT coalesce((SELECT version FROM registry.version WHERE entity = $1), 0) AS version,
            (SELECT version FROM registry.name_word_state WHERE entity = $1) AS "wordsVersion",
            (SELECT version FROM registry.held_word_state WHERE entity = $1) AS "heldVersion",
            (SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = $2::text::regclass) AS rows`,
    [entity, registerTables[entity].table],
  )
  return row ?? { version: 0, wordsVersion: null, heldVersion: null, rows: 0 }
}

/** `key` identifies the counted set and the version; `count` runs only if the total is unknown. */
export async function totalOnce(db: Db, key: string, count: () => Promise<number>): Promise<number> {
  const totals = totalsByDb.get(db.identity) ?? new Map<string, number>()
  totalsByDb.set(db.identity, totals)
  const before = timelineOf(db.identity)
  const total = totals.get(`${before}:${key}`) ?? (await count())
  remember(totals, `${timelineRead(db, before)}:${key}`, total)
  return total
}

/**
 * The timeline of the last read. The first connection reports it; if it changes later, the read belongs to the previous
 * one.
 */
const timelineRead = (db: Db, before: string): string => (before === '' ? timelineOf(db.identity) : before)

interface VersionedRead {
  readonly version: number
  readonly total: number | null
}

/**
 * A page and its total, consistent with each other. `page` also reads the version; if the total was counted at that
 * version, nothing is counted. Otherwise `pageAndTotal` reads all three. `key` identifies the counted set.
 */
export async function readWithTotal<Page extends VersionedRead>(
  db: Db,
  key: string,
  read: { readonly page: () => Promise<Page>; readonly pageAndTotal: () => Promise<Page> },
): Promise<Page & { readonly total: number }> {
  const totals = versionedByDb.get(db.identity) ?? new Map<string, VersionedTotal>()
  versionedByDb.set(db.identity, totals)
  const known = totals.get(key)
  if (known) {
    const page = await read.page()
    if (page.version === known.version && timelineOf(db.identity) === known.timeline) {
      remember(totals, key, known)
      return { ...page, total: known.total }
    }
  }
  const before = timelineOf(db.identity)
  const counted = await read.pageAndTotal()
  const { version, total } = counted
  if (total === null) throw new Error('a page came without a total, and none was known')
  remember(totals, key, { timeline: timelineRead(db, before), version, total })
  return { ...counted, total }
}

function remember<V>(totals: Map<string, V>, key: string, value: V): void {
  totals.delete(key)
  totals.set(key, value)
  const oldest = totals.keys().next()
  if (totals.size > totalsMax && !oldest.done) totals.delete(oldest.value)
}
