/** An import that is undone after its leads were read, delivered or not yet sent: each gets what it is due. */
import { expect, test } from 'vitest'
import { addDestination, pauseDestination, resumeDestination } from '../../../src/deliver/destinations/destinations.ts'
import { recallLeads } from '../../../src/deliver/recall/recall-leads.ts'
import { refreshRejected } from '../../../src/deliver/record/rejected/refresh-rejected.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { readRowsAgain } from '../../../src/leads/read-again.ts'
import { creditBalance } from '../../../src/orders/ledger.ts'
import { buyRun } from '../../../src/standing/buy-run.ts'
import { companyLead } from '../../conformance/sample-leads.ts'
import { newCustomer, secretKey, useApi } from '../../support/api.ts'
import { addCredits } from '../../support/api-world.ts'
import { cinOf, companies } from '../../support/company-snapshots.ts'
import { useIngest } from '../../support/ingest.ts'
import { useDeliveryWorld } from '../deliver/delivery-world.ts'
import { insertOrder } from '../deliver/paid-order.ts'
import { standingWorld } from './world.ts'

const crm = useDeliveryWorld(secretKey)
const api = useApi(crm.database)
const ingest = useIngest(crm.database)
const standing = standingWorld(crm.database, ingest)
const db = () => crm.database.db

async function buyAll(): Promise<void> {
  const parts = { db: crm.database.as('panji_trade'), queue: crm.queue() }
  for (const run of await standing.openRuns()) await buyRun(parts, run, new AbortController().signal)
}
const orderOf = async (id: string) =>
  (
    await db().query<{ id: string }>(
      `SELECT order_id AS id FROM orders.purchase JOIN orders.standing_run run ON run.run_id = standing_run_id
       WHERE standing_order_id = $1 ORDER BY purchase.created_at DESC LIMIT 1`,
      [id],
    )
  )[0]?.id ?? ''
const inCrm = () =>
  crm
    .box('salesforce')
    .records()
    .flatMap(({ properties }) => /U74999GA2019PTC\d{6}/.exec(JSON.stringify(properties)) ?? [])
    .map((cin) => Number(cin.slice(-6)))
    .toSorted((a, b) => a - b)

test('what a CRM took is recalled, what was read stays paid, and all else of the import brings its credit back and is never sent', async () => {
  const buyer = await newCustomer(api, crm.database, { isEnterprise: true })
  const { accountId } = buyer
  await addCredits(db(), accountId, 100)
  const destination = async (name: string) =>
    (
      await addDestination(db(), crm.connectors, secretKey, {
        ...{ accountId, connector: 'salesforce', name, settings: crm.settings('salesforce') },
      })
    ).destination_id
  const [org, resting] = [await destination('Our org'), await destination('Resting')]
  await standing.day(companies(1, 1))
  await standing.reachable(1, 40)
  const order = (capital: number, destinations: string[]) =>
    standing.activeOf(accountId, { name: `${capital}`, query: `paidUpCapital == ${capital}`, destinations })
  const sent = await order(100_000, [org])
  const [read, unread, waiting] = [await order(200_000, []), await order(300_000, []), await order(400_000, [resting])]
  await standing.day(companies(2, 3))
  await buyAll()
  const before = await orderOf(sent.standingOrderId)
  await crm.until(async () => expect(await crm.counts(before)).toEqual({ acknowledged: 2, rejected: 0, open: 0 }))
  await pauseDestination(crm.parts(), resting)

  const wrong = await standing.day(
    [100_000, 200_000, 300_000, 400_000].flatMap((capital, n) => companies(10 + n * 2, 11 + n * 2, { capital })),
  )
  await buyAll()
  const delivered = await orderOf(sent.standingOrderId)
  await crm.until(async () => expect(await crm.counts(delivered)).toEqual({ acknowledged: 2, rejected: 0, open: 0 }))
  const held = await orderOf(waiting.standingOrderId)
  await crm.until(async () => expect((await crm.counts(held)).open).toBe(2))
  const leads = await orderOf(read.standingOrderId)
  await crm.until(async () => {
    const reply = await api.get(`/api/crm/orders/${leads}/leads`, buyer.token)
    expect([reply.statusCode, reply.json().total]).toEqual([200, 2])
  })
  expect(inCrm()).toEqual([2, 3, 10, 11])
  expect(await creditBalance(db(), accountId)).toBe(90)

  const wish = { runId: wrong, through: false, reason: 'the wrong file', requestedBy: 'operator' }
  const { run_id: undoId } = await requestUndo(db(), ingest.queue, wish)
  expect(await runSnapshot(ingest.dependencies(), undoId)).toMatchObject({ status: 'succeeded' })
  expect(await standing.withdraw(undoId)).toEqual({ withdrawn: 8, refunded: 4, recalled: 2 })
  expect(await standing.withdraw(undoId)).toEqual({ withdrawn: 0, refunded: 0, recalled: 0 })
  await crm.until(async () => {
    await recallLeads(crm.parts(), new AbortController().signal).catch(() => undefined)
    expect(inCrm()).toEqual([2, 3])
  })
  await resumeDestination(crm.parts(), resting)
  await crm.until(async () => expect((await crm.counts(held)).open).toBe(0))
  expect(inCrm()).toEqual([2, 3])
  // Two of the day before, two that a CRM took and two that were read stay paid; four came back.
  expect(await creditBalance(db(), accountId)).toBe(94)
  const [back] = await db().query<{ orders: string[] }>(
    `SELECT array_agg(DISTINCT order_id) AS orders FROM orders.item JOIN orders.purchase USING (order_id)
     WHERE account_id = $1 AND refunded_at IS NOT NULL`,
    [accountId],
  )
  expect(back?.orders.toSorted()).toEqual([await orderOf(unread.standingOrderId), held].toSorted())
  const answers = await db().query('SELECT external_id AS id, status, reason FROM deliver.recall ORDER BY 1')
  expect(answers).toEqual([10, 11].map((n) => ({ id: `company:${cinOf(n)}`, status: 'erased', reason: 'undone' })))
  const runs = await db().query<{ state: string }>(
    'SELECT DISTINCT state FROM orders.standing_run WHERE import_run_id = $1',
    [wrong],
  )
  expect(runs).toEqual([{ state: 'undone' }])
  await standing.proved()
}, 120_000)

