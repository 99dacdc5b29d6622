/**
 * The whole life of orders against a plain model, in any order: grants, revocations, orders with credits and online,
 * payments, cancellations, refunds, reports, late contacts, lots that end, orders that expire. After each step the
 * database and the model agree, and every invariant of the books is proved.
 */

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { sampleSeller } from '../../../config/seller.ts'
import { cancelOrder } from '../../../src/orders/cancel-order.ts'
import { creditStatement } from '../../../src/orders/credit-statement.ts'
import { decideDispute, openDispute } from '../../../src/orders/disputes.ts'
import { keepBooks } from '../../../src/orders/keep-books.ts'
import { type CreditType, creditBalance, grantCredits, revokeCredits } from '../../../src/orders/ledger.ts'
import type { PaymentProcessor } from '../../../src/orders/payments/processor.ts'
import { receiveEvent } from '../../../src/orders/payments/receive-event.ts'
import { placeOrder } from '../../../src/orders/place-order.ts'
import { reclaimOrder } from '../../../src/orders/reclaim-order.ts'
import { refundOrder } from '../../../src/orders/refund-order.ts'
import { recordJobs } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { createAccount, gstinOf, insertContact, insertGst } from './world.ts'

const database = useTestDatabase()
const queue = recordJobs()
const serialsPerRun = 8
const runs = 20
let payments = 0
const processor: PaymentProcessor = {
  provider: 'model',
  creditPaise: 100,
  seller: sampleSeller,
  begin: async ({ amount }) => ({
    ...{ provider: 'model', id: `order_${++payments}`, amount, currency: 'INR', key_id: 'key' },
  }),
  readEvent: () => ({ name: 'other', kind: 'other' }),
  paymentsOf: async () => [],
  refundsOf: async () => [],
  refund: async () => undefined,
}

interface Lot {
  readonly type: CreditType
  /** Days until its end; infinity: none. */
  readonly days: number
  total: number
  used: number
  ended: boolean
  id: number
}
interface Item {
  readonly serial: number
  readonly owned: boolean
  lot: Lot | undefined
  refunded: 'no_contact' | 'dispute' | 'operator' | undefined
  disputed: Set<unknown>
  /** Which charge it is: a reclaimed item is charged anew. */
  charge: number
}
interface ModelOrder {
  readonly id: string
  readonly items: Item[]
  readonly payment: string | undefined
  state: 'pending' | 'completed' | 'cancelled'
}
interface Model {
  readonly lots: Lot[]
  readonly orders: ModelOrder[]
  readonly reachable: Set<number>
  readonly disputes: { readonly id: string; readonly item: Item; readonly charge: number; open: boolean }[]
  moves: number
}
interface Real {
  readonly accountId: string
  readonly first: number
}
type Step = fc.AsyncCommand<Model, Real>

const available = ({ lots }: Model) => lots.reduce((sum, lot) => sum + (lot.ended ? 0 : lot.total - lot.used), 0)
const owns = (model: Model, serial: number) =>
  model.orders.some(
    ({ state, items }) =>
      state === 'completed' && items.some((item) => item.serial === serial && item.lot && !item.refunded),
  )

/** Whoever spends first lets go what has ended. */
function expire({ lots }: Model): void {
  for (const lot of lots) if (lot.ended) lot.total = lot.used
}
function give(model: Model, type: CreditType, days: number, credits: number, id: number): void {
  const lot = model.lots.find((each) => each.id === id)
  if (lot) lot.total += credits
  else model.lots.push({ type, days, total: credits, used: 0, ended: false, id })
}
function take(model: Model, credits: number, move: (lot: Lot) => void): void {
  expire(model)
  const order = model.lots
    .filter(({ ended }) => !ended)
    .sort((a, b) => (a.days === b.days ? a.id - b.id : a.days - b.days))
  for (let left = credits; left > 0; left--) {
    const lot = order.find((each) => each.total > each.used)
    if (!lot) throw new Error('the model has too few credits')
    move(lot)
  }
}
function charge(model: Model, items: readonly Item[]): void {
  const paying = items.values()
  take(model, items.length, (lot) => {
    lot.used += 1
    const item = paying.next().value
    if (item) {
      item.lot = lot
      item.refunded = undefined
      item.charge += 1
    }
  })
}
function refund(item: Item, reason: NonNullable<Item['refunded']>): boolean {
  if (!item.lot || item.refunded) return false
  item.lot.used -= 1
  item.refunded = reason
  return true
}
const refundUnreached = (model: Model, items: readonly Item[]) => {
  for (const item of items) if (!item.owned && !model.reachable.has(item.serial)) refund(item, 'no_contact')
}

