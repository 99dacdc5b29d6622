/**
 * What nobody can do to the ledger, whoever runs the statement: the role of requests, and the superuser, whom no privilege
 * stops. Every attack leaves the ledger as they were and all their invariants proved.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allAccounts } from '../../src/db/account-scope.ts'
import { openDb, type Tx, transactOn } from '../../src/db/db.ts'
import { creditBalance, grantCredits, refundItems, spendOnOrder } from '../../src/orders/ledger.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
let owner: string
let stranger: string
let ids: Readonly<Record<string, string | number>>

async function account(email: string): Promise<string> {
  const [row] = await database.db.query<{ id: string }>(
    'INSERT INTO access.account (email, username) VALUES ($1, $1) RETURNING account_id AS id',
    [email],
  )
  return row?.id ?? ''
}

interface Order {
  readonly orderId: string
  readonly itemIds: string[]
  readonly chargeId: number
}
async function orderIn(tx: Tx, accountId: string, items: number): Promise<Order> {
  const [row] = await tx.query<{ id: string }>(
    `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
     VALUES ($1, 'books', 'credits', 'completed', 'paid', $2::integer, $2::integer) RETURNING order_id AS id`,
    [accountId, items],
  )
  const orderId = row?.id ?? ''
  const [charge] = await spendOnOrder(tx, accountId, { orderId, credits: items })
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO orders.item (order_id, position, type, identifier, name, charge_id)
     SELECT $1, n, 'gst', 'G' || n, 'X', $3 FROM generate_series(0, $2::integer - 1) AS n RETURNING item_id AS id`,
    [orderId, items, charge?.chargeId],
  )
  return { orderId, itemIds: rows.map(({ id }) => id), chargeId: charge?.chargeId ?? 0 }
}
const order = (accountId: string, items: number) => database.db.transaction((tx) => orderIn(tx, accountId, items))

beforeAll(async () => {
  const { db } = database
  owner = await account('owner@example.in')
  stranger = await account('stranger@example.in')
  const grant = await db.transaction((tx) => grantCredits(tx, owner, 10, 'grant:owner'))
  const other = await db.transaction((tx) => grantCredits(tx, stranger, 10, 'grant:stranger'))
  const { orderId, itemIds, chargeId } = await order(owner, 3)
  await db.transaction((tx) => refundItems(tx, owner, itemIds.slice(0, 1), 'operator'))
  const [customer] = await db.query<{ id: number }>(
    'SELECT ledger_account_id AS id FROM ledger.account WHERE owner_id = $1',
    [owner],
  )
  const [another] = await db.query<{ id: number }>(
    'SELECT ledger_account_id AS id FROM ledger.account WHERE owner_id = $1',
    [stranger],
  )
  const [issued] = await db.query<{ id: number }>(
    `SELECT ledger_account_id AS id FROM ledger.account WHERE kind = 'issued'`,
  )
  const [sales] = await db.query<{ id: number }>(
    `SELECT ledger_account_id AS id FROM ledger.account WHERE kind = 'sales'`,
  )
  await db.execute(
    `INSERT INTO deliver.destination (destination_id, account_id, connector, name, settings_encrypted, remote_account, status, deliver)
     VALUES (gen_random_uuid(), $1, 'x', 'x', '', 'x', 'active', 'automatic')`,
    [stranger],
  )
  const held = await order(stranger, 1)
  ids = {
    ...{ HOLD: held.chargeId, HELDITEM: held.itemIds[0] ?? '' },
    ...{ OWNER: owner, STRANGER: stranger, ORDER: orderId, REFUNDED: itemIds[0] ?? '', ITEM: itemIds[1] ?? '' },
    ...{ CHARGE: chargeId, GRANT: grant.transferId, LOT: grant.lotId, OTHERLOT: other.lotId },
    ...{ CUSTOMER: customer?.id ?? 0, ANOTHER: another?.id ?? 0, ISSUED: issued?.id ?? 0, SALES: sales?.id ?? 0 },
  }
})

const books = () =>
  database.db.query(
    `SELECT (SELECT count(*) FROM ledger.transfer) AS transfers, (SELECT count(*) FROM ledger.entry) AS entries,
            (SELECT jsonb_agg(to_jsonb(account) ORDER BY ledger_account_id) FROM ledger.account) AS accounts,
            (SELECT jsonb_agg(to_jsonb(lot) ORDER BY lot_id) FROM ledger.lot) AS lots,
            (SELECT jsonb_agg(to_jsonb(item) ORDER BY position) FROM orders.item) AS items,
            (SELECT jsonb_agg(to_jsonb(purchase) ORDER BY order_id) FROM orders.purchase) AS orders`,
  )

const named = (sql: string) =>
  sql.replaceAll(/\b[A-Z]{3,}\b(?=[^a-z]|$)/g, (word) => (word in ids ? `${ids[word]}` : word))

const attacks: readonly (readonly [string, string])[] = [
  [
    'adds a balanced pair to a transfer that is written',
    `INSERT INTO ledger.entry (transfer_id, ledger_account_id, amount) VALUES (GRANT, CUSTOMER, 5), (GRANT, ISSUED, -5)`,
  ],
  ['adds one entry', `INSERT INTO ledger.entry (transfer_id, ledger_account_id, amount) VALUES (GRANT, CUSTOMER, 5)`],
  ['changes an amount', 'UPDATE ledger.transfer SET amount = amount + 1'],
  ['changes a time', `UPDATE ledger.transfer SET created_at = now() - interval '1 year'`],
  ['deletes a transfer', 'DELETE FROM ledger.transfer WHERE transfer_id = CHARGE'],
  ['empties the ledger', 'TRUNCATE ledger.transfer CASCADE'],
  ['changes an entry', 'UPDATE ledger.entry SET amount = 1'],
  ['deletes an entry', 'DELETE FROM ledger.entry'],
  ['writes a balance', 'UPDATE ledger.account SET balance = 1000 WHERE ledger_account_id = CUSTOMER'],
  [
    'gives an account to another owner',
    `UPDATE ledger.account SET owner_id = NULL, balance = NULL, kind = 'lapsed' WHERE ledger_account_id = CUSTOMER`,
  ],
  ['deletes an account', 'DELETE FROM ledger.account'],
  ['writes a lot', 'UPDATE ledger.lot SET total = total + 5 WHERE lot_id = LOT'],
  ['gives a lot to another owner', 'UPDATE ledger.lot SET ledger_account_id = ANOTHER WHERE lot_id = LOT'],
  ['puts the end of a lot off', `UPDATE ledger.lot SET ends_at = 'infinity' WHERE lot_id = LOT`],
  ['changes what a kind means', `UPDATE ledger.kind SET to_id = NULL WHERE kind = 'spend'`],
  ['makes up a kind', transfer(`'gift', 'x:1', CUSTOMER, LOT, 5`)],
  ['spends on nothing', transfer(`'spend', 'x:2', CUSTOMER, LOT, 1`)],
  ['spends on an order of another', transfer(`'spend', 'x:3', ANOTHER, OTHERLOT, 1, order => 'ORDER'`)],
  ['spends from a lot of another', transfer(`'spend', 'x:4', CUSTOMER, OTHERLOT, 1, order => 'ORDER'`)],
  ['spends more than there is', transfer(`'spend', 'x:5', CUSTOMER, LOT, 9, order => 'ORDER'`)],
  ['revokes more than there is', transfer(`'revoke', 'x:6', CUSTOMER, LOT, 9`)],
  ['moves a negative amount', transfer(`'spend', 'x:7', CUSTOMER, LOT, -5, order => 'ORDER'`)],
  ['moves nothing', transfer(`'grant', 'x:8', CUSTOMER, LOT, 0`)],
  ['grants without a lot', transfer(`'grant', 'x:9', CUSTOMER, NULL, 5`)],
  ['grants to nobody', transfer(`'grant', 'x:10', NULL, NULL, 5`)],
  ['refunds without a spend', transfer(`'refund', 'x:11', CUSTOMER, LOT, 1, item => 'ITEM'`)],
  ['refunds a grant', transfer(`'refund', 'x:12', CUSTOMER, LOT, 1, item => 'ITEM', reverses => GRANT`)],
  [
    'refunds more than one credit for an item',
    transfer(`'refund', 'x:13', CUSTOMER, LOT, 2, item => 'ITEM', reverses => CHARGE`),
  ],
  ['refunds an item again', transfer(`'refund', 'x:14', CUSTOMER, LOT, 1, item => 'REFUNDED', reverses => CHARGE`)],
  ['refunds no item', transfer(`'refund', 'x:15', CUSTOMER, LOT, 1, reverses => CHARGE`)],
  ['reverses nothing', transfer(`'reversal', 'x:16', NULL, NULL, 5`)],
  ['reverses a part', transfer(`'reversal', 'x:17', NULL, NULL, 5, reverses => GRANT`)],
  ['reverses a spend', transfer(`'reversal', 'x:18', NULL, NULL, 3, reverses => CHARGE`)],
  ['reverses what was spent since', transfer(`'reversal', 'x:19', NULL, NULL, 10, reverses => GRANT`)],
  ['settles what was never held', transfer(`'settle', 'x:23', CUSTOMER, LOT, 1, reverses => CHARGE`)],
  ['releases what is spent', transfer(`'release', 'x:24', CUSTOMER, LOT, 1, item => 'ITEM', reverses => CHARGE`)],
  ['settles more than is held', transfer(`'settle', 'x:25', ANOTHER, OTHERLOT, 2, reverses => HOLD`)],
  [
    'refunds what is only held',
    transfer(`'refund', 'x:26', ANOTHER, OTHERLOT, 1, item => 'HELDITEM', reverses => HOLD`),
  ],
  ['reverses a hold', transfer(`'reversal', 'x:27', NULL, NULL, 1, reverses => HOLD`)],
  ['takes back a term that was an order', transfer(`'unsubscribe', 'x:28', CUSTOMER, LOT, 1, reverses => CHARGE`)],
  ['takes back a term that nobody bought', transfer(`'unsubscribe', 'x:29', CUSTOMER, LOT, 1`)],
  ['marks a held item as settled', `UPDATE orders.item SET settled_id = HOLD WHERE item_id = 'HELDITEM'`],
  ['lets credits expire before their end', transfer(`'expire', 'x:20', CUSTOMER, LOT, 1`)],
  ['uses a reference twice', transfer(`'grant', 'grant:owner', CUSTOMER, LOT, 10`)],
  [
    'writes two transfers of a customer in one statement',
    `INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor)
     VALUES ('grant', 'y:1', CUSTOMER, LOT, 1, 'x'), ('grant', 'y:2', CUSTOMER, LOT, 1, 'x')`,
  ],
  [
    'writes a transfer without who did it',
    `INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount) VALUES ('grant', 'y:3', CUSTOMER, LOT, 1)`,
  ],
  ['gives money back that never came', transfer(`'repay', 'x:21', CUSTOMER, LOT, 100`)],
  ['earns money that was never paid', transfer(`'earn', 'x:22', CUSTOMER, LOT, 100`)],
  [
    'takes a mark of a refund away',
    `UPDATE orders.item SET refunded_at = NULL, refund_reason = NULL WHERE item_id = 'REFUNDED'`,
  ],
  ['charges an item to a grant', `UPDATE orders.item SET charge_id = GRANT WHERE item_id = 'ITEM'`],
  ['turns an item into another', `UPDATE orders.item SET identifier = 'other' WHERE item_id = 'ITEM'`],
  [
    'takes an order back from paid to pending',
    `UPDATE orders.purchase SET status = 'pending', payment_status = 'pending' WHERE order_id = 'ORDER'`,
  ],
  ['cancels a paid order', `UPDATE orders.purchase SET status = 'cancelled' WHERE order_id = 'ORDER'`],
  ['gives an order to another', `UPDATE orders.purchase SET account_id = 'STRANGER' WHERE order_id = 'ORDER'`],
  ['makes an order cheaper', `UPDATE orders.purchase SET total_amount = 0 WHERE order_id = 'ORDER'`],
]

/** `kind, reference, customer, lot, amount` and what it names, as one INSERT. */
function transfer(values: string): string {
  const [plain = '', ...more] = values.split(/, (?=order =>|item =>|reverses =>)/)
  const columns = { order: 'order_id', item: 'item_id', reverses: 'reverses' } as const
  const named = more.map((each) => each.split(' => ')) as [keyof typeof columns, string][]
  return `INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor${named.map(([name]) => `, ${columns[name]}`).join('')})
    VALUES (${plain}, 'attacker'${named.map(([, value]) => `, ${value}`).join('')})`
}

