import { afterEach, beforeEach, expect, test } from 'vitest'
import { addSuppressions } from '../../../src/access/suppressions.ts'
import type { Db } from '../../../src/db/db.ts'
import { indianDayOf } from '../../../src/domain/iso-date.ts'
import { readObjection } from '../../../src/domain/objection.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { creditBalance } from '../../../src/orders/ledger.ts'
import { placeOrder } from '../../../src/orders/place-order.ts'
import { queues } from '../../../src/queue/queues.ts'
import { evaluateImport } from '../../../src/standing/evaluate-import.ts'
import { gatherRun } from '../../../src/standing/gather-run.ts'
import { decideRun, listRuns } from '../../../src/standing/runs.ts'
import { pauseAllStanding, pauseStanding, resumeStanding } from '../../../src/standing/switch.ts'
import { cinOf, companies, snapshotFiles, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyTables } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'
import { standingWorld } from './world.ts'

const database = useTestDatabase()
const ingest = useIngest(database)
const world = standingWorld(database, ingest)
const snapshot = snapshotFiles(ingest)

beforeEach(async () => {
  await emptyTables(database.db, [
    'registry.company',
    'registry.contact',
    'registry.directorship',
    'ingest.run',
    'ingest.change',
    'ingest.scope',
  ])
  await world.day(companies(1, 5))
  await world.reachable(1, 60)
})
afterEach(async () => {
  await world.proved()
  await database.db.transaction((tx) => pauseAllStanding(tx, null, { actor: 'operator' }))
})

const matchesOf = async (id: string) =>
  (
    await database.db.query<{ identifier: string }>(
      'SELECT identifier FROM orders.standing_match WHERE standing_order_id = $1 ORDER BY 1',
      [id],
    )
  ).map(({ identifier }) => identifier)

test('what an import brings is bought once, and what was there before is not, however often it is corrected', async () => {
  const { standingOrderId: id } = await world.active()
  const first = await world.day(companies(6, 8))
  expect(await matchesOf(id)).toEqual([6, 7, 8].map(cinOf))
  expect(await world.buy()).toBe(3)
  // Asked again, after a correction, and after a restart in the middle of it all.
  expect(await world.evaluate(first)).toMatchObject({ matches: 0 })
  await world.day(companies(1, 8, { capital: 200_000 }))
  expect(await world.buy()).toBe(0)
  expect(await world.bought(id)).toEqual([8, 7, 6])
  const order = await world.read(id)
  expect(order.spent).toEqual({ day: 3, month: 3, total: 3 })
  expect(order.state).toBe('active')
})

test('a record that begins to match later is new then; one that goes on matching, or matched once before, is not', async () => {
  const { standingOrderId: id } = await world.active({ query: "State == 'Goa' AND paidUpCapital > 150000" })
  await world.day(companies(1, 2, { capital: 300_000 }))
  expect(await matchesOf(id)).toEqual([1, 2].map(cinOf))
  await world.day([...companies(1, 1, { capital: 100_000 }), ...companies(2, 2, { capital: 400_000 })])
  await world.day(companies(1, 1, { capital: 300_000 }))
  expect(await matchesOf(id)).toEqual([1, 2].map(cinOf))
  expect(await world.buy()).toBe(2)
})

test('a contact that an import brings makes its record match where a mobile number is asked for', async () => {
  await database.db.execute(`DELETE FROM registry.contact WHERE identifier = ANY ($1::text[])`, [[2, 7].map(cinOf)])
  const { standingOrderId: id } = await world.active({ hasMobile: true })
  await world.day(companies(6, 7))
  expect(await matchesOf(id)).toEqual([cinOf(6)])
  const lines = [2, 3, 7].map((n) => `company,${cinOf(n)},,98222000${String(n).padStart(2, '0')},Desk`)
  const file = ingest.file('contacts.csv', ['entity,identifier,email,mobile,origin', ...lines, ''].join('\n'))
  const run = await ingest.ingest('contacts', file)
  expect(run).toMatchObject({ status: 'succeeded', inserted: 3 })
  await world.evaluate(run.run_id)
  // The third had a number already.
  expect(await matchesOf(id)).toEqual([2, 6, 7].map(cinOf))
})

