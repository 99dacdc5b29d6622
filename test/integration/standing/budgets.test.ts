import { afterEach, beforeEach, expect, test } from 'vitest'
import { suspendAccount, unsuspendAccount } from '../../../src/access/accounts.ts'
import { eraseAccount } from '../../../src/access/erase-account.ts'
import { grantCredits } from '../../../src/orders/ledger.ts'
import { buyRun } from '../../../src/standing/buy-run.ts'
import { changeStanding } from '../../../src/standing/create.ts'
import { keepStanding, sendDueRuns } from '../../../src/standing/due.ts'
import { pauseAllStanding, pauseStanding, resumeStanding } from '../../../src/standing/switch.ts'
import { cinOf, companies } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyTables } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'
import { standingWorld } from './world.ts'

const database = useTestDatabase()
const ingest = useIngest(database)
const world = standingWorld(database, ingest)
const never = new AbortController().signal

beforeEach(async () => {
  await emptyTables(database.db, [
    'registry.company',
    'registry.contact',
    'ingest.run',
    'ingest.change',
    'ingest.scope',
  ])
  await world.day(companies(1, 1))
  await world.reachable(1, 40)
})
afterEach(async () => {
  await world.proved()
  await database.db.transaction((tx) => pauseAllStanding(tx, null, { actor: 'operator' }))
})

const runsOf = (id: string) =>
  database.db.query(
    'SELECT state, reason, reserved FROM orders.standing_run WHERE standing_order_id = $1 ORDER BY run_id',
    [id],
  )

test('a run buys as many as its own budget, the day and the month leave, those that are preferred first', async () => {
  const { standingOrderId: id } = await world.active({
    budget: { day: 5, month: 6, run: 3 },
    prefer: 'paidUpCapital desc',
  })
  await world.day([...companies(2, 4), ...companies(5, 6, { capital: 900_000 })])
  expect(await world.buy()).toBe(3)
  expect((await world.bought(id)).slice(0, 2)).toEqual([5, 6])
  expect(await runsOf(id)).toEqual([{ state: 'finished', reason: 'budget_run', reserved: 0 }])
  await world.day(companies(7, 9))
  expect(await world.buy()).toBe(2)
  expect(await world.read(id)).toMatchObject({ state: 'blocked', reason: 'budget_used', spent: { day: 5, month: 5 } })
  await world.day(companies(10, 12))
  expect(await world.buy()).toBe(0)
  // The next day, of the same month: what is left of that.
  await database.db.execute(
    `UPDATE orders.standing_order SET state_at = state_at - interval '1 day' WHERE standing_order_id = $1`,
    [id],
  )
  await keepStanding(database.as('panji_worker'))
  expect(await world.read(id)).toMatchObject({ state: 'active', reason: null })
})

test('one whose budget is used goes on with a larger one at once, and with no other change', async () => {
  const order = await world.active({ budget: { day: 2, month: 4, run: 2 } })
  const { standingOrderId: id, accountId } = order
  const change = (asked: Parameters<typeof changeStanding>[3]) =>
    database.db.transaction((tx) => changeStanding(tx, accountId, id, asked, `account:${accountId}`))
  await world.day(companies(2, 3))
  expect(await world.buy()).toBe(2)
  await world.day(companies(4, 6))
  expect(await world.buy()).toBe(0)
  const blocked = { state: 'blocked', reason: 'budget_used' }
  expect(await change({ name: 'Another name', budget: { day: 2, month: 3, run: 1 } })).toMatchObject(blocked)
  expect(await change({ budget: { day: 3, month: 5, run: 2 } })).toMatchObject({ state: 'active', reason: null })
  await world.day(companies(7, 9))
  expect(await world.buy()).toBe(1)
  expect(await world.read(id)).toMatchObject({ ...blocked, spent: { day: 3, month: 3 } })
})

test('nothing is bought for a suspended account, also of what was found before, and it is bought once the suspension is lifted', async () => {
  const { standingOrderId: id, accountId } = await world.active()
  await world.day(companies(2, 4))
  const runs = await world.openRuns()
  await database.db.transaction((tx) => suspendAccount(tx, accountId, 'a payment is disputed'))
  expect(await world.buy()).toBe(0)
  expect(await sendDueRuns(database.as('panji_worker'), world.queue)).toBe(0)
  expect(await world.openRuns()).toEqual(runs)
  await database.db.transaction((tx) => unsuspendAccount(tx, accountId))
  expect(await world.buy()).toBe(3)
  expect(await world.read(id)).toMatchObject({ state: 'active', reason: null })
})

