/**
 * Row-level security behind the code's own `WHERE account_id`: which rows a connection of the API sees, by the policies
 * of migrations/roles/policies.sql. The setting holds an account's id, or `*` for all accounts; without it no rows are
 * visible.
 *
 * It is set per transaction and ends with it, so the next user of the connection starts from the pool's own settings.
 * No statement of an account runs outside such a transaction.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db, Tx } from './db.ts'

const setting = 'panji.account'

/** For pools whose statements identify the caller themselves: admission, logins, operators, payments. */
export const allAccounts: Readonly<Record<string, string>> = { [setting]: '*' }

const storage = new AsyncLocalStorage<string>()

/** Everything that `work` starts, at any depth, acts for the account. */
export const actForAccount = <T>(accountId: string, work: () => T): T => storage.run(accountId, work)

/** @returns undefined if no account is being acted for. */
export const actingAccount = (): string | undefined => storage.getStore()

/** The database as the current account sees it; without an account, no rows are visible. */
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
