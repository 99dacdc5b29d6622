import { beforeEach, expect, test } from 'vitest'
import { deliverBuiltOrder } from '../../../src/deliver/push/automatic.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { mailText } from '../../../src/notify/mails/mail-text.ts'
import { creditBalance, refundItems } from '../../../src/orders/ledger.ts'
import { readCause } from '../../../src/orders/order-cause.ts'
import { changeStanding } from '../../../src/standing/create.ts'
import { sendDigests } from '../../../src/standing/digest.ts'
import { keepStanding, sendDueRuns } from '../../../src/standing/due.ts'
import { gatherRun } from '../../../src/standing/gather-run.ts'
import { recordJobs } from '../../support/api.ts'
import { cinOf, companies } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyTables } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'
import { standingWorld } from './world.ts'

const database = useTestDatabase()
const ingest = useIngest(database)
const world = standingWorld(database, ingest)

beforeEach(async () => {
  await emptyTables(database.db, [
    'registry.company',
    'registry.contact',
    'ingest.run',
    'ingest.change',
    'ingest.scope',
  ])
  await database.db.execute(`UPDATE orders.standing_order SET state = 'ended'`)
  await world.day(companies(1, 2))
  await world.reachable(1, 30)
})

const orderOf = async (id: string): Promise<string> =>
  (
    await database.db.query<{ id: string }>(
      `SELECT order_id AS id FROM orders.purchase JOIN orders.standing_run run ON run.run_id = standing_run_id
       WHERE standing_order_id = $1 ORDER BY purchase.created_at DESC LIMIT 1`,
      [id],
    )
  )[0]?.id ?? ''

async function destination(accountId: string, name: string): Promise<string> {
  const [row] = await database.db.query<{ id: string }>(
    `INSERT INTO deliver.destination (account_id, connector, name, settings_encrypted, remote_account)
     VALUES ($1, 'salesforce', $2, '', $2) RETURNING destination_id AS id`,
    [accountId, name],
  )
  return row?.id ?? ''
}

test('an order names its standing order, the version of the query, the import and the budget as they were', async () => {
  const order = await world.active({ budget: { day: 4, month: 8, run: 4 } })
  const first = await world.day(companies(3, 4))
  await world.buy()
  const before = await readCause(database.db, await orderOf(order.standingOrderId))
  const actor = `account:${order.accountId}` as const
  const change = { query: "State == 'Goa' AND paidUpCapital > 1", budget: { day: 5, month: 9, run: 5 } }
  await database.db.transaction((tx) => changeStanding(tx, null, order.standingOrderId, change, actor))
  await world.day(companies(5, 5))
  await world.buy()
  const named = { standing_order_id: order.standingOrderId, name: 'New in Goa' }
  expect(before).toMatchObject({ ...named, version: 1, query: "State == 'Goa'", import_run_id: first })
  expect(before?.budget).toEqual({ day: 4, month: 8, run: 4 })
  const after = await readCause(database.db, await orderOf(order.standingOrderId))
  expect(after).toMatchObject({ ...named, version: 2, query: change.query, budget: change.budget })
})

test('an order names the budget that bound it, also where it was lowered after its run had found its matches', async () => {
  const order = await world.active({ budget: { day: 4, month: 8, run: 4 } })
  await world.day(companies(3, 6))
  const lower = { budget: { day: 2, month: 8, run: 2 } }
  await database.db.transaction((tx) =>
    changeStanding(tx, null, order.standingOrderId, lower, `account:${order.accountId}`),
  )
  expect(await world.buy()).toBe(2)
  expect(await readCause(database.db, await orderOf(order.standingOrderId))).toMatchObject(lower)
})

