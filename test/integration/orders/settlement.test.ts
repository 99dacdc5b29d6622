/**
 * A row's credit is held at the order and spent by the CRM's acknowledgement. Whatever the order of answers, refusals, fixes,
 * repeated pushes, reports, refunds, releases and removed destinations: at every moment the credits that are spent are the rows
 * that a CRM acknowledged, what is held is what is owed, and the ledger verifies themselves.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { PushOutcome } from '../../../connectors/contract.ts'
import { connectors } from '../../../connectors/index.ts'
import type { Tx } from '../../../src/db/db.ts'
import { addDestination, removeDestination } from '../../../src/deliver/destinations/destinations.ts'
import { holdAccountOf } from '../../../src/deliver/destinations/hold-account.ts'
import { releaseLease, takeLease } from '../../../src/deliver/lease/lease.ts'
import { deliverBuiltOrder } from '../../../src/deliver/push/automatic.ts'
import { requestPush } from '../../../src/deliver/push/request-push.ts'
import { claimLeads, listUnknown, recordOutcomes, settleUnknown, takeOver } from '../../../src/deliver/record/ledger.ts'
import { fixRejected } from '../../../src/deliver/record/rejected/fix-rejected.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { closeLedgerDay } from '../../../src/orders/close-ledger-day.ts'
import { creditStatement } from '../../../src/orders/credit-statement.ts'
import { decideReports, decideReportsById } from '../../../src/orders/decide-reports.ts'
import { countOpenReports, decideDispute, listDisputes, openDispute } from '../../../src/orders/disputes.ts'
import { creditBalance, refundItems } from '../../../src/orders/ledger.ts'
import { sellCredits } from '../../../src/orders/ledger-money.ts'
import { placeOrder } from '../../../src/orders/place-order.ts'
import { refundOrder } from '../../../src/orders/refund-order.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws } from '../../support/figures.ts'
import { createAccount, gstinOf, insertContact, insertGst, takenPayment } from './world.ts'

const database = useTestDatabase()
const queue = recordJobs()
const db = () => database.db
const secretKey = new Secret('a key of sixteen characters or more')
const serials = 6
const given = 60

beforeAll(async () => {
  for (let serial = 1; serial <= serials; serial++) {
    await insertGst(db(), gstinOf(serial))
    // Nobody can be reached under the last one.
    if (serial < serials) await insertContact(db(), 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
})

const destination = (accountId: string, name: string, deliver = 'automatic') =>
  addDestination(db(), connectors, secretKey, {
    ...{ accountId, connector: 'hubspot', name, deliver },
    settings: { access_token: 'pat-na1-00000000-0000-0000-0000-000000000000' },
  })
const order = async (accountId: string, wanted: readonly number[]) => {
  const items = wanted.map((serial) => ({ type: 'gst' as const, name: 'X', number: gstinOf(serial) }))
  const request = { accountId, orderName: 'n', paymentOption: 'credits', items }
  const { orderId } = await placeOrder(db(), queue, { onlineLabel: 'online' }, request)
  return orderId
}
const deliver = async (orderId: string) => {
  await buildLeads(db(), { orderId, leadSource: 'Panji', refund: refundItems })
  await deliverBuiltOrder(db(), queue, orderId)
}

const answers = ['created', 'unchanged', 'rejected', 'unknown', 'deferred'] as const
type Answer = (typeof answers)[number]
function outcomeOf(answer: Answer): PushOutcome {
  const refusal = { code: 'INVALID', field: null, message: 'no' }
  switch (answer) {
    case 'created':
    case 'unchanged':
      return { status: answer, crmId: '1', values: {} }
    case 'rejected':
      return { status: 'rejected', ...refusal }
    case 'deferred':
      return { status: 'deferred', afterMs: 0, ...refusal }
    case 'unknown':
      return { status: 'unknown', message: 'lost' }
  }
}

/** What a holder of the lease does with one batch: settles what is unknown, sends, and writes the answers down. */
async function answer(destinationId: string, words: readonly Answer[]): Promise<void> {
  const lease = await takeLease(db(), destinationId)
  if (!lease) return
  await takeOver(db(), lease)
  const asked = [...(await listUnknown(db(), lease, 50)).keys()]
  if (asked.length > 0) await settleUnknown(db(), lease, asked, new Map())
  await db().execute('UPDATE deliver.record SET next_attempt_at = NULL WHERE destination_id = $1', [destinationId])
  const leads = await claimLeads(db(), lease, 50)
  const outcomes = leads.map((_, n) => outcomeOf(words[n % words.length] ?? 'created'))
  if (leads.length > 0) {
    await db().transaction(async (tx) => {
      await holdAccountOf(tx, destinationId)
      await recordOutcomes(tx, lease, leads, outcomes)
    })
  }
  await releaseLease(db(), lease)
}