test('what was read stays paid, too, where credits are spent at the order, whether by itself or with other orders', async () => {
  const buyer = await newCustomer(api, crm.database, { isEnterprise: true })
  await addCredits(db(), buyer.accountId, 100)
  await standing.day(companies(50, 50))
  await standing.reachable(50, 60)
  const order = (capital: number) =>
    standing.activeOf(buyer.accountId, { name: `${capital}`, query: `paidUpCapital == ${capital}`, destinations: [] })
  const capitals = [910_000, 920_000, 930_000, 940_000]
  const standingOrders = await Promise.all(capitals.map(order))
  const wrong = await standing.day(capitals.flatMap((capital, n) => companies(51 + n, 51 + n, { capital })))
  await buyAll()
  const ids = await Promise.all(standingOrders.map(({ standingOrderId }) => orderOf(standingOrderId)))
  await crm.until(async () => {
    expect((await api.get(`/api/crm/orders/${ids[0]}/leads`, buyer.token)).json().total).toBe(1)
  })
  const reply = await api.post('/api/orders/export', buyer.token, { order_ids: ids.slice(1, 3) })
  expect(reply.statusCode).toBe(200)
  // The audit log has them about a second later.
  await crm.until(async () => {
    const logged = `SELECT FROM access.audit WHERE kind = 'reading' AND account_id = $1 AND (reason = $2 OR reason LIKE 'export of %')`
    expect(await db().query(logged, [buyer.accountId, `order ${ids[0]}`])).toHaveLength(2)
  })
  expect(await creditBalance(db(), buyer.accountId)).toBe(96)
  const wish = { runId: wrong, through: false, reason: 'the wrong file', requestedBy: 'operator' }
  const { run_id: undoId } = await requestUndo(db(), ingest.queue, wish)
  await runSnapshot(ingest.dependencies(), undoId)
  expect(await standing.withdraw(undoId)).toEqual({ withdrawn: 4, refunded: 1, recalled: 0 })
  expect(await creditBalance(db(), buyer.accountId)).toBe(97)
  await standing.proved()
}, 120_000)

