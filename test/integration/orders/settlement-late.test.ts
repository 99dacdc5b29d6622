/**
 * What is asked for once the credit of a row is no longer held, its month being over: released for what a CRM refused and nobody
 * fixed, spent for what no destination was there to take. The clock is put forward under the ledger.
 */
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { PushOutcome } from '../../../connectors/contract.ts'
import { connectors } from '../../../connectors/index.ts'
import { addDestination, removeDestination } from '../../../src/deliver/destinations/destinations.ts'
import { releaseLease, takeLease } from '../../../src/deliver/lease/lease.ts'
import { deliverBuiltOrder } from '../../../src/deliver/push/automatic.ts'
import { enqueueNext } from '../../../src/deliver/push/enqueue.ts'
import { recordPush } from '../../../src/deliver/push/record-push.ts'
import { requestPush } from '../../../src/deliver/push/request-push.ts'
import { claimLeads, takeOver } from '../../../src/deliver/record/ledger.ts'
import { listDeliveries } from '../../../src/deliver/record/list-deliveries.ts'
import { signedReceipt } from '../../../src/deliver/record/receipts.ts'
import { fixRejected } from '../../../src/deliver/record/rejected/fix-rejected.ts'
import { retryDeliveries } from '../../../src/deliver/record/retry.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { closeLedgerDay } from '../../../src/orders/close-ledger-day.ts'
import { decideDispute, openDispute } from '../../../src/orders/disputes.ts'
import { creditBalance, refundItems } from '../../../src/orders/ledger.ts'
import { placeOrder } from '../../../src/orders/place-order.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { draws } from '../../support/figures.ts'
import { createAccount, gstinOf, insertContact, insertGst } from './world.ts'

const database = useTestDatabase()
const queue = recordJobs()
const db = () => database.db
const secretKey = new Secret('a key of sixteen characters or more')
const given = 20

beforeAll(async () => {
  for (const serial of [1, 2, 3]) {
    await insertGst(db(), gstinOf(serial))
    await insertContact(db(), 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
})

const settings = { access_token: 'pat-na1-00000000-0000-0000-0000-000000000000' }
const destinationOf = async (accountId: string, name = 'one', deliver = 'automatic') => {
  const wanted = { accountId, connector: 'hubspot', name, deliver, settings }
  return (await addDestination(db(), connectors, secretKey, wanted)).destination_id
}

async function order(accountId: string, serials: readonly number[]): Promise<string> {
  const items = serials.map((serial) => ({ type: 'gst' as const, name: 'X', number: gstinOf(serial) }))
  const request = { accountId, orderName: 'n', paymentOption: 'credits', items }
  const { orderId } = await placeOrder(db(), queue, { onlineLabel: 'online' }, request)
  await buildLeads(db(), { orderId, leadSource: 'Panji', refund: refundItems })
  await deliverBuiltOrder(db(), queue, orderId)
  return orderId
}

const push = (orderId: string, destinationId: string) =>
  db().transaction((tx) => requestPush(tx, queue, { orderId, destinationId }))

/** One holder's batch. @returns how many leads were handed to the CRM. */
async function answer(destinationId: string, outcome: PushOutcome): Promise<number> {
  while (await enqueueNext(db(), destinationId));
  const lease = await takeLease(db(), destinationId)
  if (!lease) throw new Error('somebody else holds the destination')
  await takeOver(db(), lease)
  const leads = await claimLeads(db(), lease, 50)
  if (leads.length > 0) await recordPush(db(), lease, { leads, outcomes: leads.map(() => outcome), written: new Map() })
  await releaseLease(db(), lease)
  return leads.length
}

const refused: PushOutcome = { status: 'rejected', code: 'INVALID_EMAIL', field: 'email', message: 'no' }
const created: PushOutcome = { status: 'created', crmId: '7', values: {} }

/** All that waits for the end of its month grew so much older. */
async function pass(days: number): Promise<void> {
  const ago = `- make_interval(days => ${days})`
  await db().execute(`UPDATE deliver.delivery SET updated_at = updated_at ${ago}`)
  await db().execute('ALTER TABLE ledger.transfer DISABLE TRIGGER USER')
  await db().execute(`UPDATE ledger.transfer SET created_at = created_at ${ago} WHERE kind = 'hold'`)
  await db().execute('ALTER TABLE ledger.transfer ENABLE TRIGGER USER')
}

const movements = (accountId: string) =>
  db().query<{ id: number; kind: string; amount: number }>(
    `SELECT transfer_id AS id, transfer.kind, amount FROM ledger.transfer JOIN ledger.account ON ledger_account_id = customer_id
     WHERE owner_id = $1 AND order_id IS NOT NULL ORDER BY transfer_id`,
    [accountId],
  )
const kindsOf = async (accountId: string) => (await movements(accountId)).map(({ kind }) => kind)
const deliveriesOf = async (accountId: string, orderId: string) =>
  (await listDeliveries(db(), { accountId, orderId, limit: 50, offset: 0 })).deliveries
const sound = async () => expect(await db().query('SELECT * FROM ledger.violations()')).toEqual([])

// The ledger is kept of all accounts at once: what another test left is over before its figures are counted.
beforeEach(async () => {
  await pass(31)
  await closeLedgerDay(db())
})

test('a fix that comes after the release changes nothing: the row is sent nowhere, costs nothing and has no receipt', async () => {
  const accountId = await createAccount(db(), given)
  const destinationId = await destinationOf(accountId)
  const orderId = await order(accountId, [1])
  expect(await answer(destinationId, refused)).toBe(1)
  const [row] = await deliveriesOf(accountId, orderId)
  const deliveryId = row?.delivery_id ?? ''
  await pass(31)
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 1, settledCredits: 0 })
  expect(await kindsOf(accountId)).toEqual(['hold', 'release'])
  expect(await creditBalance(db(), accountId)).toBe(given)

  const values = { Email: 'office@example.in' }
  expect(await db().transaction((tx) => fixRejected(tx, queue, [{ deliveryId, values }], accountId))).toEqual({
    ...{ fixed: 0, unchanged: 0, not_rejected: 1 },
  })
  await db().transaction((tx) => retryDeliveries(tx, queue, { accountId }))
  await push(orderId, destinationId).catch((error) => expect(error).toMatchObject({ code: 'NOT_FOUND' }))
  expect(await answer(destinationId, created)).toBe(0)
  expect(await deliveriesOf(accountId, orderId), 'it says why it waits for nothing').toMatchObject([
    { outcome: 'rejected', code: 'WITHDRAWN' },
  ])
  await expect(signedReceipt(db(), secretKey, deliveryId, accountId)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await kindsOf(accountId)).toEqual(['hold', 'release'])
  await sound()
})