/** Whose rows a CRM acknowledged while their credit was not back yet, seen from the deliveries alone. */
async function noteAcknowledged(accountId: string, spent: Set<string>, before: ReadonlySet<string>): Promise<void> {
  const rows = await db().query<{ id: string }>(
    `SELECT DISTINCT item_id AS id FROM deliver.delivery JOIN orders.item USING (item_id)
     JOIN orders.purchase ON purchase.order_id = item.order_id WHERE purchase.account_id = $1 AND delivery.state = 'acknowledged' AND charge_id IS NOT NULL`,
    [accountId],
  )
  for (const { id } of rows) if (!before.has(id)) spent.add(id)
}
const backOf = async (accountId: string) => {
  const rows = await db().query<{ id: string }>(
    `SELECT item_id AS id FROM orders.item JOIN orders.purchase USING (order_id)
     WHERE account_id = $1 AND refunded_at IS NOT NULL`,
    [accountId],
  )
  return new Set(rows.map(({ id }) => id))
}

async function prove(accountId: string, spent: ReadonlySet<string>, undelivered: number): Promise<void> {
  expect(await db().query('SELECT * FROM ledger.violations()')).toEqual([])
  const [books] = await db().query<{ settled: number; held: number; refunded: number; owed: number; back: number }>(
    `SELECT coalesce(sum(amount) FILTER (WHERE transfer.kind = 'settle'), 0)::int AS settled,
       coalesce(sum(CASE transfer.kind WHEN 'hold' THEN amount WHEN 'release' THEN -amount WHEN 'settle' THEN -amount END), 0)::int AS held,
       count(*) FILTER (WHERE transfer.kind = 'refund')::int AS refunded, 
       (SELECT count(*)::int FROM orders.item JOIN orders.purchase USING (order_id)
        WHERE account_id = $1 AND charge_id IS NOT NULL AND settled_id IS NULL AND refunded_at IS NULL) AS owed,
       (SELECT count(*)::int FROM orders.item JOIN orders.purchase USING (order_id)
        WHERE account_id = $1 AND settled_id IS NOT NULL AND refunded_at IS NOT NULL) AS back
     FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id WHERE owner_id = $1`,
    [accountId],
  )
  expect(books?.settled).toBe(spent.size + undelivered)
  expect(books?.held).toBe(books?.owed)
  expect(books?.refunded, 'only what is spent is refunded').toBe(books?.back)
  const balance = await creditBalance(db(), accountId)
  expect(balance).toBe(given - (books?.settled ?? 0) + (books?.refunded ?? 0) - (books?.held ?? 0))
  const [statement] = await creditStatement(db(), accountId)
  expect(statement).toMatchObject({ type: 'granted', total_credits: given, used_credits: given - balance, balance })
}

