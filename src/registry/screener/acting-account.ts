/**
 * The account that a condition is about: by default the one that the connection acts for, see src/db/account-scope.ts.
 */
import { sql } from '../../db/sql.ts'

const named = sql`nullif(replace(current_setting('panji.account', true), '*', ''), '')`

export const actingAccount = sql`${named}::uuid`

/** For connections that act for none, such as a worker's. @param account the placeholder of its ID. */
export const aboutAccount = (condition: string, account: string): string => condition.replaceAll(named, () => account)