test('what is bought goes into the destinations that are named, and into no other', async () => {
  const made = await world.active()
  const [named, other] = [await destination(made.accountId, 'named'), await destination(made.accountId, 'other')]
  const actor = `account:${made.accountId}` as const
  await database.db.transaction((tx) =>
    changeStanding(tx, null, made.standingOrderId, { destinations: [named] }, actor),
  )
  await world.day(companies(3, 4))
  await world.buy()
  const orderId = await orderOf(made.standingOrderId)
  await buildLeads(database.as('panji_worker'), { orderId, leadSource: 'Panji', refund: refundItems })
  expect(await deliverBuiltOrder(database.as('panji_worker'), world.queue, orderId)).toEqual([named])
  const pushes = await database.db.query('SELECT destination_id AS id FROM deliver.push WHERE order_id = $1', [orderId])
  expect([pushes, other]).toEqual([[{ id: named }], expect.any(String)])
})

test('a destination that is broken blocks the run, and one that works again lets it buy at once', async () => {
  const made = await world.active()
  const id = await destination(made.accountId, 'named')
  await database.db.execute(
    'UPDATE orders.standing_order SET destinations = ARRAY[$2::uuid] WHERE standing_order_id = $1',
    [made.standingOrderId, id],
  )
  await database.db.execute(`UPDATE deliver.destination SET status = 'broken' WHERE destination_id = $1`, [id])
  await world.day(companies(3, 4))
  expect(await world.buy()).toBe(0)
  expect(await world.read(made.standingOrderId)).toMatchObject({ state: 'blocked', reason: 'destination_broken' })
  const dueRuns = async () => {
    const queue = recordJobs()
    await sendDueRuns(database.db, queue)
    return queue.sent.map(({ payload }) => (payload as { standingOrderId: string }).standingOrderId)
  }
  expect(await dueRuns()).toEqual([])
  await database.db.execute(`UPDATE deliver.destination SET status = 'active' WHERE destination_id = $1`, [id])
  expect([await dueRuns(), await dueRuns()]).toEqual([[made.standingOrderId], []])
  expect(await world.buy()).toBe(2)
})

test('an import that is undone brings the credits back of what nobody read, and leaves what another import brought', async () => {
  const order = await world.active()
  await world.day(companies(3, 3))
  expect(await world.buy()).toBe(1)
  const wrong = await world.day(companies(4, 6))
  expect(await world.buy()).toBe(3)
  const wish = { runId: wrong, through: false, reason: 'the wrong file', requestedBy: 'operator' }
  const { run_id: undoId } = await requestUndo(database.db, world.queue, wish)
  expect(await runSnapshot(ingest.dependencies(), undoId)).toMatchObject({ status: 'succeeded' })
  expect(await world.withdraw(undoId)).toEqual({ withdrawn: 3, refunded: 3, recalled: 0 })
  expect(await world.withdraw(undoId)).toEqual({ withdrawn: 0, refunded: 0, recalled: 0 })
  expect(await creditBalance(database.db, order.accountId)).toBe(99)
  const runs = await database.db.query(
    'SELECT state, reason FROM orders.standing_run WHERE standing_order_id = $1 ORDER BY run_id',
    [order.standingOrderId],
  )
  expect(runs).toEqual([
    { state: 'finished', reason: null },
    { state: 'undone', reason: 'import_undone' },
  ])
  await world.proved()
})

