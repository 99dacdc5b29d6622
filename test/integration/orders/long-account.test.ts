/** However long an account's books are, its access statement, its profile and its next order read as many rows as a new account's. */
import { expect, onTestFinished, test } from 'vitest'
import { openDb, type Queryable } from '../../../src/db/db.ts'
import { creditStatement } from '../../../src/orders/credit-statement.ts'
import { creditBalance } from '../../../src/orders/ledger.ts'
import { placeOrderAnd } from '../../../src/orders/place-order.ts'
import { owedBy } from '../../../src/orders/receivables.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { createAccount, gstinOf, insertContact, insertGst } from './world.ts'

const database = useTestDatabase()

/** Rows that the connection has read since its counts were flushed, by table, the registers left out. */
async function rowsRead(tx: Queryable): Promise<Record<string, number>> {
  const rows = await tx.query<{ name: string; rows: number }>(
    `SELECT schemaname || '.' || relname AS name, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS rows
     FROM pg_stat_xact_all_tables WHERE schemaname IN ('ledger', 'orders', 'access')`,
  )
  return Object.fromEntries(rows.filter((each) => each.rows > 0).map((each) => [each.name, each.rows]))
}

async function booksOf(entries: number): Promise<string> {
  const accountId = await createAccount(database.db, 100)
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(
      `INSERT INTO ledger.transfer (kind, reference, from_id, to_id, amount, customer_id, lot_id, balance_after, actor, created_at)
       SELECT 'revoke', 'long:' || $1 || n, ledger_account_id, (SELECT ledger_account_id FROM ledger.account WHERE kind = 'issued'), 1,
              ledger_account_id, lot_id, 100, 'test', now()
       FROM ledger.account JOIN ledger.lot USING (ledger_account_id), generate_series(1, $2::integer) AS n WHERE owner_id = $1::uuid`,
      [accountId, entries],
    )
  })
  return accountId
}

test('an account with 20,000 entries reads no more than one with 16 for its access statement, its profile and its next order', async () => {
  // One connection, whose counts are its own until they are flushed.
  const db = openDb({ connectionString: database.url, applicationName: 'panji-rows', connectionsMax: 1 })
  onTestFinished(() => db.close())
  const flush = () => db.query('SELECT pg_stat_force_next_flush()')
  for (const serial of [1, 2]) {
    await insertGst(db, gstinOf(serial))
    await insertContact(db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
  const accounts = [await booksOf(15), await booksOf(20_000)]
  await db.execute('ANALYZE ledger.transfer, ledger.lot, ledger.account')
  const read = []
  for (const [index, accountId] of accounts.entries()) {
    await flush()
    const access = await db.transaction(async (tx) => {
      await creditStatement(tx, accountId)
      await creditBalance(tx, accountId)
      await owedBy(tx, accountId)
      return rowsRead(tx)
    })
    await flush()
    const items = [{ type: 'gst' as const, name: 'X', number: gstinOf(index + 1) }]
    const request = { accountId, orderName: 'long', paymentOption: 'credits', items }
    const order = await placeOrderAnd(db, recordJobs(), { onlineLabel: 'online' }, request, (tx) => rowsRead(tx))
    read.push({ access, order })
  }
  const [short, long] = read
  expect(long).toEqual(short)
  expect(long?.access['ledger.transfer']).toBeUndefined()
  expect(long?.order['ledger.transfer'] ?? 0).toBeLessThan(10)
})