test('nothing is bought for an account that is suspended between the plan of a purchase and its order', async () => {
  const { accountId } = await world.active()
  await world.day(companies(2, 4))
  const [run] = await world.openRuns()
  if (!run) throw new Error('no run is open')
  const reached = async (point: string) => {
    if (point === 'planned') await database.db.transaction((tx) => suspendAccount(tx, accountId))
  }
  expect(await buyRun({ ...world.trade(), reached }, run, never)).toBe(0)
})

test('what was spent on another day of the month counts for the month alone, and what was spent in another month not at all', async () => {
  const order = await world.active({ budget: { day: 3, month: 4, run: 3 } })
  await world.day(companies(2, 4))
  expect(await world.buy()).toBe(3)
  const [moved] = await database.db.query<{ month: number }>(
    `SELECT CASE WHEN date_trunc('month', runtime.indian_day(now())) = date_trunc('month', runtime.indian_day(now()) - 1) THEN 1 ELSE 3 END AS month`,
  )
  // As if it had been bought yesterday.
  await database.db.execute(`UPDATE orders.purchase SET paid_at = paid_at - interval '1 day' WHERE account_id = $1`, [
    order.accountId,
  ])
  await database.db.execute(`UPDATE orders.standing_order SET state = 'active' WHERE standing_order_id = $1`, [
    order.standingOrderId,
  ])
  await world.day(companies(5, 7))
  expect(await world.buy()).toBe(moved?.month)
})

test('eight workers at one time buy each record once, and not one credit beyond the budgets or the balance', async () => {
  const one = await world.active({ budget: { day: 12, month: 12, run: 9 } }, 15)
  const other = await world.activeOf(one.accountId, {
    name: 'Also Goa',
    budget: { day: 9, month: 9, run: 9 },
    query: 'paidUpCapital > 1',
  })
  await world.day(companies(2, 20))
  const runs = await world.openRuns()
  const workers = Array.from({ length: 4 }, () => runs).flat()
  expect(workers).toHaveLength(8)
  const outcomes = await Promise.allSettled(workers.map((run) => buyRun(world.trade(), run, never)))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  while ((await world.openRuns()).length > 0 && (await world.buy()) > 0);
  const [a, b] = [await world.bought(one.standingOrderId), await world.bought(other.standingOrderId)]
  expect([a.length <= 9, b.length <= 9, a.length + b.length]).toEqual([true, true, 15])
  expect(new Set([...a, ...b]).size).toBe(15)
  const [balance] = await database.db.query<{ credits: number }>(
    'SELECT sum(total - used)::int AS credits FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1',
    [one.accountId],
  )
  expect(balance).toEqual({ credits: 0 })
})

test.each([
  { query: 'paidUpCapital > 1', credits: 0, states: { owned: 3 } },
  { query: `CIN == '${cinOf(3)}'`, credits: 2, states: { bought: 2, owned: 1 } },
])('what another one buys by $query before the order is placed is owned, and not ordered again', async (expected) => {
  const { query, credits, states } = expected
  const { accountId, standingOrderId } = await world.active()
  await world.activeOf(accountId, { name: 'Faster', query })
  await world.day(companies(2, 4))
  const runs = await world.openRuns()
  const [slow, fast] = [true, false].map((isSlow) =>
    runs.find((run) => (run.standingOrderId === standingOrderId) === isSlow),
  )
  if (!slow || !fast) throw new Error('no run')
  let isOvertaken = false
  const reached = async (point: string) => {
    if (point !== 'planned' || isOvertaken) return
    isOvertaken = true
    await buyRun(world.trade(), fast, never)
  }
  expect(await buyRun({ ...world.trade(), reached }, slow, never)).toBe(credits)
  const [told] = await database.db.query<{ states: unknown; again: number }>(
    `SELECT (SELECT jsonb_object_agg(state, n) FROM (SELECT state, count(*) AS n FROM orders.standing_match
         WHERE run_id = $1 GROUP BY state) m) AS states,
       (SELECT count(*) FROM orders.item JOIN orders.purchase USING (order_id)
         WHERE account_id = $2 AND already_owned) AS again`,
    [slow.runId, accountId],
  )
  expect(told).toEqual({ states, again: 0 })
  expect(await runsOf(standingOrderId)).toEqual([{ state: 'finished', reason: null, reserved: 0 }])
  expect((await world.read(standingOrderId)).spent.total).toBe(credits)
})