test("one that only notifies spends nothing, tells its schedule's matches once, and a watchlist each change anew", async () => {
  const notice = { buys: false, budget: null } as const
  const screener = await world.active({ ...notice, schedule: '08:00' }, 0)
  const [list] = await database.db.query<{ id: string }>(
    `INSERT INTO access.watchlist (account_id, name, type) VALUES ($1, 'Mine', 'company') RETURNING watchlist_id AS id`,
    [screener.accountId],
  )
  await database.db.execute(
    `INSERT INTO access.watchlist_entity (watchlist_id, identifier, name) VALUES ($1, $2, 'A')`,
    [list?.id, cinOf(1)],
  )
  const watch = { ...notice, source: 'watchlist', query: null, type: undefined, watchlistId: list?.id ?? '' } as const
  const watching = await world.activeOf(screener.accountId, watch)
  await world.day(companies(3, 4))
  await world.day(companies(1, 2, { capital: 300_000 }))
  await world.day(companies(1, 2, { capital: 400_000 }))
  expect(await world.buy()).toBe(0)
  await database.db.transaction((tx) => gatherRun(tx, screener.standingOrderId))
  await world.buy()
  const finished = await database.db.query(
    'SELECT standing_order_id AS id, matches FROM orders.standing_run WHERE state = $1 ORDER BY run_id',
    ['finished'],
  )
  expect(finished).toEqual(
    expect.arrayContaining([
      { id: watching.standingOrderId, matches: 1 },
      { id: screener.standingOrderId, matches: 2 },
    ]),
  )
  expect(finished.filter((each) => JSON.stringify(each).includes(watching.standingOrderId))).toHaveLength(2)
  const orders = await database.db.query('SELECT FROM orders.purchase WHERE account_id = $1', [screener.accountId])
  expect(orders).toEqual([])
})

test('what a watchlist gathered on a schedule and an import changes again counts once in the run of that import', async () => {
  const { accountId } = await world.active({}, 0)
  const [list] = await database.db.query<{ id: string }>(
    `INSERT INTO access.watchlist (account_id, name, type) VALUES ($1, 'Mine', 'company') RETURNING watchlist_id AS id`,
    [accountId],
  )
  await database.db.execute(
    `INSERT INTO access.watchlist_entity (watchlist_id, identifier, name) VALUES ($1, $2, 'A'), ($1, $3, 'B')`,
    [list?.id, cinOf(1), cinOf(2)],
  )
  const watch = { source: 'watchlist', query: null, type: undefined, watchlistId: list?.id ?? '' } as const
  const asked = { ...watch, buys: false, budget: null, schedule: '08:00' } as const
  const { standingOrderId: id } = await world.activeOf(accountId, asked)
  await world.day(companies(1, 2, { capital: 300_000 }))
  await database.db.execute(`UPDATE orders.standing_order SET schedule = 'import' WHERE standing_order_id = $1`, [id])
  await world.day(companies(1, 1, { capital: 400_000 }))
  const runs = await database.db.query(
    `SELECT run.matches, (SELECT count(*)::integer FROM orders.standing_match m WHERE m.run_id = run.run_id AND m.state = 'found') AS held
     FROM orders.standing_run run WHERE standing_order_id = $1`,
    [id],
  )
  expect(runs).toEqual([{ matches: 2, held: 2 }])
})

test('a digest reports yesterday in one e-mail with the names of the leads, and is not sent to accounts that opted out', async () => {
  const order = await world.active()
  await world.day(companies(3, 4))
  await world.buy()
  await database.db.execute(`UPDATE orders.standing_run SET created_at = created_at - interval '1 day'`)
  await database.db.execute(`UPDATE orders.purchase SET paid_at = paid_at - interval '1 day' WHERE account_id = $1`, [
    order.accountId,
  ])
  const silent = await world.active()
  await database.db.execute(
    `INSERT INTO deliver.mail_choice (account_id, unwanted) VALUES ($1, '{standing_order.digest}')`,
    [silent.accountId],
  )
  await sendDigests(database.as('panji_trade'), '00:00')
  await sendDigests(database.as('panji_trade'), '00:00')
  const mails = await database.db.query<{ data: Record<string, unknown> }>(
    `SELECT data FROM deliver.mail WHERE type = 'standing_order.digest' AND account_id = ANY ($1::uuid[])`,
    [[order.accountId, silent.accountId]],
  )
  expect(mails.map(({ data }) => data)).toMatchObject([{ matches: 2, bought: 2, credits: 2, balance: 98 }])
  expect(JSON.stringify(mails[0]?.data['leads'])).toContain('COMPANY 3')
})

