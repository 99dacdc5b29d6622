/** Budgets are of days and months in India: at every instant around their ends, and where midnight comes between plan and purchase. */
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readLeft } from '../../../src/standing/budget.ts'
import { buyRun } from '../../../src/standing/buy-run.ts'
import { keepStanding } from '../../../src/standing/due.ts'
import type { StandingOrder } from '../../../src/standing/standing-order.ts'
import { pauseAllStanding } from '../../../src/standing/switch.ts'
import { companies } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { standingWorld } from './world.ts'

const database = useTestDatabase()
const ingest = useIngest(database)
const world = standingWorld(database, ingest)
let next = 2

beforeAll(async () => {
  await world.day(companies(1, 1))
  await world.reachable(1, 60)
})
afterEach(() => database.db.transaction((tx) => pauseAllStanding(tx, null, { actor: 'operator' })))
afterAll(() => world.proved())

/** Buys so many, in a run each. */
async function bought(count: number, budget: StandingOrder['budget']): Promise<StandingOrder> {
  const order = await world.active({ budget })
  for (let n = 0; n < count; n++) {
    await world.day(companies(next, next))
    next += 1
    expect(await world.buy()).toBe(1)
  }
  return order
}

test('what a day and a month have left is exact at every instant around their ends in India', async () => {
  const order = await bought(5, { day: 100, month: 200, run: 50 })
  const [{ now } = { now: new Date(0) }] = await database.db.query<{ now: Date }>('SELECT now() AS now')
  const inIndia = (at: Date) => new Date(at.getTime() + 19_800_000).toISOString().slice(0, 10)
  const today = inIndia(now)
  const midnight = (day: string) => Date.parse(`${day}T00:00:00+05:30`)
  const monthStart = midnight(`${today.slice(0, 7)}-01`)
  const hour = 3_600_000
  const edges = [
    midnight(today),
    midnight(today) + 24 * hour,
    monthStart,
    // The day of UTC ends in the middle of the Indian one.
    Date.parse(`${today}T00:00:00Z`),
    monthStart - 28 * 24 * hour,
  ]
  const instants = edges.flatMap((edge) => [-hour, -1, 0, 1, hour].map((off) => new Date(edge + off)))
  const paid = await database.db.query<{ id: string }>(
    'SELECT order_id AS id FROM orders.purchase WHERE account_id = $1',
    [order.accountId],
  )
  for (let from = 0; from < instants.length; from++) {
    const times = paid.map((_, index) => instants[(from + index * 7) % instants.length] ?? now)
    await database.db.execute(
      `UPDATE orders.purchase SET paid_at = at FROM unnest($1::uuid[], $2::timestamptz[]) AS told (id, at) WHERE order_id = id`,
      [paid.map(({ id }) => id), times],
    )
    const day = times.filter((at) => inIndia(at) === today).length
    const month = times.filter((at) => inIndia(at).slice(0, 7) === today.slice(0, 7)).length
    expect((await world.read(order.standingOrderId)).spent).toEqual({ day, month, total: paid.length })
    for (const budget of [
      { day: 6, month: 200, run: 50 },
      { day: 100, month: 6, run: 50 },
    ]) {
      const left = await readLeft(database.db, { ...order, budget }, 0)
      expect(left.credits).toBe(Math.min(budget.day - day, budget.month - month, 50))
    }
  }
})

/** As if so many days had passed for every clock; what was paid stays on its day. */
async function passDays(days: number): Promise<void> {
  const text = readFileSync(new URL('../../../migrations/functions/runtime.indian_day.sql', import.meta.url), 'utf8')
  await database.db.execute(text.replace('(at AT', `((at + interval '${days} days') AT`))
  await database.db.execute('UPDATE orders.purchase SET paid_at = paid_at - make_interval(days => $1)', [days])
}

test('midnight between the plan and its order writes nothing; the run goes on within the budget of the new day', async () => {
  const order = await bought(2, { day: 3, month: 4, run: 4 })
  await world.day(companies(next, next + 3))
  next += 4
  const [run] = await world.openRuns()
  if (!run) throw new Error('no run')
  let planned = 0
  const reached = async (point: string) => {
    if (point === 'planned' && planned++ === 0) await passDays(1)
  }
  try {
    expect(await buyRun({ ...world.trade(), reached }, run, new AbortController().signal)).toBe(0)
    expect((await world.read(order.standingOrderId)).spent).toMatchObject({ day: 0, total: 2 })
    const [month] = await database.db.query<{ goesOn: boolean }>(
      `SELECT date_trunc('month', runtime.indian_day(now())) = date_trunc('month', runtime.indian_day(now()) - 1) AS "goesOn"`,
    )
    expect(await world.buy()).toBe(month?.goesOn ? 2 : 3)
    expect(await world.buy()).toBe(0)
  } finally {
    await passDays(0)
  }
})

test('a budget that is used blocks until the next day in India, and the clock going back opens nothing', async () => {
  const order = await bought(1, { day: 1, month: 9, run: 9 })
  await world.day(companies(next, next + 1))
  next += 2
  expect(await world.buy()).toBe(0)
  const state = async () => (await world.read(order.standingOrderId)).state
  expect(await state()).toBe('blocked')
  // Blocked tomorrow, as a clock that was set back has it.
  await database.db.execute(
    `UPDATE orders.standing_order SET state_at = state_at + interval '1 day' WHERE standing_order_id = $1`,
    [order.standingOrderId],
  )
  await keepStanding(database.as('panji_worker'))
  expect(await state()).toBe('blocked')
  await database.db.execute(
    `UPDATE orders.standing_order SET state_at = state_at - interval '2 days' WHERE standing_order_id = $1`,
    [order.standingOrderId],
  )
  await keepStanding(database.as('panji_worker'))
  expect(await state()).toBe('active')
})