test('an import of contacts is asked about by the others where a feed asks for a mobile number, too, which it brings nothing', async () => {
  await database.db.execute('DELETE FROM registry.contact WHERE identifier = $1', [cinOf(7)])
  const { standingOrderId: feed } = await world.active({ source: 'feed', hasMobile: true })
  const { standingOrderId: id } = await world.active({ hasMobile: true })
  await world.day(companies(6, 7))
  expect([await matchesOf(feed), await matchesOf(id)]).toEqual([[cinOf(6)], [cinOf(6)]])
  const file = ingest.file(
    'late.csv',
    ['entity,identifier,email,mobile,origin', `company,${cinOf(7)},,9822200077,Desk`, ''].join('\n'),
  )
  await world.evaluate((await ingest.ingest('contacts', file)).run_id)
  expect([await matchesOf(feed), await matchesOf(id)]).toEqual([[cinOf(6)], [6, 7].map(cinOf)])
})

test('a website that an import brings makes its record match where the query asks for one, and once', async () => {
  const { standingOrderId: id } = await world.active({ query: 'has_website == true' })
  await world.day(companies(6, 7))
  expect(await matchesOf(id)).toEqual([])
  const bring = async (name: string, ...told: string[]) => {
    const lines = told.map((each) => `company,${each},Sites`)
    const file = ingest.file(name, ['entity,identifier,website,origin', ...lines, ''].join('\n'))
    const run = await ingest.ingest('contacts', file)
    expect(run).toMatchObject({ status: 'succeeded', rejected: 0 })
    await world.evaluate(run.run_id)
  }
  await bring('sites.csv', `${cinOf(6)},https://six.example.in`)
  expect(await matchesOf(id)).toEqual([cinOf(6)])
  await bring('more-sites.csv', `${cinOf(6)},https://6.example.in`, `${cinOf(7)},https://seven.example.in`)
  expect(await matchesOf(id)).toEqual([6, 7].map(cinOf))
})

test('directors who join or leave with an import make their company match where the query asks for the size of its board, and once', async () => {
  const { standingOrderId: two } = await world.active({ query: 'boardSize >= 2' })
  const { standingOrderId: one } = await world.active({ query: 'boardSize == 1' })
  await world.day(companies(6, 7))
  const bring = async (...seats: readonly (readonly [n: number, din: string, ceased?: string])[]) => {
    const lines = seats.map(([n, din, ceased = '']) => `${cinOf(n)},${din},Director,2024-05-06,${ceased}`)
    const columns = 'CIN,DIN,Designation,DateOfAppointment,DateOfCessation'
    const file = ingest.file('seats.csv', [columns, ...lines, ''].join('\n'))
    const run = await ingest.ingest('mca-directorships', file, { mode: 'delta' })
    expect(run).toMatchObject({ status: 'succeeded', rejected: 0 })
    await world.evaluate(run.run_id)
  }
  await bring([6, '00012341'], [6, '00012342'], [7, '00012343'])
  expect([await matchesOf(two), await matchesOf(one)]).toEqual([[cinOf(6)], [cinOf(7)]])
  await bring([6, '00012344'], [7, '00012345'])
  expect([await matchesOf(two), await matchesOf(one)]).toEqual([[6, 7].map(cinOf), [cinOf(7)]])
  await bring([6, '00012341', '2025-01-01'], [6, '00012342', '2025-01-01'])
  expect([await matchesOf(two), await matchesOf(one)]).toEqual([[6, 7].map(cinOf), [6, 7].map(cinOf)])
})

