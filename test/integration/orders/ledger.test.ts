import fc from 'fast-check'
import { expect, test } from 'vitest'
import { creditStatement } from '../../../src/orders/credit-statement.ts'
import {
  creditBalance,
  grantCredits,
  refundCredit,
  refundItems,
  revokeCredits,
  spendCredits,
} from '../../../src/orders/ledger.ts'
import { useTestDatabase } from '../../support/database.ts'
import { createAccount, gstinOf, insertRow } from './world.ts'

const database = useTestDatabase()

/** An order of `items` GST registrations whose credits are spent; returns the ids of its items. */
async function spendOnOrder(accountId: string, items: number): Promise<string[]> {
  const { db } = database
  return db.transaction(async (tx) => {
    const [order] = await tx.query<{ id: string }>(
      `INSERT INTO orders.purchase (account_id, order_name, payment_option, status, payment_status, total_amount, items_count)
       VALUES ($1, 'model', 'credits', 'completed', 'paid', $2::integer, $2::integer) RETURNING order_id AS id`,
      [accountId, items],
    )
    const orderId = order?.id ?? ''
    for (let position = 0; position < items; position++) {
      await insertRow(tx, 'orders.item', {
        order_id: orderId,
        position,
        type: 'gst',
        identifier: gstinOf(position),
        name: 'X',
      })
    }
    await spendCredits(tx, accountId, items, `order:${orderId}`)
    const rows = await tx.query<{ id: string }>('SELECT item_id AS id FROM orders.item WHERE order_id = $1', [orderId])
    return rows.map(({ id }) => id)
  })
}

async function ledgerSums(): Promise<{ unbalanced: number; total: number; negative: number }> {
  const [row] = await database.db.query<{ unbalanced: number; total: number; negative: number }>(
    `SELECT (SELECT count(*) FROM (SELECT FROM ledger.entry GROUP BY transfer_id HAVING sum(amount) <> 0 OR count(*) <> 2) AS odd)
              AS unbalanced,
            (SELECT coalesce(sum(amount), 0)::bigint FROM ledger.entry) AS total,
            (SELECT count(*) FROM (SELECT FROM ledger.entry JOIN ledger.account USING (ledger_account_id)
              WHERE owner_id IS NOT NULL GROUP BY ledger_account_id HAVING sum(amount) < 0) AS below) AS negative`,
  )
  if (!row) throw new Error('no sums')
  return row
}

const operation = fc.oneof(
  fc.record({ kind: fc.constant('grant' as const), credits: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant('revoke' as const), credits: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ kind: fc.constant('spend' as const), credits: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant('refund' as const), pick: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('repeat' as const), pick: fc.nat() }),
)

test('over any sequence of movements the books sum to zero, no customer falls below zero, and balances are what a plain count says', async () => {
  const { db } = database
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 12, maxLength: 30 }), async (operations) => {
      run += 1
      const accountId = await createAccount(db)
      const model = {
        granted: 0,
        used: 0,
        items: [] as string[],
        refunded: new Set<string>(),
        grants: [] as [string, number][],
      }
      for (const [index, step] of operations.entries()) {
        const reference = `${run}-${index}`
        const balance = model.granted - model.used
        if (step.kind === 'grant') {
          await db.transaction((tx) => grantCredits(tx, accountId, step.credits, reference))
          model.granted += step.credits
          model.grants.push([reference, step.credits])
        } else if (step.kind === 'revoke') {
          const revoking = db.transaction((tx) => revokeCredits(tx, accountId, step.credits, reference))
          if (step.credits > balance) await expect(revoking).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
          else await revoking.then(() => (model.granted -= step.credits))
        } else if (step.kind === 'spend') {
          const spending = spendOnOrder(accountId, step.credits)
          if (step.credits > balance) await expect(spending).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
          else {
            model.items.push(...(await spending))
            model.used += step.credits
          }
        } else if (step.kind === 'refund') {
          const itemId = model.items[step.pick % Math.max(model.items.length, 1)]
          if (itemId === undefined) continue
          const { applied } = await db.transaction((tx) => refundCredit(tx, accountId, itemId))
          expect(applied).toBe(!model.refunded.has(itemId))
          if (applied) model.used -= 1
          model.refunded.add(itemId)
        } else {
          const earlier = model.grants[step.pick % Math.max(model.grants.length, 1)]
          if (!earlier) continue
          const again = await db.transaction((tx) => grantCredits(tx, accountId, earlier[1], earlier[0]))
          expect(again.applied).toBe(false)
        }
        expect(await creditBalance(db, accountId)).toBe(model.granted - model.used)
      }
      const [statement] = await creditStatement(db, accountId)
      expect(statement).toMatchObject({
        balance: model.granted - model.used,
        total_credits: model.granted,
        used_credits: model.used,
      })
    }),
    { numRuns: 40 },
  )
  expect(await ledgerSums()).toEqual({ unbalanced: 0, total: 0, negative: 0 })
})

