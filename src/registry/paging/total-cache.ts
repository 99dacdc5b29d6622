/**
 * Exact totals, counted once per query and registry version. A register changes only when a merge commits and
 * raises its version, so a total of the same version and timeline is still exact. Bounded; the least recently used goes first.
 */
import type { Db, Queryable } from '../../db/db.ts'
import { timelineOf } from '../../db/timeline.ts'
import type { EntityType } from '../../domain/identity.ts'
import { registerTables } from '../register-table.ts'

const totalsMax = 2_000
const totalsByDb = new WeakMap<object, Map<string, number>>()
const versionedByDb = new WeakMap<object, Map<string, VersionedTotal>>()

interface VersionedTotal {
  /** On which the version has this number. */
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
  /** The version whose names have all their words in registry.name_word. */
  readonly wordsVersion: number | null
  /** The version whose words registry.held_word lists. */
  readonly heldVersion: number | null
  /** Rows of the register's table, about: by the planner's statistics, 0 where it has none. */
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

/** `key` names the counted set and the version; `count` runs only when the total is not known. */
export async function totalOnce(db: Db, key: string, count: () => Promise<number>): Promise<number> {
  const totals = totalsByDb.get(db.identity) ?? new Map<string, number>()
  totalsByDb.set(db.identity, totals)
  const before = timelineOf(db.identity)
  const total = totals.get(`${before}:${key}`) ?? (await count())
  remember(totals, `${timelineRead(db, before)}:${key}`, total)
  return total
}

/** Of what was just read. The first connection tells the timeline; a later change of it leaves what was read with the one before. */
const timelineRead = (db: Db, before: string): string => (before === '' ? timelineOf(db.identity) : before)

interface VersionedRead {
  readonly version: number
  readonly total: number | null
}

/**
 * A page with its total, both of one moment. `page` reads the version beside it; where that is the one at which the
 * total was counted, nothing is counted. Else `pageAndTotal` reads all three. `key` names the counted set.
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
