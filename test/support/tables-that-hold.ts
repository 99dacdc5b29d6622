import type { Db } from '../../src/db/db.ts'

/** Every table that holds one of these texts, in lower case, in any column, of all tables that there are. */
export async function tablesThatHold(db: Db, texts: readonly string[]): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')`,
  )
  const found = []
  for (const { name } of tables) {
    const rows = await db.query(`SELECT FROM ${name} AS t WHERE lower(t::text) LIKE ANY ($1) LIMIT 1`, [
      texts.map((text) => `%${text}%`),
    ])
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}