async function compare(model: Model, { accountId }: Real): Promise<void> {
  expect(await database.db.query('SELECT * FROM ledger.violations()')).toEqual([])
  expect(await creditBalance(database.db, accountId)).toBe(available(model))
  const used = (await creditStatement(database.db, accountId)).reduce((sum, { used_credits }) => sum + used_credits, 0)
  expect(used).toBe(model.lots.reduce((sum, lot) => sum + lot.used, 0))
  const rows = await database.db.query<{
    order: string
    place: number
    owned: boolean
    charged: boolean
    reason: string | null
    state: string
  }>(
    `SELECT order_id AS order, position AS place, already_owned AS owned, charge_id IS NOT NULL AND refunded_at IS NULL AS charged,
            refund_reason AS reason, purchase.status AS state
     FROM orders.item JOIN orders.purchase USING (order_id) WHERE account_id = $1 ORDER BY order_id, position`,
    [accountId],
  )
  const expected = model.orders
    .flatMap(({ id, items, state }) =>
      items.map((item, place) => ({
        ...{ order: id, place, owned: item.owned, state },
        ...{ charged: item.lot !== undefined && item.refunded === undefined, reason: item.refunded ?? null },
      })),
    )
    .sort((a, b) => (a.order === b.order ? a.place - b.place : a.order < b.order ? -1 : 1))
  expect(rows).toEqual(expected)
  // Charged items = delivered − owned − refunded.
  const paid = rows.filter(({ state }) => state === 'completed')
  const count = (of: (row: (typeof rows)[number]) => boolean) => paid.filter(of).length
  expect(count(({ charged }) => charged)).toBe(
    paid.length - count(({ owned }) => owned) - count(({ reason }) => reason !== null),
  )
}

/** A step that runs where the model lets it, and then compares. */
const step = (name: string, run: (model: Model, real: Real) => Promise<void>): Step => ({
  check: () => true,
  run: async (model, real) => {
    model.moves += 1
    await run(model, real)
    await compare(model, real)
  },
  toString: () => name,
})
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(list.length, 1)]
const inTx = <T>(work: (tx: Parameters<Parameters<typeof database.db.transaction<T>>[0]>[0]) => Promise<T>) =>
  database.db.transaction(work)

const grant = fc
  .record({
    credits: fc.integer({ min: 1, max: 6 }),
    type: fc.constantFrom<CreditType>('purchased', 'plan', 'granted'),
    days: fc.constantFrom(10, 40, Infinity),
  })
  .map(({ credits, type, days }) =>
    step(`grant ${credits} ${type} for ${days} days`, async (model, { accountId }) => {
      const endsAt = days === Infinity ? null : new Date(Date.UTC(2999, 0, days))
      const reference = `model:${accountId}:${model.moves}`
      const { lotId } = await inTx((tx) => grantCredits(tx, accountId, credits, reference, { type, endsAt }))
      give(model, type, days, credits, lotId)
      expect((await inTx((tx) => grantCredits(tx, accountId, credits, reference, { type, endsAt }))).applied).toBe(
        false,
      )
    }),
  )
