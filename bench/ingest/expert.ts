/**
 * What an expert would write for one load by hand: COPY to an unlogged table of text, then one statement with plain
 * casts and lower(name) as the search form. No checks, no rejects, no history, no report.
 */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Db } from '../../src/db/db.ts'

/** The columns of the 2023+ file, as text. */
const companyColumns = 16
const textColumns = (count: number): string => Array.from({ length: count }, (_, n) => `c${n + 1} text`).join(', ')

const columns = {
  cin: 'c1',
  company_type: `'Company'`,
  name: 'c2',
  name_key: 'lower(c2)',
  roc_code: 'c3',
  category: 'c4',
  sub_category: 'c5',
  class: 'c6',
  authorised_capital: 'c7::numeric(20, 2)',
  paid_up_capital: 'c8::numeric(20, 2)',
  incorporated_on: 'c9::date',
  registered_address: 'c10',
  listed: 'c11',
  status: 'c12',
  status_source: 'c12',
  state: 'initcap(c13)',
  origin: 'c14',
  nic_code: 'c15::integer',
  main_division: 'left(c15, 2)',
  main_division_description: 'c16',
  city: `split_part(c10, ',', -4)`,
  district: `split_part(c10, ',', -3)`,
  pincode: `left(split_part(c10, ',', -1), 6)`,
} as const
const names = Object.keys(columns)
const content = names.filter((name) => name !== 'cin')
const selected = Object.entries(columns).map(([name, sql]) => `${sql} AS ${name}`)
const bookkeeping = 'first_run_id, last_run_id, as_of'

export async function copyRaw(db: Db, path: string, table: string, columnsOfFile = companyColumns): Promise<void> {
  await db.withConnection(async ({ client, execute }) => {
    await execute(`CREATE UNLOGGED TABLE ${table} (${textColumns(columnsOfFile)})`)
    const copy = client.query(copyFrom(`COPY ${table} FROM STDIN WITH (FORMAT csv, HEADER)`))
    await pipeline(createReadStream(path, { highWaterMark: 1 << 18 }), copy)
  })
}

/** A table like registry.company, with its fill factor; `indexes` says whether with its indexes too. */
export async function createLikeRegister(db: Db, table: string, indexes: 'INCLUDING' | 'EXCLUDING'): Promise<void> {
  await db.execute(
    `CREATE TABLE ${table} (LIKE registry.company INCLUDING ALL ${indexes} INDEXES) WITH (fillfactor = 90)`,
  )
}

/** COPY, then INSERT … ON CONFLICT DO UPDATE of every column. */
export async function upsert(db: Db, path: string, table: string): Promise<void> {
  await staging(db, path, async (stage) => {
    await db.execute(
      `INSERT INTO ${table} AS c (${names.join(', ')}, ${bookkeeping})
       SELECT ${selected.join(', ')}, 1, 1, current_date FROM ${stage}
       ON CONFLICT (cin) DO UPDATE SET ${content.map((name) => `${name} = excluded.${name}`).join(', ')},
         last_run_id = excluded.last_run_id, as_of = excluded.as_of`,
    )
  })
}

/** A table like the register with the rows of a file, before any refresh: its indexes are built last, to save time. */
export async function loadLikeRegister(db: Db, path: string, table: string): Promise<void> {
  await createLikeRegister(db, table, 'EXCLUDING')
  await staging(db, path, async (stage) => {
    await db.execute(
      `INSERT INTO ${table} (${names.join(', ')}, ${bookkeeping}) SELECT ${selected.join(', ')}, 1, 1, current_date FROM ${stage}`,
    )
  })
  await db.execute(`ALTER TABLE ${table} ADD PRIMARY KEY (cin)`)
  const others = await db.query<{ definition: string }>(
    `SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = 'registry.company'::regclass AND NOT indisprimary`,
  )
  for (const { definition } of others) await db.execute(definition.replace(/INDEX \S+ ON \S+/, `INDEX ON ${table}`))
}

/**
 * A first load with everything PostgreSQL offers: two COPY streams into frozen pages, one statement that makes the
 * typed table, and its indexes in two concurrent streams, except those of columns that no file fills.
 */
export async function loadInTwoStreams(db: Db, parts: readonly [string, string], table: string): Promise<void> {
  const stages = parts.map((_, index) => `${table}_stage_${index + 1}`)
  await Promise.all(parts.map((part, index) => copyFrozen(db, part, stages[index] ?? '')))
  const rows = stages.map((stage) => `SELECT * FROM ${stage}`).join(' UNION ALL ')
  const typed = `SELECT ${selected.join(', ')}, 1::bigint AS first_run_id, 1::bigint AS last_run_id, current_date AS as_of`
  await db.execute(`CREATE TABLE ${table} WITH (fillfactor = 90) AS ${typed} FROM (${rows}) AS staged`)
  const indexes = await db.query<{ definition: string }>(
    `SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = 'registry.company'::regclass AND NOT EXISTS (
       SELECT FROM pg_attribute has WHERE has.attrelid = indrelid AND has.attnum = ANY (indkey) AND NOT EXISTS (
         SELECT FROM pg_attribute made WHERE made.attrelid = $1::text::regclass AND made.attname = has.attname))
     ORDER BY pg_relation_size(indexrelid) DESC`,
    [table],
  )
  // Each stream takes the next one when it is done.
  const builder = () =>
    db.withConnection(async ({ execute }) => {
      for (let next = indexes.shift(); next; next = indexes.shift()) {
        // Not unique: nobody has checked for duplicate rows.
        await execute(next.definition.replace(/(UNIQUE )?INDEX \S+ ON \S+/, `INDEX ON ${table}`))
      }
    })
  await Promise.all([builder(), builder()])
  await db.execute(`DROP TABLE ${stages.join(', ')}`)
}

/** Frozen: rows visible to everybody from the start, which need no vacuum later. */
async function copyFrozen(db: Db, path: string, table: string): Promise<void> {
  await db.transaction(async ({ client, execute }) => {
    await execute(`CREATE UNLOGGED TABLE ${table} (${textColumns(companyColumns)})`)
    const copy = client.query(copyFrom(`COPY ${table} FROM STDIN WITH (FORMAT csv, HEADER, FREEZE)`))
    await pipeline(createReadStream(path, { highWaterMark: 1 << 18 }), copy)
  })
}

/** COPY, then MERGE that writes only what IS DISTINCT FROM. */
export async function mergeDistinct(db: Db, path: string, table: string): Promise<void> {
  await staging(db, path, async (stage) => {
    await db.execute(
      `MERGE INTO ${table} AS t USING (SELECT ${selected.join(', ')} FROM ${stage}) AS s ON t.cin = s.cin
       WHEN MATCHED AND (${content.map((name) => `t.${name}`).join(', ')}) IS DISTINCT FROM
                        (${content.map((name) => `s.${name}`).join(', ')})
         THEN UPDATE SET ${content.map((name) => `${name} = s.${name}`).join(', ')}, last_run_id = 2, as_of = current_date
       WHEN NOT MATCHED THEN INSERT (${names.join(', ')}, ${bookkeeping})
         VALUES (${names.map((name) => `s.${name}`).join(', ')}, 2, 2, current_date)`,
    )
  })
}

async function staging(db: Db, path: string, work: (stage: string) => Promise<void>): Promise<void> {
  await copyRaw(db, path, 'bench.expert_stage')
  await work('bench.expert_stage')
  await db.execute('DROP TABLE bench.expert_stage')
}
