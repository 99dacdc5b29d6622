import type { Queryable } from './db.ts'

export async function takesWrites(db: Queryable): Promise<boolean> {
  const [server] = await db.query<{ able: boolean }>(
    `SELECT NOT pg_is_in_recovery() AND NOT current_setting('transaction_read_only')::boolean AS able`,
  )
  return server?.able === true
}

/**
 * Asks the server whether it takes writes, and writes nothing: a standby does not, nor does one whose writing was switched off.
 * @throws the server's own 25006, which is translated as that of any statement, and lets its connection go.
 */
export async function requireWritable(db: Queryable): Promise<void> {
  await db.execute(`DO $$ BEGIN
    IF pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean THEN
      RAISE read_only_sql_transaction USING MESSAGE = 'the database takes no writes';
    END IF;
  END $$`)
}
