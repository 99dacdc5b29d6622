/**
 * The wall behind the code's own `WHERE account_id`: whose rows a connection of the API sees, by the policies of
 * migrations/roles/policies.sql. The setting says it: an account's id, `*` for all, and nobody where it is missing.
 *
 * It is set for one transaction at a time and ends with it, so that whoever gets the connection next starts from what the
 * pool was opened with; no statement of an account runs outside such a transaction.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db, Tx } from './db.ts'

const setting = 'panji.account'

/** Of pools whose statements ask for themselves who somebody is: admission, logins, operators, payments. */
export const allAccounts: Readonly<Record<string, string>> = { [setting]: '*' }

const storage = new AsyncLocalStorage<string>()

/** Everything that `work` begins, however deep, acts for the account. */
export const actForAccount = <T>(accountId: string, work: () => T): T => storage.run(accountId, work)

/** @returns undefined where nobody is acted for. */
export const actingAccount = (): string | undefined => storage.getStore()

/** The database as the account that is acted for sees it; nobody's rows where none is. */
export function accountDb(db: Db): Db {
  const settings = () => ({ [setting]: actingAccount() ?? '' })
  const transaction: Db['transaction'] = (work, others) => db.transaction(work, { ...others, ...settings() })
  const within =
    <T>(work: (tx: Tx) => Promise<T>) =>
    async (tx: Tx): Promise<T> => {
      await tx.execute('SELECT set_config($1, $2, true)', [setting, actingAccount() ?? ''])
      return work(tx)
    }
  return {
    ...db,
    query: (sql, values) => transaction((tx) => tx.query(sql, values)),
    execute: (sql, values) => transaction((tx) => tx.execute(sql, values)),
    transaction,
    withConnection: (work) => transaction(work),
    readSnapshot: (timeoutMs, work) => db.readSnapshot(timeoutMs, within(work)),
  }
}
