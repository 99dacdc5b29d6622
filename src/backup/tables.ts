/** The tables of an instance as a backup sees them, and the one way that their rows leave as text. */
import { createHash } from 'node:crypto'
import { to as copyTo } from 'pg-copy-streams'
import type { Queryable, Tx } from '../db/db.ts'

export interface StoredTable {
  /** `schema.table`, each part quoted where it has to be. */
  readonly name: string
  /** Quoted likewise, without those that the database computes. */
  readonly columns: readonly string[]
}

/** How values are written as text: alike on every server and in every session. */
export const textSettings = `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8'`

/**
 * All that is kept, in an order that does not change: every logged table of Panji's schemas and of the queue. Unlogged
 * ones hold the rows of a run at work, or counts of a minute; what the migrations write down of themselves, the
 * database that is restored into writes itself.
 */
export async function storedTables(db: Queryable): Promise<StoredTable[]> {
  return db.query<StoredTable>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name,
            array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND n.nspname !~ '^(pg_|information_schema$|public$)'
       AND (n.nspname, c.relname) NOT IN (('runtime', 'migration'), ('runtime', 'sql_function'))
     GROUP BY n.nspname, c.relname ORDER BY n.nspname = 'pgboss', n.nspname, c.relname`,
  )
}

export const isOfQueue = (name: string): boolean => name.startsWith('pgboss.')

/** Bytes of the text format of COPY; one line feed ends each row, and none stands within. */
export function copyOut({ client }: Tx, { name, columns }: StoredTable): AsyncIterable<Buffer> {
  return client.query(copyTo(`COPY ${name} (${columns.join(', ')}) TO STDOUT`))
}

/** Counts and hashes bytes that pass. */
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
