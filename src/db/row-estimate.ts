import type { Queryable } from './db.ts'

/** Approximate number of rows, from the planner's statistics; 0 if there are none. */
export async function rowEstimate(db: Queryable, table: string): Promise<number> {
  const [known] = await db.query<{ rows: number }>(
    'SELECT greatest(reltuples, 0)::bigint AS rows FROM pg_class WHERE oid = $1::regclass',
    [table],
  )
  return known?.rows ?? 0
}
