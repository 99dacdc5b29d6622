/** The books of a release before, folded into the sealed ones: every balance, entry and refund is what it was. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Db, openDb } from '../../../src/db/db.ts'
import { listMigrations, migrate } from '../../../src/db/migrate.ts'
import { creditStatement } from '../../../src/orders/credit-statement.ts'
import { creditBalance, grantCredits, refundItems } from '../../../src/orders/ledger.ts'
import { useTestDatabase } from '../../support/database.ts'

// Only for the roles of the server.
useTestDatabase()
const name = `fold_${randomBytes(6).toString('hex')}`
const clusterUrl = inject('clusterUrl')
let db: Db
let maintenance: Db

beforeAll(async () => {
  maintenance = openDb({ connectionString: clusterUrl.replace(/\/panji$/, '/postgres'), applicationName: 'panji-test' })
  await maintenance.execute(`CREATE DATABASE ${name} TEMPLATE template0`)
  db = openDb({ connectionString: clusterUrl.replace(/\/panji$/, `/${name}`), applicationName: 'panji-test' })
  const before = listMigrations().filter((each) => each.name < sealed())
  await db.withConnection(async (connection) => {
    await connection.execute('CREATE SCHEMA runtime')
    await connection.execute(
      'CREATE TABLE runtime.migration (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    for (const { name: file, text, sha256 } of before) {
      await connection.client.query(text)
      await connection.execute('INSERT INTO runtime.migration (name, sha256) VALUES ($1, $2)', [file, sha256])
    }
  })
})
afterAll(async () => {
  await db.close()
  await maintenance.execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await maintenance.close()
})

const sealed = () => listMigrations().find((each) => each.name.endsWith('_sealed_ledger.sql'))?.name ?? ''

/** As the release before wrote it. */
async function move(accountId: string, kind: string, reference: string, amount: number): Promise<void> {
  await db.execute(
    `WITH account AS (
       INSERT INTO ledger.account (owner_id, kind) VALUES ($1, 'credits')
       ON CONFLICT (owner_id, kind) DO UPDATE SET kind = excluded.kind RETURNING ledger_account_id
     ), written AS (
       INSERT INTO ledger.transfer (kind, reference, memo) VALUES ($2, $3, 'before') RETURNING transfer_id
     )
     INSERT INTO ledger.entry (transfer_id, ledger_account_id, amount)
     SELECT transfer_id, ledger_account_id, $4::bigint FROM written, account
     UNION ALL
     SELECT transfer_id, counter.ledger_account_id, -$4::bigint FROM written
     JOIN ledger.account AS counter ON counter.kind = CASE WHEN $2 IN ('grant', 'revoke') THEN 'issued' ELSE 'sales' END`,
    [accountId, kind, reference, amount],
  )
}

async function rowId(sql: string, values: readonly unknown[]): Promise<string> {
  const [row] = await db.query<{ id: string }>(sql, values)
  return row?.id ?? ''
}

test('old data is migrated with equal balances, and items keep the spend and the refund they had', async () => {
  const people: { accountId: string; items: string[]; balance: number }[] = []
  for (const index of [0, 1, 2]) {
    const accountId = await rowId(
      'INSERT INTO access.account (email, username) VALUES ($1, $1) RETURNING account_id AS id',
      [`${index}@example.in`],
    )
    await move(accountId, 'grant', `grant:${index}`, 10 + index)
    await move(accountId, 'revoke', `revoke:${index}`, -1)
    const orderId = await rowId(
      `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
       VALUES ($1, 'old', 'credits', 'completed', 'paid', 3, 3) RETURNING order_id AS id`,
      [accountId],
    )
    const items: string[] = []
    for (const position of [0, 1, 2]) {
      items.push(
        await rowId(
          `INSERT INTO orders.item (order_id, position, type, identifier, name, has_contact, refunded_at)
           VALUES ($1, $2::integer, 'gst', 'G' || $2, 'X', $2 > 0, CASE WHEN $2 = 0 THEN now() END) RETURNING item_id AS id`,
          [orderId, position],
        ),
      )
    }
    await move(accountId, 'spend', `order:${orderId}`, -3)
    await move(accountId, 'refund', `refund:${items[0]}`, 1)
    people.push({ accountId, items, balance: 10 + index - 1 - 3 + 1 })
  }
  const entries = () =>
    db.query(
      `SELECT transfer.kind, transfer.reference, transfer.memo, entry.amount, account.kind AS account, owner_id
       FROM ledger.entry JOIN ledger.transfer USING (transfer_id) JOIN ledger.account USING (ledger_account_id)
       ORDER BY transfer_id, entry.amount`,
    )
  const before = await entries()
  expect(before).toHaveLength(24)

  const applied = await migrate(db)
  expect(applied).toContain(sealed())
  expect(await entries()).toEqual(before)
  expect(await db.query('SELECT * FROM ledger.violations()')).toEqual([])
  for (const { accountId, items, balance } of people) {
    expect(await creditBalance(db, accountId)).toBe(balance)
    expect(await creditStatement(db, accountId)).toMatchObject([{ balance, used_credits: 2 }])
    // The item that was refunded is not refunded again; one that was not gets its credit back.
    const back = await db.transaction((tx) => refundItems(tx, accountId, items.slice(0, 2), 'operator'))
    expect(back).toEqual(items.slice(1, 2))
    await db.transaction((tx) => grantCredits(tx, accountId, 2, `after:${accountId}`))
    expect(await creditBalance(db, accountId)).toBe(balance + 3)
  }
  expect(await db.query('SELECT * FROM ledger.violations()')).toEqual([])
})