test('what was released is bought anew, held anew and spent once it is acknowledged, as its receipt says', async () => {
  const accountId = await createAccount(db(), given)
  const destinationId = await destinationOf(accountId)
  await order(accountId, [1])
  await answer(destinationId, refused)
  await pass(31)
  await closeLedgerDay(db())
  const again = await order(accountId, [1])
  expect(await answer(destinationId, created)).toBe(1)
  expect(await kindsOf(accountId)).toEqual(['hold', 'release', 'hold', 'settle'])
  const [row] = await deliveriesOf(accountId, again)
  const { receipt } = await signedReceipt(db(), secretKey, row?.delivery_id ?? '', accountId)
  expect(receipt).toMatchObject({ outcome: 'created', ledger_transfer: (await movements(accountId)).at(-1)?.id })
  expect(await creditBalance(db(), accountId)).toBe(given - 1)
  await sound()
})

test('what was refused by a destination that is gone since is released, and one that comes later does not get it', async () => {
  const accountId = await createAccount(db(), given)
  const first = await destinationOf(accountId)
  const orderId = await order(accountId, [1, 2])
  expect(await answer(first, refused)).toBe(2)
  await removeDestination({ db: db(), connectors, secretKey }, first)
  await pass(29)
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 0, settledCredits: 0 })
  await pass(2)
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 2, settledCredits: 0 })
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 0, settledCredits: 0 })
  const later = await destinationOf(accountId, 'two', 'manual')
  await push(orderId, later).catch((error) => expect(error).toMatchObject({ code: 'NOT_FOUND' }))
  expect(await answer(later, created)).toBe(0)
  expect(await kindsOf(accountId)).toEqual(['hold', 'release', 'release'])
  expect(await creditBalance(db(), accountId)).toBe(given)
  await sound()
})