const place = fc.uniqueArray(fc.integer({ min: 1, max: serials }), { minLength: 1, maxLength: 4 })
const step = fc.oneof(
  { weight: 3, arbitrary: place.map((wanted) => ({ kind: 'order' as const, wanted })) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat({ max: 1 }), fc.array(fc.constantFrom(...answers), { minLength: 1, maxLength: 4 }))
      .map(([at, words]) => ({ kind: 'answer' as const, at, words })),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom('fix', 'retry', 'push', 'refund', 'dispute', 'month', 'remove'), fc.nat({ max: 20 }))
      .map(([kind, at]) => ({
        kind: kind as 'fix' | 'retry' | 'push' | 'refund' | 'dispute' | 'month' | 'remove',
        at,
      })),
  },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function play(steps: readonly Step[]): Promise<void> {
  const accountId = await createAccount(db(), given)
  const destinations = [
    (await destination(accountId, 'one')).destination_id,
    (await destination(accountId, 'two')).destination_id,
  ]
  const orders: string[] = []
  const spent = new Set<string>()
  for (const move of steps) {
    const back = await backOf(accountId)
    const before = await settledUndelivered(accountId)
    const orderId = orders['at' in move ? move.at % Math.max(1, orders.length) : 0]
    switch (move.kind) {
      case 'order': {
        const placed = await order(accountId, move.wanted)
        orders.push(placed)
        await prove(accountId, spent, before)
        await deliver(placed)
        break
      }
      case 'answer':
        await answer(destinations[move.at] ?? '', move.words)
        break
      case 'fix': {
        const rows = await db().query<{ id: string }>(
          `SELECT delivery_id AS id FROM deliver.delivery WHERE state = 'rejected' AND destination_id = ANY($1::uuid[]) LIMIT 2`,
          [destinations],
        )
        const fixed = rows.map(({ id }) => ({ deliveryId: id, values: { City: `Goa ${move.at}` } }))
        await db().transaction((tx) => fixRejected(tx, queue, fixed, accountId))
        break
      }
      case 'retry':
        await db().transaction((tx) => retryDeliveries(tx, queue, { accountId }))
        break
      case 'push':
        for (const destinationId of orderId ? destinations : []) {
          await db()
            .transaction((tx) => requestPush(tx, queue, { orderId: orderId ?? '', destinationId }))
            .catch((error) => expect(error).toMatchObject({ code: 'NOT_FOUND' }))
        }
        break
      case 'refund':
        if (orderId)
          await db().transaction((tx) => refundOrder(tx, { orderId, items: [0], reason: 'x', actor: 'operator' }))
        break
      case 'dispute':
        if (orderId) await dispute(accountId, orderId)
        break
      case 'month':
        await db().execute(
          `UPDATE deliver.delivery SET updated_at = updated_at - interval '31 days' WHERE state = 'rejected'`,
        )
        await closeLedgerDay(db())
        break
      case 'remove':
        if (move.at === 0) {
          const parts = { db: db(), connectors, secretKey }
          await removeDestination(parts, destinations[0] ?? '').catch((error) => expect(error.code).toBe('NOT_FOUND'))
        }
    }
    await noteAcknowledged(accountId, spent, back)
    await prove(accountId, spent, await settledUndelivered(accountId))
  }
}

async function dispute(accountId: string, orderId: string): Promise<void> {
  await db()
    .transaction(async (tx) => {
      const { dispute_id: disputeId } = await openDispute(tx, accountId, { orderId, index: 0, reason: 'bad' })
      await decideDispute(tx, { disputeId, accept: true, note: 'so it is', actor: 'operator' })
    })
    .catch((error) => expect(error).toMatchObject({ code: 'CONFLICT' }))
}

const settledUndelivered = async (accountId: string): Promise<number> => {
  const [row] = await db().query<{ credits: number }>(
    `SELECT coalesce(sum(amount), 0)::int AS credits FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id
     WHERE owner_id = $1 AND transfer.kind = 'settle' AND memo = 'no destination takes it'`,
    [accountId],
  )
  return row?.credits ?? 0
}

test('in any order of answers, refusals, fixes, releases, refunds and reports the credits spent are the rows acknowledged', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), play), {
    numRuns: draws(15),
    endOnFailure: true,
  })
})

test('an account that delivers nowhere, or only when asked, settles at the order', async () => {
  const accountId = await createAccount(db(), given)
  const kinds = () =>
    db().query(
      `SELECT transfer.kind, amount FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id
       WHERE owner_id = $1 AND order_id IS NOT NULL ORDER BY transfer_id`,
      [accountId],
    )
  await order(accountId, [1])
  await destination(accountId, 'by hand', 'manual')
  await order(accountId, [2])
  expect(await kinds()).toEqual([
    { kind: 'spend', amount: 1 },
    { kind: 'spend', amount: 1 },
  ])
  await destination(accountId, 'by night', '07:30')
  await order(accountId, [3, serials])
  expect(await kinds()).toEqual([
    { kind: 'spend', amount: 1 },
    { kind: 'spend', amount: 1 },
    { kind: 'hold', amount: 2 },
    { kind: 'release', amount: 1 },
  ])
})