test('an import that waits for approval feeds nothing until somebody approves it', async () => {
  const { standingOrderId: id } = await world.active()
  const evaluations = () => ingest.queue.sent.filter(({ queue }) => queue === queues.evaluateImport.name)
  await world.day(companies(1, 60), 'snapshot')
  const known = await matchesOf(id)
  const before = evaluations().length
  const path = snapshot([...companies(1, 12), ...companies(71, 73)])
  const { run_id: runId, status } = await ingest.ingest('mca-companies', path)
  expect([status, evaluations().length]).toEqual(['needs_approval', before])
  // Even if it is asked about it, and by whom an import beside it is asked about.
  await world.evaluate(runId)
  await world.day(companies(61, 61))
  expect(await matchesOf(id)).toEqual([...known, cinOf(61)])
  await approveRun(database.db, ingest.queue, runId, { supersede: true })
  await runSnapshot(ingest.dependencies(), runId)
  expect(evaluations().at(-1)?.payload).toMatchObject({ runId })
  await world.evaluate(runId)
  expect(await matchesOf(id)).toEqual([...known, ...[61, 71, 72, 73].map(cinOf)])
})

test('an account that no feed shows the register is told of nothing that was registered lately, whether it buys or is notified', async () => {
  const { accountId, standingOrderId: buying } = await world.active()
  const { standingOrderId: notified } = await world.activeOf(accountId, { buys: false, budget: null })
  const lately = { incorporated: indianDayOf(new Date()) }
  await world.day(companies(6, 7, lately))
  expect([await matchesOf(buying), await matchesOf(notified)]).toEqual([[6, 7].map(cinOf), [6, 7].map(cinOf)])
  await database.db.execute('UPDATE access.account SET is_enterprise = false WHERE account_id = $1', [accountId])
  await world.day(companies(8, 9, lately))
  expect([await matchesOf(buying), await matchesOf(notified)]).toEqual([[6, 7].map(cinOf), [6, 7].map(cinOf)])
})

test('the first run that finds anything waits for somebody, and so does one far above a usual day', async () => {
  const { standingOrderId: id } = await world.active({}, 100, false)
  await world.day(companies(6, 7))
  expect(await world.buy()).toBe(0)
  const waiting = async () =>
    database.db.query(
      'SELECT reason, matches, usual FROM orders.standing_run WHERE standing_order_id = $1 AND state = $2',
      [id, 'needs_approval'],
    )
  expect(await waiting()).toEqual([{ reason: 'first_run', matches: 2, usual: null }])
  await database.db.transaction((tx) => decideRun(tx, null, id, { approve: true, actor: 'operator' }))
  expect(await world.buy()).toBe(2)
  await database.db.execute(`UPDATE orders.standing_run SET created_at = created_at - interval '1 day'`)
  await world.day(companies(8, 9))
  expect(await world.buy()).toBe(2)
  // Two on each of two days: ten are not too many, eleven are.
  await world.day(companies(10, 20))
  expect(await world.buy()).toBe(0)
  expect(await waiting()).toEqual([{ reason: 'unusual', matches: 11, usual: 2 }])
  await database.db.transaction((tx) => decideRun(tx, null, id, { approve: false, actor: 'operator' }))
  expect(await world.buy()).toBe(0)
  expect(await world.bought(id)).toEqual([7, 6, 8, 9])
})

test('what another import changes or closes while its run waits is not bought, and the run says how many they were', async () => {
  const { standingOrderId: id } = await world.active({ query: 'paidUpCapital > 150000' }, 100, false)
  await world.day(companies(6, 8, { capital: 500_000 }))
  await world.day(companies(6, 6, { capital: 100_000 }))
  await database.db.execute(`UPDATE registry.company SET closed_on = '2026-11-24' WHERE cin = $1`, [cinOf(7)])
  await database.db.transaction((tx) => decideRun(tx, null, id, { approve: true, actor: 'operator' }))
  expect(await world.buy()).toBe(1)
  expect(await world.bought(id)).toEqual([8])
  const { runs } = await listRuns(database.db, null, id, { page: 1, limit: 5 })
  expect(runs).toMatchObject([
    {
      state: 'finished',
      matches: 3,
      bought: 1,
      owned: 0,
      no_contact: 0,
      over_budget: 0,
      no_longer_matches: 2,
      credits: 1,
    },
  ])
})