test('a digest names the code of a refused row and nothing that the row says, and how many it does not name', async () => {
  const order = await world.active({ budget: { day: 30, month: 30, run: 30 } })
  await world.activeOf(order.accountId, { name: 'Notices', buys: false, budget: null })
  await world.day(companies(3, 26))
  await world.buy()
  await database.db.execute(
    `INSERT INTO deliver.delivery (destination_id, item_id, order_id, external_id, state, last_error)
     SELECT $1, item_id, order_id, 'company:' || identifier, 'rejected',
       '{"code": "INVALID_EMAIL_ADDRESS", "field": "Email", "message": "Email: invalid email address: asha@private.example"}'
     FROM orders.item WHERE order_id = $2`,
    [await destination(order.accountId, 'CRM'), await orderOf(order.standingOrderId)],
  )
  await database.db.execute(
    `UPDATE orders.standing_run SET created_at = created_at - interval '1 day' WHERE standing_order_id IN (
       SELECT standing_order_id FROM orders.standing_order WHERE account_id = $1)`,
    [order.accountId],
  )
  await database.db.execute(`UPDATE orders.purchase SET paid_at = paid_at - interval '1 day' WHERE account_id = $1`, [
    order.accountId,
  ])
  await database.db.execute(
    `UPDATE deliver.delivery SET updated_at = updated_at - interval '1 day' WHERE state = 'rejected'`,
  )
  await sendDigests(database.as('panji_trade'), '00:00')
  const [mail] = await database.db.query<{ data: Record<string, unknown> }>(
    `SELECT data FROM deliver.mail WHERE type = 'standing_order.digest' AND account_id = $1 ORDER BY created_at DESC LIMIT 1`,
    [order.accountId],
  )
  const { text } = mailText('standing_order.digest', mail?.data ?? {})
  expect(text).toContain(`  company:${cinOf(3)} (INVALID_EMAIL_ADDRESS)\n`)
  expect(text).not.toContain('private.example')
  expect(text.match(/^ {2}and 4 more$/gm)).toHaveLength(3)
})

test('a late first digest covers everything since the standing order was created, up to a week', async () => {
  const [late, old] = [await world.active(), await world.active()]
  await world.day(companies(3, 4))
  await world.buy()
  for (const [{ accountId }, days] of [
    [late, 4],
    [old, 12],
  ] as const) {
    const ago = `- make_interval(days => $2)`
    await database.db.execute(`UPDATE orders.standing_order SET created_at = created_at ${ago} WHERE account_id = $1`, [
      accountId,
      days,
    ])
    await database.db.execute(
      `UPDATE orders.standing_run SET created_at = created_at ${ago} WHERE standing_order_id IN (
         SELECT standing_order_id FROM orders.standing_order WHERE account_id = $1)`,
      [accountId, days],
    )
    await database.db.execute(`UPDATE orders.purchase SET paid_at = paid_at ${ago} WHERE account_id = $1`, [
      accountId,
      days,
    ])
  }
  await sendDigests(database.as('panji_trade'), '00:00')
  const mails = await database.db.query<{ accountId: string; data: object }>(
    `SELECT account_id AS "accountId", data FROM deliver.mail
     WHERE type = 'standing_order.digest' AND account_id = ANY ($1::uuid[])`,
    [[late.accountId, old.accountId]],
  )
  expect(mails).toMatchObject([{ accountId: late.accountId, data: { matches: 2, bought: 2 } }])
})