const revoke = fc.integer({ min: 1, max: 5 }).map((credits) =>
  step(`revoke ${credits}`, async (model, { accountId }) => {
    const revoking = inTx((tx) => revokeCredits(tx, accountId, credits, `less:${accountId}:${model.moves}`))
    if (credits > available(model)) return expect(revoking).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    await revoking
    take(model, credits, (lot) => {
      lot.total -= 1
    })
  }),
)
const order = fc
  .record({
    serials: fc.uniqueArray(fc.nat({ max: serialsPerRun - 1 }), { minLength: 1, maxLength: 4 }),
    online: fc.boolean(),
  })
  .map(({ serials, online }) =>
    step(`${online ? 'online order' : 'order'} ${serials.join(',')}`, async (model, { accountId, first }) => {
      const items = serials.map(
        (serial): Item => ({
          serial,
          owned: owns(model, serial),
          lot: undefined,
          refunded: undefined,
          disputed: new Set(),
          charge: 0,
        }),
      )
      const asked = items.filter(({ owned }) => !owned)
      const placing = placeOrder(
        database.db,
        queue,
        { onlineLabel: 'online', payments: processor },
        {
          accountId,
          orderName: 'model',
          paymentOption: online ? 'online' : 'credits',
          items: serials.map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(first + serial) })),
        },
      )
      if (!online && asked.length > available(model)) {
        return expect(placing).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
      }
      const placed = await placing
      const waits = online && asked.length > 0
      expect(placed.totalAmount).toBe(asked.length)
      model.orders.push({
        id: placed.orderId,
        items,
        payment: placed.payment?.id,
        state: waits ? 'pending' : 'completed',
      })
      if (waits) return
      if (asked.length > 0) charge(model, asked)
      refundUnreached(model, items)
    }),
  )
const pay = fc.nat().map((at) =>
  step('pay', async (model, { accountId }) => {
    const waiting = pick(
      model.orders.filter(({ payment }) => payment !== undefined),
      at,
    )
    if (!waiting) return
    const asked = waiting.items.filter(({ owned }) => !owned)
    const notice = {
      paymentId: `pay_${waiting.id}_${waiting.state}`,
      paymentOrderId: waiting.payment ?? '',
      amount: asked.length * 100,
      currency: 'INR',
      fee: 0,
    }
    const teller = { provider: 'model', seller: sampleSeller, source: 'webhook' as const }
    const tell = () => receiveEvent(database.db, queue, teller, { name: 'paid', kind: 'paid', payment: notice })
    const { outcome: told } = await tell()
    expect(await tell()).toMatchObject({ outcome: 'known' })
    if (told === 'known') return
    const [lot] = await database.db.query<{ id: number }>(
      `SELECT lot_id AS id FROM ledger.lot JOIN ledger.account USING (ledger_account_id) WHERE owner_id = $1 AND type = 'purchased' AND ends_at IS NULL`,
      [accountId],
    )
    give(model, 'purchased', Infinity, asked.length, lot?.id ?? 0)
    if (waiting.state !== 'pending') return expect(told).toBe('credited')
    expect(told).toBe('paid')
    waiting.state = 'completed'
    charge(model, asked)
    refundUnreached(model, waiting.items)
  }),
)
const cancel = fc.nat().map((at) =>
  step('cancel', async (model, { accountId }) => {
    const chosen = pick(model.orders, at)
    if (!chosen) return
    const cancelling = cancelOrder(database.db, accountId, chosen.id)
    if (chosen.state !== 'pending') return expect(cancelling).rejects.toMatchObject({ code: 'CONFLICT' })
    await cancelling
    chosen.state = 'cancelled'
  }),
)
const giveBack = fc
  .record({ at: fc.nat(), items: fc.option(fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 2 })) })
  .map(({ at, items }) =>
    step('refund by an operator', async (model) => {
      const chosen = pick(model.orders, at)
      if (!chosen) return
      const indexes = items?.filter((index) => index < chosen.items.length)
      if (indexes?.length === 0) return
      const refunding = inTx((tx) =>
        refundOrder(tx, { orderId: chosen.id, items: indexes ?? undefined, reason: 'model', actor: 'operator' }),
      )
      if (chosen.state !== 'completed') return expect(refunding).rejects.toMatchObject({ code: 'CONFLICT' })
      const back = chosen.items.filter((item, index) => (indexes?.includes(index) ?? true) && refund(item, 'operator'))
      expect((await refunding).refunded).toBe(back.length)
    }),
  )
