/**
 * The process dies at every gap of finding, buying and withdrawing: before the first statement, between any two, before each
 * commit. Whoever comes next brings it about once, within the budgets, and the ledger proves.
 */
import { beforeAll, expect, test } from 'vitest'
import { buyRun } from '../../src/standing/buy-run.ts'
import { evaluateImport } from '../../src/standing/evaluate-import.ts'
import { standingWorld } from '../integration/standing/world.ts'
import { companies } from '../support/company-snapshots.ts'
import { useTestDatabase } from '../support/database.ts'
import { drawOf } from '../support/draw.ts'
import { figure } from '../support/figures.ts'
import { useIngest } from '../support/ingest.ts'
import { mortal } from '../support/mortal-db.ts'

const database = useTestDatabase()
const ingest = useIngest(database)
const world = standingWorld(database, ingest)
const never = new AbortController().signal

beforeAll(async () => {
  await world.day(companies(1, 1))
  await world.reachable(1, 999)
})

test('a run that dies anywhere is bought once by the next worker, and reserves nothing afterwards', async () => {
  let next = 2
  let gap = 0
  for (let over = false; !over; gap++) {
    const { standingOrderId: id, accountId } = await world.active({ budget: { day: 3, month: 3, run: 3 } })
    await world.day(companies(next, next + 3))
    next += 4
    const run = (await world.openRuns()).find(({ standingOrderId }) => standingOrderId === id)
    if (!run) throw new Error('no run')
    const { db, died } = mortal(database.as('panji_trade'), gap)
    await buyRun({ ...world.trade(), db }, run, never).catch(() => 0)
    over = !died()
    // Whatever the dead one left, three are bought and the fourth is over the budget.
    await buyRun(world.trade(), run, never)
    expect([gap, await world.bought(id), (await world.read(id)).spent.total]).toEqual([gap, expect.any(Array), 3])
    const [told] = await database.db.query(
      `SELECT run.state, run.reserved, array_agg(m.state ORDER BY m.state) AS matches FROM orders.standing_run run
       JOIN orders.standing_match m USING (run_id) WHERE run_id = $1 GROUP BY run.run_id`,
      [run.runId],
    )
    expect([gap, told]).toEqual([
      gap,
      { state: 'finished', reserved: 0, matches: ['bought', 'bought', 'bought', 'over_budget'] },
    ])
    const events = await database.db.query(
      `SELECT FROM deliver.event WHERE account_id = $1 AND type = 'standing_order.run_finished'`,
      [accountId],
    )
    expect(events.length).toBeLessThanOrEqual(1)
    await database.db.execute(`UPDATE orders.standing_order SET state = 'ended' WHERE standing_order_id = $1`, [id])
  }
  await world.proved()
  expect(gap).toBeGreaterThan(25)
}, 240_000)

test('an evaluation that dies anywhere leaves nothing, and the next one finds the same', async () => {
  const { standingOrderId: id } = await world.active()
  const run = await world.imported(companies(950, 953))
  let gap = 0
  for (let over = false; !over; gap++) {
    const { db, died } = mortal(database.as('panji_worker'), gap)
    await evaluateImport(db, run).catch(() => undefined)
    over = !died()
    const rows = await database.db.query('SELECT FROM orders.standing_match WHERE standing_order_id = $1', [id])
    expect([gap, rows.length]).toEqual([gap, over ? 4 : 0])
  }
  expect(gap).toBeGreaterThan(8)
}, 120_000)

test('eight workers that die again and again, at steps drawn at random, spend of two standing orders with one balance what the budgets and the balance leave', async () => {
  const { below: draw } = drawOf(29)
  const kills = figure(24, 1_000)
  let killed = 0
  let serial = 100_000
  while (killed < kills) {
    const from = serial
    serial += 12
    await world.reachable(from, serial - 1)
    const balance = 4 + draw(9)
    const budgets = [2 + draw(6), 2 + draw(6)] as const
    const one = await world.active({ budget: { day: budgets[0], month: 40, run: 9 } }, balance)
    const other = await world.activeOf(one.accountId, {
      ...{ name: 'Other', query: 'paidUpCapital > 1', budget: { day: budgets[1], month: budgets[1], run: budgets[1] } },
    })
    await world.day(companies(from, serial - 1))
    const ids = [one.standingOrderId, other.standingOrderId]
    const runs = (await world.openRuns()).filter(({ standingOrderId }) => ids.includes(standingOrderId))
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        const run = runs[worker % runs.length]
        if (!run) throw new Error('no run')
        const { db, died } = mortal(database.as('panji_trade'), draw(45))
        await buyRun({ ...world.trade(), db }, run, never).catch(() => 0)
        if (died()) killed += 1
      }),
    )
    // Whoever comes next ends both; a blocked one has used the balance.
    for (const run of [...runs, ...runs]) await buyRun(world.trade(), run, never)
    const [a, b] = [await world.bought(one.standingOrderId), await world.bought(other.standingOrderId)]
    expect(new Set([...a, ...b]).size).toBe(a.length + b.length)
    const most = Math.min(12, balance, Math.min(budgets[0], 9) + Math.min(budgets[1], 9))
    expect([a.length <= budgets[0], b.length <= budgets[1], a.length + b.length]).toEqual([true, true, most])
    const reserved = await database.db.query(
      'SELECT FROM orders.standing_run WHERE standing_order_id = ANY ($1::uuid[]) AND reserved > 0',
      [ids],
    )
    expect(reserved).toEqual([])
    const [lots] = await database.db.query<{ left: number }>(
      'SELECT sum(total - used)::int AS left FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1',
      [one.accountId],
    )
    expect(lots).toEqual({ left: balance - most })
    await database.db.execute(`UPDATE orders.standing_order SET state = 'ended' WHERE account_id = $1`, [one.accountId])
  }
  await world.proved()
}, 900_000)
