/** The tables of an instance as a backup sees them, and the one way to export their rows as text. */
import { createHash } from 'node:crypto'
import type { Queryable, Tx } from '../db/db.ts'
import { listMigrations } from '../db/migrate.ts'
import { copiedOut } from './copied-out.ts'
import { keptSchemas, keptTables, rebuiltTables } from './kept-tables.ts'

export interface StoredTable {
  /** `schema.table`, each part quoted if necessary. */
  readonly name: string
  /** Quoted likewise, without generated columns. */
  readonly columns: readonly string[]
}

/** Text output settings that are the same on every server and in every session. */
export const textSettings = `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8'`

/** @returns those of the named tables that exist, in the order of the names. */
export async function describeTables(db: Queryable, names: readonly string[]): Promise<StoredTable[]> {
  return db.query<StoredTable>(
    `SELECT named.name, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns
     FROM unnest($1::text[]) WITH ORDINALITY AS named (name, place)
       JOIN pg_namespace n ON quote_ident(n.nspname) = split_part(named.name, '.', 1)
       JOIN pg_class c ON c.relnamespace = n.oid AND format('%I.%I', n.nspname, c.relname) = named.name AND c.relkind = 'r'
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY named.name, named.place ORDER BY named.place`,
    [names],
  )
}

/**
 * The tables to keep. The schema of another version of Panji may have tables that this one does not declare; they are
 * kept as well, and the restore, which creates that very schema, distinguishes them from tables that an operator added.
 */
export async function storedTables(db: Queryable, migrations: readonly string[]): Promise<StoredTable[]> {
  const ours = listMigrations().map(({ name }) => name)
  const isOurs = ours.length === migrations.length && ours.every((name, index) => name === migrations[index])
  return describeTables(db, [...keptTables, ...(isOurs ? [] : await undeclaredTables(db))])
}

/** Logged tables of Panji's schemas that are neither kept nor rebuilt. Unlogged ones belong to a run in progress. */
export async function undeclaredTables(db: Queryable): Promise<string[]> {
  const found = await db.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND n.nspname = ANY($1) ORDER BY 1`,
    [keptSchemas],
  )
  const declared = new Set([...keptTables, ...Object.keys(rebuiltTables)])
  return found.map(({ name }) => name).filter((name) => !declared.has(name))
}

/** The bytes of COPY in text format; each row ends with a line feed and contains none. */
export function copyOut({ client }: Tx, { name, columns }: StoredTable): AsyncIterable<Buffer> {
  return copiedOut(client, `COPY ${name} (${columns.join(', ')}) TO STDOUT`)
}

/** Counts and hashes the bytes that pass. */
export class Tally {
  rows = 0
  bytes = 0
  readonly #hash = createHash('sha256')

  add(chunk: Buffer): void {
    this.#hash.update(chunk)
    this.bytes += chunk.length
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.rows += 1
  }

  sha256(): string {
    return this.#hash.digest('hex')
  }
}
