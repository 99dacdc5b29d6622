import type { Tx } from './db.ts'

/**
 * Runs one statement as the login itself instead of its role, until the end of the transaction. PostgreSQL lets only
 * the same login end a connection or cancel its statement, and all connections of this process share one login.
 */
export async function asLogin<R extends object>(tx: Tx, sql: string, values: readonly unknown[]): Promise<R[]> {
  await tx.execute('SET LOCAL ROLE NONE')
  return tx.query<R>(sql, values)
}
