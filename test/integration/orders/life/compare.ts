/** Whether the database says what the model says, and whether the ledger verifies. */
import { expect } from 'vitest'
import { getAccount } from '../../../../src/access/accounts.ts'
import { effectiveScope } from '../../../../src/access/entitlements.ts'
import { creditStatement } from '../../../../src/orders/credit-statement.ts'
import { creditBalance } from '../../../../src/orders/ledger.ts'
import { listSubscriptions } from '../../../../src/orders/subscriptions/read-subscriptions.ts'
import { available, living, type Model, withdraw } from './model.ts'
import type { Real } from './real.ts'

const dayMs = 86_400_000
/** A life takes seconds of real time, too. */
const toleranceDays = 0.005

export async function compare(model: Model, real: Real): Promise<void> {
  expect(await real.database.db.query('SELECT * FROM ledger.violations()')).toEqual([])
  await compareBooks(real)
  await compareCredits(model, real)
  await compareOrders(model, real)
  await comparePlans(model, real)
}

/** Of this account alone; that the whole sums to zero is among what the ledger verifies. */
async function compareBooks({ database, accountId }: Real): Promise<void> {
  const sums = await database.db.query<{ currency: string; sum: number }>(
    `SELECT kind.currency, sum(entry.amount)::bigint AS sum
     FROM ledger.transfer JOIN ledger.kind ON kind.kind = transfer.kind JOIN ledger.entry USING (transfer_id)
     JOIN ledger.account AS customer ON customer.ledger_account_id = transfer.customer_id
     WHERE customer.owner_id = $1 GROUP BY kind.currency`,
    [accountId],
  )
  expect(sums.filter(({ sum }) => sum !== 0)).toEqual([])
}

async function compareCredits(model: Model, { database, accountId }: Real): Promise<void> {
  const statement = await creditStatement(database.db, accountId)
  const used = statement.reduce((sum, { used_credits }) => sum + used_credits, 0)
  expect([await creditBalance(database.db, accountId), used]).toEqual([
    available(model),
    model.lots.reduce((sum, lot) => sum + lot.used, 0),
  ])
}

async function compareOrders(model: Model, { database, accountId }: Real): Promise<void> {
  withdraw(model)
  const rows = await database.db.query<{
    order: string
    place: number
    owned: boolean
    charged: boolean
    reason: string | null
    state: string
    isMoneyBack: boolean
    isWithdrawn: boolean
  }>(
    `SELECT order_id AS order, position AS place, already_owned AS owned, charge_id IS NOT NULL AND refunded_at IS NULL AS charged,
            refund_reason AS reason, purchase.status AS state, payment_status = 'refunded' AS "isMoneyBack",
            withdrawn_at IS NOT NULL AS "isWithdrawn"
     FROM orders.item JOIN orders.purchase USING (order_id) WHERE account_id = $1 ORDER BY order_id, position`,
    [accountId],
  )
  const expected = model.orders
    .flatMap(({ id, items, state, isMoneyBack }) =>
      items.map((item, place) => ({
        ...{ order: id, place, owned: item.owned, state, isMoneyBack },
        ...{ charged: item.lot !== undefined && item.refunded === undefined, reason: item.refunded ?? null },
        isWithdrawn: item.isWithdrawn,
      })),
    )
    .sort((a, b) => (a.order === b.order ? a.place - b.place : a.order < b.order ? -1 : 1))
  expect(rows).toEqual(expected)
  // Charged items = delivered − owned − refunded.
  const paid = rows.filter(({ state }) => state === 'completed')
  const count = (of: (row: (typeof rows)[number]) => boolean) => paid.filter(of).length
  expect(count(({ charged }) => charged)).toBe(
    paid.length - count(({ owned }) => owned) - count(({ reason }) => reason !== null),
  )
}

async function comparePlans(model: Model, { database, accountId }: Real): Promise<void> {
  const { db } = database
  const account = await getAccount(db, accountId)
  const { enabled } = await effectiveScope(db, account, 'gst')
  expect([enabled, account.plan]).toEqual(living(model) ? [true, 'premium'] : [false, 'free'])
  const { subscriptions } = await listSubscriptions(db, accountId, { page: 1, limit: 100 })
  const byStart = (one: readonly number[], other: readonly number[]) => (one[0] ?? 0) - (other[0] ?? 0)
  const days = (at: string) => (Date.parse(at) - Date.now()) / dayMs
  const said = subscriptions
    .map(({ terms }) => terms.flatMap(({ starts_at, ends_at }) => [days(starts_at), days(ends_at)]))
    .sort(byStart)
  const wanted = model.subscriptions
    .map(({ terms }) => terms.flatMap(({ start, end }) => [start - model.now, end - model.now]))
    .sort(byStart)
  expect(said.map((each) => each.length)).toEqual(wanted.map((each) => each.length))
  const told = wanted.flat()
  expect(said.flat().filter((each, index) => Math.abs(each - (told[index] ?? 0)) > toleranceDays)).toEqual([])
}
