/** What an undone import had brought comes again with the right file: it is new then, once, as if the wrong file had never been. */
import { expect, test } from 'vitest'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { creditBalance } from '../../../src/orders/ledger.ts'
import { decideRun } from '../../../src/standing/runs.ts'
import { cinOf, companies } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { standingWorld } from './world.ts'

const database = useTestDatabase()
const ingest = useIngest(database)
const world = standingWorld(database, ingest)

async function undo(runId: number): Promise<void> {
  const wish = { runId, through: false, reason: 'the wrong file', requestedBy: 'operator' }
  const { run_id: undoId } = await requestUndo(database.db, world.queue, wish)
  expect(await runSnapshot(ingest.dependencies(), undoId)).toMatchObject({ status: 'succeeded' })
  await world.withdraw(undoId)
}
const matchesOf = (id: string) =>
  database.db.query<{ identifier: string; state: string }>(
    `SELECT identifier, state FROM orders.standing_match WHERE standing_order_id = $1 ORDER BY identifier`,
    [id],
  )

test('what comes again after its import was undone is bought again, once, and taken back again with its second import', async () => {
  await world.day(companies(1, 2))
  await world.reachable(1, 20)
  const { standingOrderId: id, accountId } = await world.active()
  await world.day(companies(3, 3))
  expect(await world.buy()).toBe(1)
  const wrong = await world.day(companies(4, 6))
  expect(await world.buy()).toBe(3)
  await undo(wrong)
  expect(await creditBalance(database.db, accountId)).toBe(99)

  const right = await world.day(companies(4, 7))
  expect(await world.buy()).toBe(4)
  expect(await creditBalance(database.db, accountId)).toBe(95)
  expect(await matchesOf(id)).toEqual([3, 4, 5, 6, 7].map((n) => ({ identifier: cinOf(n), state: 'bought' })))
  expect(await world.evaluate(right)).toMatchObject({ matches: 0 })
  await undo(right)
  expect(await creditBalance(database.db, accountId)).toBe(99)

  await world.day(companies(4, 4))
  expect(await world.buy()).toBe(1)
  await world.day(companies(1, 4, { capital: 200_000 }))
  expect(await world.buy()).toBe(0)
  await world.proved()
})

test('what was skipped stays skipped when its import is undone and comes again', async () => {
  const { standingOrderId: id } = await world.active({ query: 'paidUpCapital == 700000' }, 100, false)
  const decide = (approve: boolean) =>
    database.db.transaction((tx) => decideRun(tx, null, id, { approve, actor: 'operator' }))
  const wrong = await world.day(companies(10, 11, { capital: 700_000 }))
  await decide(false)
  await undo(wrong)
  await world.day(companies(10, 12, { capital: 700_000 }))
  await decide(true)
  await world.buy()
  expect(await world.bought(id)).toEqual([12])
  expect(await matchesOf(id)).toEqual([
    { identifier: cinOf(10), state: 'skipped' },
    { identifier: cinOf(11), state: 'skipped' },
    { identifier: cinOf(12), state: 'bought' },
  ])
  await world.proved()
})

test('one whose query can no longer be read gives back what left the register, buys nothing, and delays no other', async () => {
  await world.reachable(30, 33)
  const orders = [await world.active({ query: 'paidUpCapital == 900000' }), await world.active()]
  // Orders are asked in this order.
  const [broken = '', other = ''] = orders.map(({ standingOrderId }) => standingOrderId).toSorted()
  const balances = () => Promise.all(orders.map(({ accountId }) => creditBalance(database.db, accountId)))
  const wrong = await world.day(companies(30, 31, { capital: 900_000 }))
  await world.buy()
  expect(await balances()).toEqual([98, 98])
  await world.day(companies(32, 33, { capital: 900_000 }))
  const setQuery = (text: string) =>
    database.db.execute('UPDATE orders.standing_query SET query = $2 WHERE standing_order_id = $1', [broken, text])
  const { query } = await world.read(broken)
  await setQuery('a_field_that_is_gone == 1')
  await undo(wrong)
  expect(await balances()).toEqual([100, 100])
  expect(await world.read(broken)).toMatchObject({ state: 'blocked', reason: 'query_invalid' })
  await world.buy()
  expect([(await world.bought(broken)).toSorted(), (await world.bought(other)).toSorted()]).toEqual([
    [30, 31],
    [30, 31, 32, 33],
  ])
  await setQuery(query ?? '')
  await world.buy()
  expect(await world.read(broken)).toMatchObject({ state: 'active', reason: null })
  expect(await balances()).toEqual([98, 98])
  await world.proved()
})