describe.each(['the superuser', 'panji_api'] as const)('%s', (who) => {
  let before: unknown
  beforeEach(async () => {
    before = await books()
  })

  test.each(attacks)('refuses whoever %s', async (_, statement) => {
    const db = who === 'panji_api' ? database.as('panji_api') : database.db
    const refused = await db.execute(named(statement)).catch((error: { code: string }) => error.code)
    // Integrity, privilege, or a view that takes nothing: never a statement that was merely wrong.
    expect(refused).toMatch(/^(23\d{3}|2F...|42501|42809|55000|P0001|P0002)$/)
    expect(await books()).toEqual(before)
    expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])
  })
})

test('a reference that is taken moves nothing either where the conflict is asked to be passed over', async () => {
  const before = await books()
  const sql = `${named(transfer(`'grant', 'grant:owner', CUSTOMER, LOT, 10`))} ON CONFLICT (reference) DO NOTHING`
  expect(await database.db.execute(sql)).toBe(0)
  expect(await books()).toEqual(before)
})

test('requests and jobs bring no purchased credits in without their payment, nor more than it was for', async () => {
  const buyer = await account('buyer-of-none@example.in')
  const other = await account('buyer-of-ten@example.in')
  const checkout = `INSERT INTO orders.checkout (checkout_id, account_id, product, credits, amount, status)
    VALUES (gen_random_uuid(), $1, 'test', 10, 1180, 'paid') RETURNING checkout_id AS id`
  const [bought] = await database.db.query<{ id: string }>(checkout, [other])
  await database.db.execute(
    `INSERT INTO orders.payment (provider, payment_id, checkout_id, amount, currency) VALUES ('test', 'p:1', $1, 1180, 'INR')`,
    [bought?.id],
  )
  const before = await books()
  for (const role of ['panji_api', 'panji_trade'] as const) {
    for (const [owner, credits, reference] of [
      [buyer, 10, 'payment:test:none'],
      [buyer, 10, 'grant:free'],
      [buyer, 10, 'payment:test:p:1'],
      [other, 11, 'payment:test:p:1'],
    ] as const) {
      const granting = database
        .as(role)
        .transaction((tx) => grantCredits(tx, owner, credits, reference, { type: 'purchased', actor: 'operator' }))
      await expect(granting).rejects.toThrow(`purchased credits come with their payment, and ${reference} is none`)
    }
  }
  expect(await books()).toEqual(before)
  const paid = (tx: Tx) => grantCredits(tx, other, 10, 'payment:test:p:1', { type: 'purchased' })
  const undone = new Error('undone')
  const granting = database.as('panji_api').transaction(async (tx) => {
    expect(await paid(tx)).toMatchObject({ applied: true, balance: 10 })
    throw undone
  })
  await expect(granting).rejects.toBe(undone)
  await database.db.transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute('DELETE FROM orders.payment WHERE checkout_id = $1', [bought?.id])
  })
})