test('what the account owns already is a match that costs nothing, and is not delivered again', async () => {
  const order = await world.active({ query: 'paidUpCapital > 150000' })
  const items = [{ type: 'company', name: 'COMPANY 3', number: cinOf(3) }] as const
  const request = { accountId: order.accountId, orderName: 'By hand', paymentOption: 'credits', items }
  await placeOrder(database.db, world.queue, { onlineLabel: 'online' }, request)
  await world.day(companies(3, 4, { capital: 500_000 }))
  expect(await world.buy()).toBe(1)
  expect(await world.bought(order.standingOrderId)).toEqual([4])
  const states = await database.db.query(
    'SELECT identifier, state FROM orders.standing_match WHERE standing_order_id = $1 ORDER BY 1',
    [order.standingOrderId],
  )
  expect(states).toEqual([
    { identifier: cinOf(3), state: 'owned' },
    { identifier: cinOf(4), state: 'bought' },
  ])
  expect(await creditBalance(database.db, order.accountId)).toBe(98)
})

test('whom nobody can reach, and whose one contact objected, is not bought', async () => {
  const order = await world.active()
  await database.db.execute('DELETE FROM registry.contact WHERE identifier = $1', [cinOf(6)])
  const objection = readObjection('mobile', '+919812300007')
  await database.db.transaction((tx) =>
    addSuppressions(tx, world.queue, { objections: objection ? [objection] : [], actor: 'operator' }),
  )
  await world.day(companies(6, 8))
  expect(await world.buy()).toBe(1)
  expect(await world.bought(order.standingOrderId)).toEqual([8])
})

test('what a schedule gathered before a pause is no part of the run after it', async () => {
  const order = await world.active({ schedule: '08:00' })
  await world.day(companies(6, 9))
  const by = { actor: `account:${order.accountId}` } as const
  await database.db.transaction((tx) => pauseStanding(tx, null, order.standingOrderId, by))
  await database.db.transaction((tx) => resumeStanding(tx, null, order.standingOrderId, by))
  await world.day(companies(10, 10))
  await database.db.transaction((tx) => gatherRun(tx, order.standingOrderId))
  const runs = await database.db.query('SELECT matches FROM orders.standing_run WHERE standing_order_id = $1', [
    order.standingOrderId,
  ])
  expect(runs).toEqual([{ matches: 1 }])
  expect(await world.buy()).toBe(1)
})

test('what a schedule gathered goes with the next import once that is waited for no more', async () => {
  const { accountId, standingOrderId: id } = await world.active({ schedule: '08:00' })
  await world.day(companies(11, 12))
  await database.db.execute(`UPDATE orders.standing_order SET schedule = 'import' WHERE standing_order_id = $1`, [id])
  await world.day(companies(13, 13))
  const { runs } = await listRuns(database.db, accountId, id, { page: 1, limit: 5 })
  expect(runs).toMatchObject([{ state: 'open', matches: 3 }])
  expect(await world.buy()).toBe(3)
})

test('a pause that comes while an import is asked about leaves no run that a resume would buy', async () => {
  const order = await world.active()
  const run = await world.imported(companies(6, 8))
  const by = { actor: `account:${order.accountId}` } as const
  let paused: Promise<unknown> | undefined
  const worker = database.as('panji_worker')
  // Once the evaluation has found its matches the account pauses; its answer waits for nobody.
  const db: Db = {
    ...worker,
    transaction: (work) =>
      worker.transaction((tx) =>
        work({
          ...tx,
          async execute(text, values) {
            const rows = await tx.execute(text, values)
            if (String(typeof text === 'string' ? text : text.text).includes('INSERT INTO standing_found')) {
              paused = database.db.transaction((other) => pauseStanding(other, null, order.standingOrderId, by))
              await paused
            }
            return rows
          },
        }),
      ),
  }
  await evaluateImport(db, run)
  expect([paused !== undefined, (await world.read(order.standingOrderId)).state]).toEqual([true, 'paused'])
  await database.db.transaction((tx) => resumeStanding(tx, null, order.standingOrderId, by))
  expect(await world.openRuns()).toEqual([])
  expect(await world.buy()).toBe(0)
  expect(await world.bought(order.standingOrderId)).toEqual([])
})

