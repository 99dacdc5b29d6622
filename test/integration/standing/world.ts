/** Standing orders over a register that imports fill, with everything run by the roles that run it. */

import { buyRun } from '../../../src/standing/buy-run.ts'
import { createStanding } from '../../../src/standing/create.ts'
import type { Draft } from '../../../src/standing/draft.ts'
import { evaluateImport } from '../../../src/standing/evaluate-import.ts'
import { readStanding, type StandingOrder } from '../../../src/standing/standing-order.ts'
import { resumeStanding } from '../../../src/standing/switch.ts'
import { withdrawUndone } from '../../../src/standing/withdraw-undone.ts'
import { cinOf, type SnapshotRow, snapshotFiles } from '../../support/company-snapshots.ts'
import type { TestDatabase } from '../../support/database.ts'
import { type IngestSetup, rememberingQueue } from '../../support/ingest.ts'
import { createAccount, insertContact } from '../orders/world.ts'

export const draftOf = (change: Partial<Draft> = {}): Draft => ({
  name: 'New in Goa',
  source: 'screener',
  type: 'company',
  query: "State == 'Goa'",
  screenerId: null,
  watchlistId: null,
  hasMobile: false,
  hasEmail: false,
  activeOnly: false,
  buys: true,
  budget: { day: 10, month: 100, run: 10 },
  prefer: 'newest',
  destinations: [],
  mappings: {},
  schedule: 'import',
  endsOn: null,
  ...change,
})

export function standingWorld(database: TestDatabase, ingest: IngestSetup) {
  const snapshot = snapshotFiles(ingest)
  const queue = rememberingQueue()
  const trade = () => ({ db: database.as('panji_trade'), queue })
  return {
    queue,
    trade,
    /** Imports rows and asks the standing orders about them. */
    async day(rows: readonly SnapshotRow[], mode: 'delta' | 'snapshot' = 'delta'): Promise<number> {
      const runId = await this.imported(rows, mode)
      await evaluateImport(database.as('panji_worker'), runId)
      return runId
    },
    /** Imports rows, which nobody is asked about yet. */
    async imported(rows: readonly SnapshotRow[], mode: 'delta' | 'snapshot' = 'delta'): Promise<number> {
      const run = await ingest.ingest('mca-companies', snapshot(rows), { mode })
      if (run.status !== 'succeeded') throw new Error(`${run.status}: ${JSON.stringify(run.error)}`)
      return run.run_id
    },
    evaluate: (runId: number) => evaluateImport(database.as('panji_worker'), runId),
    withdraw: (runId: number) => withdrawUndone(database.as('panji_worker'), queue, runId),
    async reachable(from: number, to: number): Promise<void> {
      for (let n = from; n <= to; n++) {
        await insertContact(database.db, 'company', cinOf(n), { mobile: `+9198123${String(n).padStart(5, '0')}` })
      }
    },
    /** An active one whose first run was looked at. */
    async active(change: Partial<Draft> = {}, credits = 100, approved = true): Promise<StandingOrder> {
      const accountId = await createAccount(database.db, credits)
      await database.db.execute('UPDATE access.account SET is_enterprise = true WHERE account_id = $1', [accountId])
      return this.activeOf(accountId, change, approved)
    },
    async activeOf(accountId: string, change: Partial<Draft> = {}, approved = true): Promise<StandingOrder> {
      const made = await database.db.transaction(async (tx) => {
        const { standingOrderId } = await createStanding(tx, accountId, draftOf(change), `account:${accountId}`)
        return resumeStanding(tx, accountId, standingOrderId, { actor: `account:${accountId}` })
      })
      if (approved) {
        await database.db.execute('UPDATE orders.standing_order SET approved_at = now() WHERE standing_order_id = $1', [
          made.standingOrderId,
        ])
      }
      return made
    },
    /** Buys every run that is open. @returns credits. */
    async buy(): Promise<number> {
      let spent = 0
      for (const run of await this.openRuns()) spent += await buyRun(trade(), run, new AbortController().signal)
      return spent
    },
    openRuns: () =>
      database.db.query<{ runId: number; standingOrderId: string }>(
        `SELECT run_id AS "runId", standing_order_id AS "standingOrderId" FROM orders.standing_run WHERE state = 'open' ORDER BY run_id`,
      ),
    read: (id: string) => readStanding(database.db, null, id),
    /** Numbers of the companies that its orders bought, in the order in which they were bought. */
    async bought(id: string): Promise<number[]> {
      const rows = await database.db.query<{ identifier: string }>(
        `SELECT identifier FROM orders.standing_run run JOIN orders.purchase ON standing_run_id = run.run_id JOIN orders.item USING (order_id)
         WHERE standing_order_id = $1 ORDER BY purchase.created_at, position`,
        [id],
      )
      return rows.map(({ identifier }) => Number(identifier.slice(-6)))
    },
    async proved(): Promise<void> {
      const violations = await database.db.query('SELECT * FROM ledger.violations()')
      if (violations.length > 0) throw new Error(JSON.stringify(violations))
    },
  }
}