test('the time of a transfer is the server’s and its accounts those of its kind, whatever is asked for', async () => {
  const { db } = database
  const asking = await account('asking@example.in')
  const { lotId } = await db.transaction((tx) => grantCredits(tx, asking, 8, 'grant:asking'))
  const [row] = await db.query<{ from: number; mine: boolean; late: boolean }>(
    `INSERT INTO ledger.transfer (kind, reference, customer_id, lot_id, amount, actor, from_id, to_id, created_at, balance_after)
     SELECT 'grant', 'asked', ledger_account_id, $2, 1, 'x', ledger_account_id, $3, '2020-01-01', 1000000
     FROM ledger.account WHERE owner_id = $1
     RETURNING from_id AS from, to_id = customer_id AS mine, created_at < now() AS late`,
    [asking, lotId, ids['SALES']],
  )
  expect(row).toEqual({ from: ids['ISSUED'], mine: true, late: false })
  expect(await creditBalance(db, asking)).toBe(9)
})

test.each(['read committed', 'repeatable read', 'serializable'])(
  'of 60 parallel spends by three processes exactly the 20 that are paid for succeed where %s is the default',
  async (level) => {
    const { db } = database
    const buyer = await account(`${level.replace(' ', '-')}@example.in`)
    await db.transaction((tx) => grantCredits(tx, buyer, 20, `grant:${level}`))
    const setting = `ALTER ROLE panji_api IN DATABASE ${new URL(database.url).pathname.slice(1)}`
    await db.execute(`${setting} SET default_transaction_isolation = '${level}'`)
    const pools = Array.from({ length: 3 }, () =>
      openDb({
        connectionString: database.urlAs('panji_api'),
        applicationName: 'panji-test-level',
        connectionsMax: 8,
        settings: allAccounts,
      }),
    )
    try {
      // Named by hand too: the kept balance alone must hold at any level.
      const spend = async (index: number): Promise<boolean> => {
        const pool = pools[index % 3]
        if (!pool) return false
        return pool
          .withConnection((connection) =>
            transactOn(
              connection,
              `BEGIN ISOLATION LEVEL ${level}`,
              (tx) => orderIn(tx, buyer, 1),
              () => {},
            ),
          )
          .then(
            () => true,
            () => false,
          )
      }
      let left = 20
      // At the higher levels some give way to others: whoever does may ask again, as long as there is something left.
      for (let round = 0; left > 0 && round < 60; round++) {
        const done = await Promise.all(Array.from({ length: 60 }, (_, index) => spend(index)))
        left -= done.filter(Boolean).length
        expect(left).toBe(await creditBalance(db, buyer))
      }
      expect(left).toBe(0)
      expect(await db.query('SELECT * FROM ledger.violations()')).toEqual([])
    } finally {
      await db.execute(`${setting} RESET default_transaction_isolation`)
      for (const pool of pools) await pool.close()
    }
  },
)