test('an account without movements has a statement of zeros', async () => {
  const accountId = await createAccount(database.db)
  expect(await creditStatement(database.db, accountId)).toEqual([
    { type: 'credits', balance: 0, total_credits: 0, used_credits: 0, last_updated: null },
  ])
})

test('one reference moves credits once, also when it is sent in parallel', async () => {
  const { db } = database
  const accountId = await createAccount(db)
  const movements = await Promise.all(
    Array.from({ length: 20 }, () => db.transaction((tx) => grantCredits(tx, accountId, 5, 'grant:once'))),
  )
  expect(movements.filter(({ applied }) => applied)).toHaveLength(1)
  expect(await creditBalance(db, accountId)).toBe(5)
})

test('a reference used by another movement is a conflict and moves nothing', async () => {
  const { db } = database
  const [first, second] = [await createAccount(db), await createAccount(db)]
  await db.transaction((tx) => grantCredits(tx, first, 5, 'grant:taken'))
  for (const [accountId, credits] of [
    [first, 6],
    [second, 5],
  ] as const) {
    const again = db.transaction((tx) => grantCredits(tx, accountId, credits, 'grant:taken'))
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' })
  }
  expect([await creditBalance(db, first), await creditBalance(db, second)]).toEqual([5, 0])
})

test('an item refunded many times in parallel gets its credit back once', async () => {
  const { db } = database
  const accountId = await createAccount(db, 3)
  const items = await spendOnOrder(accountId, 3)
  const results = await Promise.all(
    Array.from({ length: 12 }, () => db.transaction((tx) => refundItems(tx, accountId, items.slice(0, 2)))),
  )
  expect(results.flat().sort()).toEqual(items.slice(0, 2).sort())
  expect(await creditBalance(db, accountId)).toBe(2)
})

test("another account's item cannot be refunded", async () => {
  const { db } = database
  const [owner, stranger] = [await createAccount(db, 1), await createAccount(db, 1)]
  const items = await spendOnOrder(owner, 1)
  expect(await db.transaction((tx) => refundItems(tx, stranger, items))).toEqual([])
  expect([await creditBalance(db, owner), await creditBalance(db, stranger)]).toEqual([0, 1])
})

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
  '%d is no number of credits',
  async (credits) => {
    const { db } = database
    const accountId = await createAccount(db)
    const granting = db.transaction((tx) => grantCredits(tx, accountId, credits, `grant:odd-${credits}`))
    await expect(granting).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  },
)

test.each([
  'UPDATE ledger.entry SET amount = amount + 1',
  'DELETE FROM ledger.entry',
  'TRUNCATE ledger.entry',
  `UPDATE ledger.transfer SET memo = 'changed'`,
  'DELETE FROM ledger.transfer',
  'TRUNCATE ledger.transfer CASCADE',
])('the database refuses: %s', async (statement) => {
  await expect(database.db.execute(statement)).rejects.toThrow('never updated or deleted')
})

test('the database refuses a transfer that does not balance and one that takes more than a customer has', async () => {
  const { db } = database
  const accountId = await createAccount(db, 2)
  const raw = (reference: string, amounts: readonly number[]) =>
    db.transaction(async (tx) => {
      const [transfer] = await tx.query<{ id: number }>(
        `INSERT INTO ledger.transfer (kind, reference) VALUES ('spend', $1) RETURNING transfer_id AS id`,
        [reference],
      )
      await tx.execute(
        `INSERT INTO ledger.entry (transfer_id, ledger_account_id, amount)
         SELECT $1::bigint, ledger_account_id, $2::bigint FROM ledger.account WHERE owner_id = $3
         UNION ALL SELECT $1::bigint, ledger_account_id, $4::bigint FROM ledger.account WHERE kind = 'sales'`,
        [transfer?.id, amounts[0], accountId, amounts[1]],
      )
    })
  await expect(raw('raw:odd', [-1, 2])).rejects.toThrow('does not balance')
  await expect(raw('raw:over', [-3, 3])).rejects.toThrow('would fall to -1')
  const parallel = await Promise.allSettled(Array.from({ length: 6 }, (_, index) => raw(`raw:${index}`, [-1, 1])))
  expect(parallel.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await creditBalance(db, accountId)).toBe(0)
})
