/**
 * Generated registers for the serving benches, written set-based: rare and common words in names, places and dates as
 * skewed as real ones, always the same. The secondary indexes are built after the rows, which is several times faster.
 */
import type { Db } from '../../src/db/db.ts'
import { sqlFile } from '../../src/db/sql-file.ts'
import { entityTypes } from '../../src/domain/identity.ts'
import { collectNameWords } from '../../src/ingest/after/name-words.ts'
import { collectHeldWords } from '../../src/ingest/after/word-counts.ts'

export interface RegisterSizes {
  readonly companies: number
  readonly gst: number
  readonly directors: number
}

/** Beyond these sizes identifiers would repeat. */
const rowsMax: RegisterSizes = { companies: 6_000_000, gst: 150_000_000, directors: 99_999_999 }
const tables = ['registry.company', 'registry.gst_taxpayer', 'registry.director'] as const

export async function seedRegisters(db: Db, sizes: RegisterSizes): Promise<void> {
  for (const [kind, most] of Object.entries(rowsMax))
    if (sizes[kind as keyof RegisterSizes] > most) throw new Error(`--${kind}: at most ${most} rows`)
  await db.withConnection(async ({ client, execute }) => {
    await client.query(sqlFile(import.meta.url, 'functions.sql'))
    const indexes = (await client.query(secondaryIndexes, [tables])).rows as { name: string; definition: string }[]
    for (const { name } of indexes) await execute(`DROP INDEX ${name}`)
    await execute(sqlFile(import.meta.url, 'company.sql'), [sizes.companies])
    await execute(sqlFile(import.meta.url, 'gst.sql'), [sizes.gst])
    await execute(sqlFile(import.meta.url, 'director.sql'), [sizes.directors])
    for (const { definition } of indexes) await execute(definition)
    await execute(
      `INSERT INTO registry.version (entity, version) VALUES ('company', 1), ('gst', 1), ('director', 1)
       ON CONFLICT (entity) DO UPDATE SET version = 1`,
    )
    for (const entity of entityTypes) {
      await collectNameWords(db, entity)
      await collectHeldWords(db, entity)
    }
    await execute(`VACUUM ANALYZE ${tables.join(', ')}, registry.name_word, registry.held_word`)
  })
}

const secondaryIndexes = `
  SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i WHERE i.indrelid = ANY ($1::text[]::regclass[]) AND NOT i.indisunique`

/** Identifiers scattered over the company register, always the same. */
export async function companyIds(db: Db, count: number): Promise<string[]> {
  const rows = await db.query<{ cin: string }>(
    'SELECT cin FROM (SELECT cin FROM registry.company LIMIT $1) AS drawn ORDER BY hashtext(cin)',
    [count],
  )
  return rows.map(({ cin }) => cin)
}