test('a row that its CRM refused for a month unfixed is released into its lot, one refused yesterday is not, one that is acknowledged never', async () => {
  const accountId = await createAccount(db(), given)
  const { destination_id: id } = await destination(accountId, 'one')
  await deliver(await order(accountId, [1, 2, 3]))
  await answer(id, ['rejected', 'rejected', 'created'])
  expect(await creditBalance(db(), accountId)).toBe(given - 3)
  const age = (days: number) =>
    db().execute(
      `UPDATE deliver.delivery SET updated_at = now() - make_interval(days => $2::int)
       WHERE destination_id = $1 AND external_id = 'gst:' || $3`,
      [id, days, gstinOf(1)],
    )
  await age(29)
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 0 })
  await age(31)
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 1 })
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 0 })
  expect(await creditBalance(db(), accountId)).toBe(given - 2)
  const items = await db().query(
    `SELECT refund_reason AS reason, settled_id IS NOT NULL AS settled FROM orders.item
     JOIN orders.purchase USING (order_id) WHERE account_id = $1 ORDER BY position`,
    [accountId],
  )
  expect(items).toEqual([
    { reason: 'refused', settled: false },
    { reason: null, settled: false },
    { reason: null, settled: true },
  ])
  // What was released is owed no more, so nothing sends it.
  await db().transaction((tx) => retryDeliveries(tx, queue, { accountId }))
  await answer(id, ['created'])
  expect(await db().query('SELECT * FROM ledger.violations()')).toEqual([])
  expect(await creditBalance(db(), accountId)).toBe(given - 2)
})

test('a row that one CRM refused is held for as long as another may take it, and spent when that does', async () => {
  const accountId = await createAccount(db(), given)
  const { destination_id: refusing } = await destination(accountId, 'one')
  const { destination_id: waiting } = await destination(accountId, 'two')
  await deliver(await order(accountId, [1]))
  await answer(refusing, ['rejected'])
  await db().execute(`UPDATE deliver.delivery SET updated_at = now() - interval '31 days' WHERE destination_id = $1`, [
    refusing,
  ])
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 0, settledCredits: 0 })
  expect(await creditBalance(db(), accountId)).toBe(given - 1)
  await answer(waiting, ['created'])
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 0, settledCredits: 0 })
  const moved = await db().query(
    `SELECT transfer.kind FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id
     WHERE owner_id = $1 AND order_id IS NOT NULL ORDER BY transfer_id`,
    [accountId],
  )
  expect(moved).toEqual([{ kind: 'hold' }, { kind: 'settle' }])
})

test('what is held for a destination that is gone is spent after a month, and money is earned by what is spent alone', async () => {
  const accountId = await createAccount(db(), 0)
  const paid = { paymentId: accountId, credits: 4, net: 4_000, tax: 720 }
  const sale = {
    credits: 4,
    reference: await takenPayment(db(), accountId, paid),
    net: 4_000,
    tax: 720,
    fee: 0,
    memo: 'x',
  }
  await db().transaction((tx) => sellCredits(tx, accountId, sale))
  const { destination_id: id } = await destination(accountId, 'one')
  await deliver(await order(accountId, [1, 2, 3, 4]))
  await answer(id, ['created', 'rejected', 'rejected', 'rejected'])
  const earned = async () => {
    await closeLedgerDay(db())
    const [lot] = await db().query<{ earned: number; held: number }>(
      'SELECT earned, held FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1',
      [accountId],
    )
    return lot
  }
  expect(await earned()).toEqual({ earned: 1_000, held: 3 })
  await removeDestination({ db: db(), connectors, secretKey }, id)
  expect(await earned()).toEqual({ earned: 1_000, held: 3 })
  await db().execute(`ALTER TABLE ledger.transfer DISABLE TRIGGER USER`)
  await db().execute(`UPDATE ledger.transfer SET created_at = created_at - interval '31 days' WHERE kind = 'hold'`)
  await db().execute(`ALTER TABLE ledger.transfer ENABLE TRIGGER USER`)
  expect(await earned()).toEqual({ earned: 4_000, held: 0 })
  expect(await db().query('SELECT * FROM ledger.violations()')).toEqual([])
})