test('a row whose report was rejected is spent when its CRM refuses it afterwards, or a buyer could have every row released', async () => {
  const accountId = await createAccount(db(), given)
  const destinationId = await destinationOf(accountId)
  const orderId = await order(accountId, [1])
  const report = { orderId, index: 0, reason: 'nobody answers' }
  const { dispute_id: disputeId } = await db().transaction((tx) => openDispute(tx, accountId, report))
  const decision = { disputeId, accept: false, note: 'they do', actor: 'operator' } as const
  await db().transaction((tx) => decideDispute(tx, decision))
  expect(await answer(destinationId, refused)).toBe(1)
  await pass(31)
  await closeLedgerDay(db())
  expect(await kindsOf(accountId)).toEqual(['hold', 'settle'])
  expect(await creditBalance(db(), accountId)).toBe(given - 1)
  await sound()
})

test('an order whose destination went before it was asked is spent after its month, and delivered later with a receipt', async () => {
  const accountId = await createAccount(db(), given)
  const first = await destinationOf(accountId)
  const orderId = await order(accountId, [1, 2, 3])
  await removeDestination({ db: db(), connectors, secretKey }, first)
  await pass(31)
  expect(await closeLedgerDay(db())).toMatchObject({ releasedCredits: 0, settledCredits: 3 })
  expect(await movements(accountId)).toMatchObject([
    { kind: 'hold', amount: 3 },
    { kind: 'settle', amount: 3 },
  ])
  const later = await destinationOf(accountId, 'two', 'manual')
  await push(orderId, later)
  expect(await answer(later, created)).toBe(3)
  expect(await kindsOf(accountId)).toEqual(['hold', 'settle'])
  const [row] = await deliveriesOf(accountId, orderId)
  const { receipt } = await signedReceipt(db(), secretKey, row?.delivery_id ?? '', accountId)
  expect(receipt).toMatchObject({ outcome: 'created', ledger_transfer: (await movements(accountId)).at(-1)?.id })
  expect(await creditBalance(db(), accountId)).toBe(given - 3)
  await sound()
})

const moves = ['refuse', 'create', 'month', 'fix', 'retry', 'push', 'remove', 'add'] as const

test('in any order of months, fixes, removed and added destinations no row is charged twice, and none that came back is spent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...moves), { minLength: 5, maxLength: 12 }), async (steps) => {
      const accountId = await createAccount(db(), given)
      let here: string | null = await destinationOf(accountId)
      const orderId = await order(accountId, [1, 2, 3])
      for (const [n, move] of steps.entries()) {
        if (move === 'month') {
          await pass(31)
          await closeLedgerDay(db())
        } else if (move === 'fix') {
          const rows = await deliveriesOf(accountId, orderId)
          const fixed = rows.map(({ delivery_id: deliveryId }) => ({ deliveryId, values: { City: `Goa ${n}` } }))
          await db().transaction((tx) => fixRejected(tx, queue, fixed, accountId))
        } else if (move === 'retry') await db().transaction((tx) => retryDeliveries(tx, queue, { accountId }))
        else if (move === 'add') here ??= await destinationOf(accountId, `added ${n}`)
        else if (here !== null && move === 'push')
          await push(orderId, here).catch((error) => expect(error).toMatchObject({ code: 'NOT_FOUND' }))
        else if (here !== null && move === 'remove') {
          await removeDestination({ db: db(), connectors, secretKey }, here)
          here = null
        } else if (here !== null) await answer(here, move === 'refuse' ? refused : created)
        await sound()
      }
      const [books] = await db().query<{ held: number; spent: number; back: number; twice: number }>(
        `SELECT count(*) FILTER (WHERE settled_id IS NULL AND refunded_at IS NULL)::int AS held,
           count(*) FILTER (WHERE settled_id IS NOT NULL)::int AS spent,
           count(*) FILTER (WHERE refunded_at IS NOT NULL)::int AS back,
           count(*) FILTER (WHERE settled_id IS NOT NULL AND refunded_at IS NOT NULL)::int AS twice
         FROM orders.item WHERE order_id = $1`,
        [orderId],
      )
      const { held = 0, spent = 0, back = 0 } = books ?? {}
      expect([held + spent + back, books?.twice]).toEqual([3, 0])
      expect(await creditBalance(db(), accountId)).toBe(given - held - spent)
    }),
    { numRuns: draws(12), endOnFailure: true },
  )
})
