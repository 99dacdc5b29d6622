/**
 * Exact totals, counted once per query and registry version. A register changes only when a merge commits and
 * raises its version, so a total of the same version is still exact. Bounded; the least recently used goes first.
 */
import type { Db, Queryable } from '../db/db.ts'

const totalsMax = 2_000
const totalsByDb = new WeakMap<Db, Map<string, number>>()

/** @returns 0 before the first merge. */
export async function registryVersion(tx: Queryable, entity: string): Promise<number> {
  const rows = await tx.query<{ version: number }>('SELECT version FROM registry.version WHERE entity = $1', [entity])
  return rows[0]?.version ?? 0
}

/** `key` names the counted set and the version; `count` runs only when the total is not known. */
export async function totalOnce(db: Db, key: string, count: () => Promise<number>): Promise<number> {
  const totals = totalsByDb.get(db) ?? new Map<string, number>()
  totalsByDb.set(db, totals)
  const total = totals.get(key) ?? (await count())
  totals.delete(key)
  totals.set(key, total)
  const oldest = totals.keys().next()
  if (totals.size > totalsMax && !oldest.done) totals.delete(oldest.value)
  return total
}