test('what was recalled since its import was undone is sent again once an import brings it again, and by no other change of the register', async () => {
  const { accountId } = await newCustomer(api, crm.database, { isEnterprise: true })
  await addCredits(db(), accountId, 100)
  const { destination_id: org } = await addDestination(db(), crm.connectors, secretKey, {
    ...{ accountId, connector: 'salesforce', name: 'Our other org', settings: crm.settings('salesforce') },
  })
  const compare = () =>
    refreshRejected(crm.database.as('panji_worker'), crm.queue(), (tx, ids) => readRowsAgain(tx, ids, 'Panji'))
  const before = inCrm()
  await standing.day(companies(30, 31, { capital: 600_000 }))
  const grown = await standing.activeOf(accountId, {
    ...{ name: 'Grown', query: 'paidUpCapital == 700000', destinations: [org] },
  })
  const wrong = await standing.day(companies(30, 31, { capital: 700_000 }))
  await buyAll()
  const bought = await orderOf(grown.standingOrderId)
  await crm.until(async () => expect(await crm.counts(bought)).toEqual({ acknowledged: 2, rejected: 0, open: 0 }))
  expect(inCrm()).toEqual([...before, 30, 31])

  const wish = { runId: wrong, through: false, reason: 'the wrong file', requestedBy: 'operator' }
  const { run_id: undoId } = await requestUndo(db(), ingest.queue, wish)
  await runSnapshot(ingest.dependencies(), undoId)
  expect(await standing.withdraw(undoId)).toMatchObject({ withdrawn: 2, recalled: 2 })
  await crm.until(async () => {
    await recallLeads(crm.parts(), new AbortController().signal).catch(() => undefined)
    expect(inCrm()).toEqual(before)
  })
  await compare()
  await standing.day(companies(32, 32, { capital: 600_000 }))
  await compare()
  expect(await crm.counts(bought)).toEqual({ acknowledged: 0, rejected: 2, open: 0 })
  expect(inCrm()).toEqual(before)

  await standing.day(companies(30, 31, { capital: 700_000 }))
  await buyAll()
  await compare()
  await crm.until(async () => expect(await crm.counts(bought)).toEqual({ acknowledged: 2, rejected: 0, open: 0 }))
  expect(inCrm()).toEqual([...before, 30, 31])
  await standing.proved()
}, 120_000)

test('what another order of the account holds in the CRM, too, stays there when the import is undone, and what is in flight or was not answered yet does not', async () => {
  const { accountId } = await newCustomer(api, crm.database, { isEnterprise: true })
  await addCredits(db(), accountId, 100)
  const { destination_id: org } = await addDestination(db(), crm.connectors, secretKey, {
    ...{ accountId, connector: 'salesforce', name: 'Their org', settings: crm.settings('salesforce') },
  })
  await standing.reachable(70, 72)
  await standing.day(companies(70, 72, { capital: 600_000 }))
  const byHand = await insertOrder(db(), accountId, [{ ...companyLead(70), externalId: `company:${cinOf(70)}` }])
  await crm.push(byHand, org)
  await crm.until(async () => expect(await crm.counts(byHand)).toEqual({ acknowledged: 1, rejected: 0, open: 0 }))
  const grown = await standing.activeOf(accountId, {
    ...{ name: 'Grown, too', query: 'paidUpCapital == 710000', destinations: [org] },
  })
  const wrong = await standing.day(companies(70, 72, { capital: 710_000 }))
  await buyAll()
  const bought = await orderOf(grown.standingOrderId)
  await crm.until(async () => expect(await crm.counts(bought)).toEqual({ acknowledged: 3, rejected: 0, open: 0 }))
  await pauseDestination(crm.parts(), org)
  // As one that is in flight.
  const inFlight = [org, `company:${cinOf(71)}`]
  await db().execute(
    `UPDATE deliver.record SET state = 'sending', outcome = NULL, acknowledged_at = NULL, acknowledged_sha256 = NULL
     WHERE destination_id = $1 AND external_id = $2`,
    inFlight,
  )
  await db().execute(
    `UPDATE deliver.delivery SET state = 'pending', acknowledged_at = NULL WHERE destination_id = $1 AND external_id = $2`,
    inFlight,
  )
  // As one that the CRM has, and about which it answered nothing.
  const unanswered = [org, `company:${cinOf(72)}`]
  await db().execute(
    `UPDATE deliver.record SET state = 'pending', acknowledged_at = NULL, acknowledged_sha256 = NULL,
       unconfirmed = ARRAY[sent_item_id], next_attempt_at = now() + interval '15 minutes'
     WHERE destination_id = $1 AND external_id = $2`,
    unanswered,
  )
  await db().execute(
    `UPDATE deliver.delivery SET state = 'pending', acknowledged_at = NULL WHERE destination_id = $1 AND external_id = $2`,
    unanswered,
  )

  const wish = { runId: wrong, through: false, reason: 'the wrong file', requestedBy: 'operator' }
  const { run_id: undoId } = await requestUndo(db(), ingest.queue, wish)
  await runSnapshot(ingest.dependencies(), undoId)
  expect(await standing.withdraw(undoId)).toMatchObject({ withdrawn: 3, refunded: 0, recalled: 2 })
  const recalls = 'SELECT external_id AS record FROM deliver.recall WHERE destination_id = $1 ORDER BY 1'
  expect(await db().query(recalls, [org])).toEqual([71, 72].map((n) => ({ record: `company:${cinOf(n)}` })))
  expect(await crm.counts(byHand)).toEqual({ acknowledged: 1, rejected: 0, open: 0 })
}, 120_000)
