import type { Tx } from './db.ts'

/**
 * Runs one statement as the login behind the role, until the end of the transaction: a connection is ended, or its
 * statement cancelled, only by what its login is, and every connection of this process has the same login.
 */
export async function asLogin<R extends object>(tx: Tx, sql: string, values: readonly unknown[]): Promise<R[]> {
  await tx.execute('SET LOCAL ROLE NONE')
  return tx.query<R>(sql, values)
}