const dispute = fc.record({ at: fc.nat(), item: fc.nat() }).map(({ at, item: place }) =>
  step('dispute', async (model, { accountId }) => {
    const chosen = pick(model.orders, at)
    const item = chosen && pick(chosen.items, place)
    if (!chosen || !item) return
    const index = chosen.items.indexOf(item)
    const opening = inTx((tx) => openDispute(tx, accountId, { orderId: chosen.id, index, reason: 'model' }))
    if (!item.lot || item.refunded || item.disputed.has(item.charge))
      return expect(opening).rejects.toMatchObject({ code: 'CONFLICT' })
    item.disputed.add(item.charge)
    model.disputes.push({ id: (await opening).dispute_id, item, charge: item.charge, open: true })
  }),
)
const decide = fc.record({ at: fc.nat(), accept: fc.boolean() }).map(({ at, accept }) =>
  step(accept ? 'accept' : 'reject', async (model) => {
    const chosen = pick(model.disputes, at)
    if (!chosen) return
    const deciding = inTx((tx) => decideDispute(tx, { disputeId: chosen.id, accept, note: 'model', actor: 'operator' }))
    if (!chosen.open) return expect(deciding).rejects.toMatchObject({ code: 'CONFLICT' })
    await deciding
    chosen.open = false
    if (accept && chosen.item.charge === chosen.charge) refund(chosen.item, 'dispute')
  }),
)
const contact = fc.nat({ max: serialsPerRun - 1 }).map((serial) =>
  step(`contact of ${serial}`, async (model, { first }) => {
    if (model.reachable.has(serial)) return
    await insertContact(database.db, 'gst', gstinOf(first + serial), { email: `late${first + serial}@example.in` })
    model.reachable.add(serial)
  }),
)
const reclaim = fc.nat().map((at) =>
  step('reclaim', async (model, { accountId }) => {
    const chosen = pick(model.orders, at)
    if (!chosen) return
    const reclaiming = reclaimOrder(database.db, queue, { accountId, orderId: chosen.id })
    if (chosen.state !== 'completed') return expect(reclaiming).rejects.toMatchObject({ code: 'CONFLICT' })
    const late = chosen.items.filter(
      (item) => item.refunded === 'no_contact' && model.reachable.has(item.serial) && !owns(model, item.serial),
    )
    if (late.length > available(model))
      return expect(reclaiming).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    expect((await reclaiming).credits).toBe(late.length)
    if (late.length > 0) charge(model, late)
  }),
)
const endLot = fc.nat().map((at) =>
  step('a lot ends', async (model) => {
    const lot = pick(
      model.lots.filter(({ ended, days }) => !ended && days !== Infinity),
      at,
    )
    if (!lot) return
    // Only the clock can do that, so the guard is left out for once.
    await inTx(async (tx) => {
      await tx.execute(`SET LOCAL session_replication_role = 'replica'`)
      await tx.execute('UPDATE ledger.lot SET ends_at = clock_timestamp() WHERE lot_id = $1', [lot.id])
    })
    lot.ended = true
  }),
)
const night = fc.constant(
  step('the night', async (model) => {
    await keepBooks(database.as('panji_worker'))
    expire(model)
  }),
)

beforeAll(async () => {
  // Half of the records of each run can be reached from the start.
  for (let serial = 0; serial < (runs + 1) * serialsPerRun; serial++) {
    await insertGst(database.db, gstinOf(serial))
    if (serial % 2 === 0) await insertContact(database.db, 'gst', gstinOf(serial), { email: `gst${serial}@example.in` })
  }
})

test('over any life of its orders an account has what a plain model says, and the books hold every invariant', {
  timeout: 600_000,
}, async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.commands(
        [
          grant,
          grant,
          revoke,
          order,
          order,
          order,
          pay,
          pay,
          cancel,
          giveBack,
          dispute,
          decide,
          contact,
          reclaim,
          endLot,
          night,
        ],
        { maxCommands: 40, size: '+1' },
      ),
      async (commands) => {
        const first = (run++ % (runs + 1)) * serialsPerRun
        // A shrunk run meets the records of the one before it: only their contacts are taken back.
        await database.db.execute(`DELETE FROM registry.contact WHERE email = ANY ($1)`, [
          Array.from({ length: serialsPerRun }, (_, serial) => `late${first + serial}@example.in`),
        ])
        const accountId = await createAccount(database.db)
        const reachable = new Set(
          Array.from({ length: serialsPerRun }, (_, serial) => serial).filter((serial) => (first + serial) % 2 === 0),
        )
        const setup = () => ({
          model: { lots: [], orders: [], reachable, disputes: [], moves: 0 },
          real: { accountId, first },
        })
        await fc.asyncModelRun(setup, commands)
      },
    ),
    { numRuns: runs },
  )
})