test('a match is of a run of its own standing order, whoever writes it', async () => {
  const [{ standingOrderId: id }, { standingOrderId: other }] = [await world.active(), await world.active()]
  await world.day(companies(6, 6))
  const ofOther = database.db.execute(
    `UPDATE orders.standing_match SET run_id = (SELECT run_id FROM orders.standing_run WHERE standing_order_id = $2)
     WHERE standing_order_id = $1`,
    [id, other],
  )
  await expect(ofOther).rejects.toThrow('standing_match_run_fkey')
  expect(await matchesOf(id)).toEqual([cinOf(6)])
})

test('a record that left the register and returns as it was is not new, and one that starts to match as it returns is', async () => {
  const { standingOrderId: id } = await world.active({ query: "State == 'Goa' AND paidUpCapital > 150000" })
  const { standingOrderId: any } = await world.active()
  await world.day(companies(1, 4), 'snapshot')
  await world.day(companies(1, 5), 'snapshot')
  expect([await matchesOf(id), await matchesOf(any)]).toEqual([[], []])
  await world.day(companies(1, 4), 'snapshot')
  await world.day([...companies(1, 4), ...companies(5, 5, { capital: 300_000 })], 'snapshot')
  expect([await matchesOf(id), await matchesOf(any)]).toEqual([[cinOf(5)], []])
})

test('contacts and directors who leave and return make no company match anew', async () => {
  const list = async (source: string, lines: readonly string[]) => {
    const run = await ingest.ingest(source, ingest.file(`${source}.csv`, [...lines, ''].join('\n')), {
      mode: 'snapshot',
    })
    expect(run).toMatchObject({ status: 'succeeded', rejected: 0 })
    await world.evaluate(run.run_id)
  }
  const sites = (...numbers: number[]) =>
    list('contacts', [
      'entity,identifier,website',
      ...numbers.map((n) => `company,${cinOf(n)},https://${n}.example.in`),
    ])
  const seats = (...numbers: number[]) =>
    list('mca-directorships', [
      'CIN,DIN,Designation,DateOfAppointment',
      ...numbers.map((n) => `${cinOf(n)},0001234${n},Director,2024-05-06`),
    ])
  await database.db.execute('DELETE FROM registry.contact')
  await sites(1, 2, 3, 4)
  await seats(1, 2, 3, 4)
  const { standingOrderId: site } = await world.active({ query: 'has_website == true' })
  const { standingOrderId: seated } = await world.active({ query: 'boardSize >= 1' })
  for (const brings of [sites, seats]) {
    await brings(1, 2, 3)
    await brings(1, 2, 3, 4, 5)
  }
  expect([await matchesOf(site), await matchesOf(seated)]).toEqual([[cinOf(5)], [cinOf(5)]])
})

test('a company with another CIN is compared with what it was under its former one', async () => {
  const { standingOrderId: id } = await world.active()
  const { standingOrderId: rich } = await world.active({ query: 'paidUpCapital > 150000' })
  const bring = async (text: string) => {
    const run = await ingest.ingest('mca-companies', ingest.file('renumbered.csv', text), { mode: 'delta' })
    expect(run).toMatchObject({ status: 'succeeded', rejected: 0 })
    await world.evaluate(run.run_id)
  }
  const listed = (n: number) => cinOf(n).replace('U74999', 'L62011').replace('PTC', 'PLC')
  const rows = [...companies(1, 1), ...companies(2, 2, { capital: 300_000 }), ...companies(6, 6)]
  await bring([1, 2, 6].reduce((text, n) => text.replace(cinOf(n), listed(n)), snapshotText(rows)))
  expect([await matchesOf(id), await matchesOf(rich)]).toEqual([[listed(6)], [listed(2)]])
  const moved = 'U74999KA2019PTC900003'
  const [header = '', row = ''] = snapshotText(companies(3, 3, { name: 'RENAMED LIMITED' })).split('\n')
  await bring(`${header},OLD_CIN\n${row.replace(cinOf(3), moved)},${cinOf(3)}\n`)
  expect(await matchesOf(id)).toEqual([listed(6)])
})
