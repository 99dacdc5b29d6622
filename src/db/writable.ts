import type { Queryable } from './db.ts'

export async function takesWrites(db: Queryable): Promise<boolean> {
  const [server] = await db.query<{ able: boolean }>(
    `SELECT NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::boolean AS able`,
  )
  return server?.able === true
}

/**
 * Checks that the server is writable, without writing: a standby is not, nor is a server that was set read-only.
 * @throws the server's own 25006, which is translated like that of any statement and drops its connection.
 */
export async function requireWritable(db: Queryable): Promise<void> {
  await db.execute(`DO $$ BEGIN
    IF pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean THEN
      RAISE read_only_sql_transaction USING MESSAGE = 'the database takes no writes';
    END IF;
  END $$`)
}
