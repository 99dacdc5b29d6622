/**
 * Empties tables and everything that references them, as TRUNCATE … CASCADE does, between the draws of a property.
 * Truncating creates a new file for every table and every index, a hundred of them for a register; for few rows,
 * deleting is far cheaper.
 */
import type { Db } from '../../src/db/db.ts'
import { sql } from '../../src/db/sql.ts'

/** The planner's row estimate from which a table is truncated instead, which also clears its statistics. */
const fewRows = 200

/** As the superuser, so that guards and references do not apply. */
export async function emptyTables(db: Db, tables: readonly string[]): Promise<void> {
  const found = await db.query<{ name: string; rows: number }>(
    `WITH RECURSIVE reached AS (
       SELECT name::regclass::oid AS oid FROM unnest($1::text[]) AS name
       UNION SELECT c.conrelid FROM pg_constraint c JOIN reached ON c.confrelid = reached.oid WHERE c.contype = 'f')
     SELECT c.oid::regclass::text AS name,
            (SELECT max(part.reltuples)::bigint FROM pg_class part
             WHERE part.oid = c.oid OR part.oid IN (SELECT relid FROM pg_partition_tree(c.oid))) AS rows
     FROM reached JOIN pg_class c USING (oid) WHERE NOT c.relispartition`,
    [tables],
  )
  const names = found.map(({ name }) => name)
  if (found.some(({ rows }) => rows > fewRows)) {
    await db.execute(sql`TRUNCATE ${names.join(', ')}`)
    return
  }
  const deletions = names.map((name) => sql`DELETE FROM ${name}`).join('; ')
  await db.transaction((tx) => tx.execute(sql`SET LOCAL session_replication_role = replica; ${deletions}`))
}

/** As before the first file: no run and no record of any source. */
export const emptyRegisters = (db: Db): Promise<void> =>
  emptyTables(db, [
    ...['registry.company', 'registry.gst_taxpayer', 'registry.director', 'registry.directorship', 'registry.contact'],
    ...[
      'registry.contact_preference',
      'registry.version',
      'feed.record_count',
      'feed.industry_count',
      'reference.tariff',
      'reference.nic',
      'reference.pincode',
    ],
    ...['ingest.run', 'ingest.change', 'ingest.confirmation'],
  ])
