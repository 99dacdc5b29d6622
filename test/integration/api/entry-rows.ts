/** Entries of the lists that tell what happened, written as the parts write them that own the tables: three at each instant. */
import type { Db } from '../../../src/db/db.ts'
import { adjustCredits } from '../../../src/orders/adjust-credits.ts'
import { counting, pick, type RowMaker } from './list-rows.ts'

const instantOf = (n: number) => new Date(Date.UTC(2026, 4, 1, 6, Math.floor(n / 3))).toISOString()

export async function entryRows(db: Db, accountId: string): Promise<Record<string, RowMaker>> {
  return {
    audit: counting((n) =>
      db.execute(
        `INSERT INTO access.audit (at, actor, action, subject, kind, account_id) VALUES ($1, $2, 'sorted', $3, 'refusal', $4)`,
        [instantOf(n), `account:${accountId}`, `thing ${n}`, accountId],
      ),
    ),
    credits: counting((n) =>
      db.transaction((tx) =>
        adjustCredits(tx, accountId, {
          ...{ credits: pick([40, 5, -3, 40], n), reference: `sorted ${n}`, reason: 'to be sorted', actor: 'operator' },
        }),
      ),
    ),
  }
}