test('refusals above a share wait for an operator as reports: an accepted one brings its credit, a rejected one spends it', async () => {
  const accountId = await createAccount(db(), given)
  const { destination_id: id } = await destination(accountId, 'one')
  const wanted = Array.from({ length: 24 }, (_, at) => 101 + at)
  for (const serial of wanted) {
    await insertGst(db(), gstinOf(serial))
    await insertContact(db(), 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
  const age = () =>
    db().execute(
      `UPDATE deliver.delivery SET updated_at = now() - interval '31 days' WHERE destination_id = $1 AND state = 'rejected'`,
      [id],
    )
  // As many as any account may have.
  await deliver(await order(accountId, wanted.slice(0, 10)))
  await answer(id, ['rejected'])
  await age()
  expect(await closeLedgerDay(db())).toMatchObject({ reportedRefusals: 0, releasedCredits: 10 })

  const orderId = await order(accountId, wanted.slice(10))
  await deliver(orderId)
  await answer(id, ['rejected', 'rejected', 'created'])
  await age()
  const left = await creditBalance(db(), accountId)
  expect(await closeLedgerDay(db())).toMatchObject({ reportedRefusals: 10, releasedCredits: 0, settledCredits: 0 })
  expect(await closeLedgerDay(db())).toMatchObject({ reportedRefusals: 0, releasedCredits: 0, settledCredits: 0 })
  expect(await creditBalance(db(), accountId)).toBe(left)
  expect(await countOpenReports(db())).toContainEqual({ reportedBy: 'system', reports: 10 })
  const open = { status: 'open', page: 1, limit: 100 } as const
  expect(await listDisputes(db(), { ...open, reportedBy: 'buyer' })).toEqual({ disputes: [], total: 0 })
  const { disputes: reports } = await listDisputes(db(), { ...open, reportedBy: 'system' })
  expect(reports.map(({ order_id }) => order_id)).toEqual(Array(10).fill(orderId))
  // What a decision about all reports of an account is about, before it is made.
  const ofAccount = async (id: string) => (await listDisputes(db(), { ...open, accountId: id })).total
  expect([await ofAccount(accountId), await ofAccount(randomUUID())]).toEqual([10, 0])
  const seen = { note: 'seen', actor: 'operator' } as const
  const accepted = await db().transaction((tx) =>
    decideReportsById(tx, reports[0]?.dispute_id ?? '', { ...seen, accept: true }),
  )
  expect(accepted).toMatchObject({ reason: 'Refused by the CRM: no', status: 'accepted' })
  // The rest at once; what buyers reported is not among them.
  const rest = (reportedBy: 'buyer' | 'system') => (tx: Tx) =>
    decideReports(tx, { accountId, reportedBy, ...seen, accept: false })
  expect(await db().transaction(rest('buyer'))).toEqual({ decided: 0, credits: 0, left: 0 })
  expect(await db().transaction(rest('system'))).toEqual({ decided: 9, credits: 0, left: 0 })
  expect(await countOpenReports(db())).toContainEqual({ reportedBy: 'system', reports: 0 })
  expect(await creditBalance(db(), accountId)).toBe(left + 1)
  expect(await db().query('SELECT * FROM ledger.violations()')).toEqual([])
  await db().transaction(async (tx) => {
    await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
    await tx.execute(`UPDATE ledger.transfer SET created_at = created_at - interval '31 days' WHERE order_id = $1`, [
      orderId,
    ])
  })
  expect(await closeLedgerDay(db())).toMatchObject({ reportedRefusals: 0, releasedCredits: 0, settledCredits: 9 })
  expect(await creditBalance(db(), accountId)).toBe(left + 1)
  expect(await db().query('SELECT * FROM ledger.violations()')).toEqual([])
})

test('a destination that is broken for long keeps no credit for ever: it is spent, and the row goes once it is fixed', async () => {
  const accountId = await createAccount(db(), given)
  const { destination_id: id } = await destination(accountId, 'one')
  const orderId = await order(accountId, [1, 2])
  await deliver(orderId)
  await db().execute(`UPDATE deliver.destination SET status = 'broken' WHERE destination_id = $1`, [id])
  const pass = (days: number) =>
    db().transaction(async (tx) => {
      await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
      await tx.execute(
        'UPDATE ledger.transfer SET created_at = now() - make_interval(days => $2::int) WHERE order_id = $1',
        [orderId, days],
      )
    })
  await pass(89)
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 0, settledCredits: 0 })
  await pass(91)
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 0, settledCredits: 2 })
  expect(await creditBalance(db(), accountId)).toBe(given - 2)
  await db().execute(`UPDATE deliver.destination SET status = 'active' WHERE destination_id = $1`, [id])
  await answer(id, ['created'])
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 0, settledCredits: 0 })
  expect(await creditBalance(db(), accountId)).toBe(given - 2)
  expect(await db().query('SELECT * FROM ledger.violations()')).toEqual([])
})