test('after the answer to a pause no credit moves, wherever the run was', async () => {
  for (const point of ['planned', 'written', 'bought']) {
    const order = await world.active({ budget: { day: 40, month: 40, run: 40 } })
    const first = 2 + ['planned', 'written', 'bought'].indexOf(point) * 5
    await world.day(companies(first, first + 3))
    const [run] = (await world.openRuns()).filter(({ standingOrderId }) => standingOrderId === order.standingOrderId)
    if (!run) throw new Error('no run')
    let paused: Promise<unknown> | undefined
    const after: number[] = []
    const reached = async (at: string) => {
      if (at !== point || paused) return
      const by = { actor: `account:${order.accountId}` } as const
      paused = database.db
        .transaction((tx) => pauseStanding(tx, order.accountId, order.standingOrderId, by))
        .then(async () => after.push((await world.read(order.standingOrderId)).spent.total))
      // In the middle of the order the answer waits for it.
      if (point !== 'written') await paused
    }
    await buyRun({ ...world.trade(), reached }, run, never)
    await paused
    const { state, spent } = await world.read(order.standingOrderId)
    expect([point, state, spent.total]).toEqual([point, 'paused', after[0]])
    expect([point, spent.total]).toEqual([point, point === 'planned' ? 0 : 4])
    await world.day(companies(first + 4, first + 4))
    expect(await world.buy()).toBe(0)
  }
})

test('what an operator paused the account does not resume; what came while it was paused is not bought later', async () => {
  const order = await world.active()
  await database.db.transaction((tx) => pauseAllStanding(tx, null, { actor: 'operator:asha', reason: 'wrong file' }))
  await world.day(companies(2, 3))
  const resume = (actor: 'operator' | `account:${string}`) =>
    database.db.transaction((tx) => resumeStanding(tx, null, order.standingOrderId, { actor }))
  await expect(resume(`account:${order.accountId}`)).rejects.toMatchObject({ code: 'CONFLICT' })
  await resume('operator')
  expect(await world.buy()).toBe(0)
  await world.day(companies(4, 4))
  expect(await world.buy()).toBe(1)
  expect(await world.bought(order.standingOrderId)).toEqual([4])
})

test('without credits a run waits, its account is notified once, and it buys the rest once there are credits', async () => {
  const order = await world.active({}, 2)
  await world.day(companies(2, 5))
  expect(await world.buy()).toBe(2)
  expect(await world.buy()).toBe(0)
  expect(await world.read(order.standingOrderId)).toMatchObject({ state: 'blocked', reason: 'credits_short' })
  const mails = await database.db.query(
    `SELECT type FROM deliver.mail WHERE account_id = $1 AND type = 'standing_order.blocked'`,
    [order.accountId],
  )
  expect(mails).toHaveLength(1)
  await database.db.transaction((tx) => grantCredits(tx, order.accountId, 10, `more:${order.accountId}`))
  expect(await world.buy()).toBe(2)
  expect(await world.read(order.standingOrderId)).toMatchObject({ state: 'active', reason: null })
})

test.each(['its last day is over', 'its account is erased'])('nothing waits any more once %s', async (why) => {
  const isErased = why === 'its account is erased'
  const [ends, goesOn] = [await world.active({}, 0), await world.active({}, 0)]
  await world.day(companies(2, 4))
  expect(await world.buy()).toBe(0)
  await world.day(companies(5, 30))
  expect(await runsOf(ends.standingOrderId)).toMatchObject([{ state: 'open' }, { state: 'needs_approval' }])
  const waiting = await runsOf(goesOn.standingOrderId)
  await database.db.execute(
    'UPDATE orders.standing_order SET ends_on = runtime.indian_day(now()) - 1 WHERE standing_order_id = $1 AND NOT $2',
    [ends.standingOrderId, isErased],
  )
  if (isErased) await database.as('panji_api').transaction((tx) => eraseAccount(tx, ends.accountId))
  await keepStanding(database.as('panji_worker'))
  expect(await world.read(ends.standingOrderId)).toMatchObject({ state: 'ended' })
  const stopped = { state: 'skipped', reason: 'stopped', reserved: 0 }
  expect(await runsOf(ends.standingOrderId)).toEqual([stopped, stopped])
  expect(await runsOf(goesOn.standingOrderId)).toEqual(waiting)
  const matches = await database.db.query(
    `SELECT DISTINCT state FROM orders.standing_match WHERE standing_order_id = $1`,
    [ends.standingOrderId],
  )
  expect(matches).toEqual(isErased ? [] : [{ state: 'skipped' }])
})