test('a digest of this morning covers the imports of last night, and the next one those after it', async () => {
  const order = await world.active()
  const notice = await world.activeOf(order.accountId, { name: 'Notices', buys: false, budget: null })
  await world.day(companies(3, 4))
  await world.buy()
  const trade = database.as('panji_trade')
  const [{ at } = { at: '' }] = await database.db.query<{ at: string }>(
    `SELECT to_char(now() AT TIME ZONE 'Asia/Kolkata', 'HH24:MI') AS at`,
  )
  // Two minutes before the time of the digest, whatever day that was.
  const early = `((runtime.indian_day(now()) + $2::time) AT TIME ZONE 'Asia/Kolkata') - interval '2 minutes'`
  const own = 'SELECT standing_order_id FROM orders.standing_order WHERE account_id = $1'
  await database.db.execute(
    `UPDATE orders.standing_run SET created_at = ${early} WHERE standing_order_id IN (${own})`,
    [order.accountId, at],
  )
  await database.db.execute(`UPDATE orders.purchase SET paid_at = ${early} WHERE account_id = $1`, [
    order.accountId,
    at,
  ])
  const told = () =>
    database.db.query<{ data: { bought: number; matches: number; leads: string[]; notices: string[] } }>(
      `SELECT data FROM deliver.mail WHERE type = 'standing_order.digest' AND account_id = $1 ORDER BY created_at`,
      [order.accountId],
    )
  await sendDigests(trade, at)
  const [first] = await told()
  expect(first?.data).toMatchObject({ matches: 4, bought: 2, credits: 2, day: expect.any(String) })
  for (const names of [first?.data.leads, first?.data.notices]) expect(names).toHaveLength(2)
  // What comes after it is in the next one alone, however often digests are sent today.
  await world.day(companies(5, 5))
  await world.buy()
  await sendDigests(trade, at)
  expect(await told()).toHaveLength(1)
  await database.db.execute('UPDATE orders.standing_order SET digest_on = digest_on - 1 WHERE account_id = $1', [
    order.accountId,
  ])
  const later = `interval '1 day' - interval '1 minute'`
  await database.db.execute(
    `UPDATE orders.standing_run SET created_at = created_at - (${later}) WHERE standing_order_id IN (${own})`,
    [order.accountId],
  )
  await database.db.execute(`UPDATE orders.purchase SET paid_at = paid_at - (${later}) WHERE account_id = $1`, [
    order.accountId,
  ])
  await database.db.execute(`UPDATE deliver.mail SET state = 'sent', sent_at = now() WHERE account_id = $1`, [
    order.accountId,
  ])
  await sendDigests(trade, at)
  const [, second] = await told()
  expect(second?.data).toMatchObject({ matches: 2, bought: 1 })
  expect(JSON.stringify(second?.data)).toContain('COMPANY 5')
  expect(JSON.stringify(second?.data)).not.toContain('COMPANY 3')
  expect((await world.read(notice.standingOrderId)).spent.total).toBe(0)
})

test('a weekly notice gathers a week and is due on its Monday, a daily one each day, and neither twice', async () => {
  const notice = { buys: false, budget: null } as const
  const daily = await world.active({ ...notice, schedule: '00:00' }, 0)
  const weekly = await world.activeOf(daily.accountId, { ...notice, name: 'Weekly', schedule: 'monday 00:00' })
  await world.day(companies(3, 4))
  await world.day(companies(5, 5))
  const worker = database.as('panji_worker')
  const runsOf = async (id: string) =>
    (
      await database.db.query<{ matches: number }>(
        'SELECT matches FROM orders.standing_run WHERE standing_order_id = $1 ORDER BY run_id',
        [id],
      )
    ).map(({ matches }) => matches)
  const [{ monday } = { monday: false }] = await database.db.query<{ monday: boolean }>(
    'SELECT extract(isodow FROM runtime.indian_day(now())) = 1 AS monday',
  )
  await keepStanding(worker)
  await keepStanding(worker)
  expect(await runsOf(daily.standingOrderId)).toEqual([3])
  expect(await runsOf(weekly.standingOrderId)).toEqual(monday ? [3] : [])
  // Its Monday has come.
  await database.db.execute(
    'UPDATE orders.standing_order SET next_run_on = runtime.indian_day(now()) WHERE standing_order_id = $1',
    [weekly.standingOrderId],
  )
  await world.day(companies(6, 6))
  await keepStanding(worker)
  await keepStanding(worker)
  expect(await runsOf(weekly.standingOrderId)).toEqual(monday ? [3, 1] : [4])
  await world.buy()
  const orders = await database.db.query('SELECT FROM orders.purchase WHERE account_id = $1', [daily.accountId])
  expect(orders).toEqual([])
})
