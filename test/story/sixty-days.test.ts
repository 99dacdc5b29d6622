/**
 * Days of imports, sixty in the long run, with thirty accounts: their standing orders buy each night what came, within budgets and balances, through
 * pauses, empty accounts and runs that wait. In the end every purchase is recomputed by SQL over the story's own notes.
 */
import { expect, test } from 'vitest'
import { grantCredits } from '../../src/orders/ledger.ts'
import { buyRun } from '../../src/standing/buy-run.ts'
import { keepStanding } from '../../src/standing/due.ts'
import { decideRun } from '../../src/standing/runs.ts'
import { pauseStanding, resumeStanding } from '../../src/standing/switch.ts'
import { insertContact } from '../integration/orders/world.ts'
import { standingWorld } from '../integration/standing/world.ts'
import { cinOf } from '../support/company-snapshots.ts'
import { useTestDatabase } from '../support/database.ts'
import { drawOf } from '../support/draw.ts'
import { useIngest } from '../support/ingest.ts'
import { accounts, arrivals, days, letADayPass, makeNotes, noteArrivals, storySeed, wishes } from './sixty-days/days.ts'
import { comparisons, wrongs } from './sixty-days/recompute.ts'

const database = useTestDatabase()
const ingest = useIngest(database)
const world = standingWorld(database, ingest)
const { below: draw } = drawOf(storySeed)
const actor = 'operator' as const

async function give(day: number, accountId: string, credits: number): Promise<void> {
  await database.db.transaction((tx) => grantCredits(tx, accountId, credits, `day ${day} ${accountId}`))
  await database.db.execute('INSERT INTO story.given VALUES ($1, $2, $3)', [day, accountId, credits])
}

async function makeOrders(): Promise<{ readonly id: string; readonly accountId: string }[]> {
  const ids = new Map<number, string>()
  const made: { id: string; accountId: string }[] = []
  for (const wish of wishes(draw)) {
    const { least, most, hasMobile, source, buys, budget, prefer } = wish
    const query = `paidUpCapital BETWEEN ${least} AND ${most}`
    const change = { name: `Wish ${made.length}`, ...{ source, query, hasMobile, buys, budget, prefer } }
    const known = ids.get(wish.account)
    const order = known ? await world.activeOf(known, change, false) : await world.active(change, 0, false)
    ids.set(wish.account, order.accountId)
    made.push({ id: order.standingOrderId, accountId: order.accountId })
    await database.db.execute('INSERT INTO story.wish VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)', [
      ...[order.standingOrderId, order.accountId, source, least, most, hasMobile, buys],
      ...[budget?.day ?? null, budget?.month ?? null, budget?.run ?? null, prefer, made.length],
    ])
  }
  // Some have plenty, some run out.
  for (const [account, accountId] of ids) await give(0, accountId, account % 4 === 1 ? 6 : 500)
  return made
}

/** In the order of imports and wishes: that of the runs of one import follows from ids, which nobody draws. */
const runsThat = (state: 'needs_approval' | 'open') =>
  database.db.query<{ runId: number; standingOrderId: string }>(
    `SELECT run_id AS "runId", standing_order_id AS "standingOrderId" FROM orders.standing_run JOIN story.wish USING (standing_order_id)
     WHERE state = $1 ORDER BY import_run_id, wish.place`,
    [state],
  )

/** The first runs, and what is far above a usual day: nearly all are approved. */
async function decide(): Promise<void> {
  for (const { runId, standingOrderId: id } of await runsThat('needs_approval')) {
    const approve = draw(6) > 0
    await database.db.transaction((tx) => decideRun(tx, null, id, { approve, runId, actor }))
    await database.db.execute('INSERT INTO story.decided VALUES ($1, $2)', [runId, approve])
  }
}

test('day by day imports buy for thirty accounts what their standing orders ask for, and not a credit more', async () => {
  await makeNotes(database.db)
  const orders = await makeOrders()
  const paused = new Map<string, number>()
  let serial = 0
  for (let day = 0; day < days; day++) {
    await keepStanding(database.as('panji_worker'))
    for (const { id, accountId } of orders) {
      const by = { actor } as const
      if (paused.get(id) === day) {
        await database.db.transaction((tx) => resumeStanding(tx, null, id, by))
        paused.delete(id)
      } else if (!paused.has(id) && draw(40) === 0) {
        await database.db.transaction((tx) => pauseStanding(tx, null, id, by))
        paused.set(id, day + 1 + draw(5))
      }
      if (draw(90) === 0) await give(day + 1, accountId, 5)
    }
    await database.db.execute('INSERT INTO story.is_on SELECT $1, unnest($2::uuid[])', [
      ...[day, orders.filter(({ id }) => !paused.has(id)).map(({ id }) => id)],
    ])
    const rows = arrivals(draw, serial)
    for (const { n, reach } of rows) {
      if (reach === undefined) continue
      serial = Math.max(serial, n)
      const way = { mobile: { mobile: `+9198${String(10_000_000 + n)}` }, email: { email: `c${n}@example.in` } }
      if (reach !== 'none') await insertContact(database.db, 'company', cinOf(n), way[reach])
    }
    await noteArrivals(database.db, day, rows)
    const runId = await world.day(rows)
    await database.db.execute('INSERT INTO story.import VALUES ($1, $2)', [day, runId])
    await decide()
    for (const run of await runsThat('open')) await buyRun(world.trade(), run, new AbortController().signal)
    await database.db.execute(
      `INSERT INTO story.purchase (order_id, day) SELECT order_id, $1 FROM orders.purchase
       WHERE NOT EXISTS (SELECT FROM story.purchase note WHERE note.order_id = purchase.order_id) ORDER BY created_at`,
      [day],
    )
    await database.db.execute(
      `INSERT INTO story.over SELECT run_id, $1 FROM orders.standing_run WHERE state = 'finished' ON CONFLICT DO NOTHING`,
      [day],
    )
    if (day < days - 1) await letADayPass(database)
  }
  for (const statement of comparisons) await database.db.execute(statement)
  for (const [wrong, statement] of Object.entries(wrongs)) {
    expect([wrong, (await database.db.query(statement)).slice(0, 5)]).toEqual([wrong, []])
  }
  const [sum] = await database.db.query<Record<'matches' | 'bought' | 'cut' | 'buyers', number>>(
    `SELECT (SELECT count(*)::int FROM orders.standing_match) AS matches,
            (SELECT count(*)::int FROM orders.standing_match WHERE state = 'bought') AS bought,
            (SELECT count(*)::int FROM orders.standing_match WHERE state = 'over_budget') AS cut,
            (SELECT count(DISTINCT account_id)::int FROM orders.purchase) AS buyers`,
  )
  console.log(`in ${days} days of seed ${storySeed}: ${JSON.stringify(sum)}`)
  // The days were not empty: most accounts bought, and budgets cut.
  expect([(sum?.bought ?? 0) > 3 * days, (sum?.cut ?? 0) > days / 2, (sum?.buyers ?? 0) > accounts / 2]).toEqual([
    true,
    true,
    true,
  ])
  await world.proved()
}, 1_200_000)
