/** The contacts that an account excludes from its orders and quotes. Setting the same rule again changes nothing. */
import type { Queryable } from '../db/db.ts'

export async function setExcludesPreferences(db: Queryable, accountId: string, excludes: boolean): Promise<void> {
  await db.execute('UPDATE access.account SET excludes_preferences = $2 WHERE account_id = $1', [accountId, excludes])
}

export async function readExcludesPreferences(db: Queryable, accountId: string): Promise<boolean> {
  const [account] = await db.query<{ excludes: boolean }>(
    'SELECT excludes_preferences AS excludes FROM access.account WHERE account_id = $1',
    [accountId],
  )
  return account?.excludes === true
}
