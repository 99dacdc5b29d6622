/** Orders with credits and online, cancelled, refunded, reported, and reclaimed once a contact came. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { orderTerms } from '../../../../config/plans.ts'
import { cancelOrder } from '../../../../src/orders/cancel-order.ts'
import { decideDispute, openDispute } from '../../../../src/orders/disputes.ts'
import { placeOrder } from '../../../../src/orders/place-order.ts'
import { reclaimOrder } from '../../../../src/orders/reclaim-order.ts'
import { refundOrder } from '../../../../src/orders/refund-order.ts'
import { gstinOf, insertContact } from '../world.ts'
import {
  available,
  charge,
  chargedItems,
  complete,
  creditPaise,
  type Item,
  isLate,
  type Order,
  owns,
  refund,
} from './model.ts'
import { act, pick, queue, refused, step, within } from './real.ts'

export const serialsPerLife = 8
const dies = fc.option(fc.nat({ max: 9 }), { freq: 3 })

export const order = fc
  .record({
    serials: fc.uniqueArray(fc.nat({ max: serialsPerLife - 1 }), { minLength: 1, maxLength: 4 }),
    online: fc.boolean(),
    dies,
  })
  .map(({ serials, online, dies }) =>
    step(`${online ? 'online order' : 'order'} ${serials.join(',')}`, async (model, real) => {
      const { accountId, processor, first } = real
      const items = serials.map(
        (serial): Item => ({
          ...{
            serial,
            owned: owns(model, serial),
            lot: undefined,
            refunded: undefined,
            disputed: new Set(),
            charge: 0,
            reclaimedAt: undefined,
            isWithdrawn: false,
          },
        }),
      )
      const asked = items.filter(({ owned }) => !owned).length
      const placing = act({ model, real, dies }, (db) =>
        placeOrder(
          db,
          queue,
          { onlineLabel: 'online', payments: processor },
          {
            ...{ accountId, orderName: 'model', paymentOption: online ? 'online' : 'credits' },
            items: serials.map((serial) => ({ type: 'gst', name: 'X', number: gstinOf(first + serial) })),
          },
        ),
      )
      if (!online && asked > available(model)) return refused(placing, 'INSUFFICIENT_CREDITS')
      const { orderId, totalAmount, payment } = await placing
      expect(totalAmount).toBe(asked)
      const placed: Order = {
        ...{ id: orderId, items, createdAt: model.now, paidAt: Infinity, state: 'pending', isMoneyBack: false },
      }
      model.orders.push(placed)
      if (!payment) return complete(model, placed)
      model.payments.push({
        ...{
          id: orderId,
          order: placed,
          paymentOrder: payment.id,
          paymentId: `pay_${orderId}`,
          amount: asked * creditPaise,
        },
        ...{ isPaid: false, isTaken: false, term: undefined, lot: undefined, refunds: [] },
      })
    }),
  )

export const cancel = fc.record({ at: fc.nat(), dies }).map(({ at, dies }) =>
  step('cancel an order', async (model, real) => {
    const chosen = pick(model.orders, at)
    if (!chosen) return
    const cancelling = act({ model, real, dies }, (db) => cancelOrder(db, real.accountId, chosen.id))
    if (chosen.state !== 'pending') return refused(cancelling, 'CONFLICT')
    await cancelling
    chosen.state = 'cancelled'
  }),
)

export const giveBack = fc
  .record({ at: fc.nat(), items: fc.option(fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 2 })), dies })
  .map(({ at, items, dies }) =>
    step('refund by an operator', async (model, real) => {
      const chosen = pick(model.orders, at)
      if (!chosen) return
      const indexes = items?.filter((index) => index < chosen.items.length)
      if (indexes?.length === 0) return
      const refunding = act(
        { model, real, dies },
        within((tx) =>
          refundOrder(tx, { orderId: chosen.id, items: indexes ?? undefined, reason: 'model', actor: 'operator' }),
        ),
      )
      if (chosen.state !== 'completed' || chosen.isMoneyBack) return refused(refunding, 'CONFLICT')
      const asked = chosen.items.filter((_, index) => indexes?.includes(index) ?? true)
      const gone = asked.some((item) => item.isWithdrawn && item.lot && !item.refunded)
      const back = asked.filter((item) => refund(model, item, 'operator'))
      if (gone && back.length === 0) return refused(refunding, 'CONFLICT')
      const { refunded } = await refunding
      expect(refunded).toBe(back.length)
    }),
  )

export const dispute = fc.record({ at: fc.nat(), item: fc.nat(), dies }).map(({ at, item: place, dies }) =>
  step('report an item', async (model, real) => {
    const chosen = pick(model.orders, at)
    const item = chosen && pick(chosen.items, place)
    if (!chosen || !item) return
    const report = { orderId: chosen.id, index: chosen.items.indexOf(item), reason: 'model' }
    const opening = act(
      { model, real, dies },
      within((tx) => openDispute(tx, real.accountId, report)),
    )
    const isOpen = item.lot && !item.refunded && !item.disputed.has(item.charge) && !item.isWithdrawn
    if (!isOpen || isLate(model, chosen, orderTerms.disputes.days, item)) return refused(opening, 'CONFLICT')
    const { dispute_id: id } = await opening
    item.disputed.add(item.charge)
    model.disputes.push({ id, order: chosen, item, charge: item.charge, isOpen: true })
  }),
)

export const decide = fc.record({ at: fc.nat(), accept: fc.boolean(), dies }).map(({ at, accept, dies }) =>
  step(accept ? 'accept a report' : 'reject a report', async (model, real) => {
    const chosen = pick(model.disputes, at)
    if (!chosen) return
    const decision = { disputeId: chosen.id, accept, note: 'model', actor: 'operator' } as const
    const deciding = act(
      { model, real, dies },
      within((tx) => decideDispute(tx, decision)),
    )
    if (!chosen.isOpen) return refused(deciding, 'CONFLICT')
    await deciding
    chosen.isOpen = false
    if (accept && chosen.item.charge === chosen.charge && !chosen.order.isMoneyBack)
      refund(model, chosen.item, 'dispute')
  }),
)

export const contact = fc.nat({ max: serialsPerLife - 1 }).map((serial) =>
  step(`contact of ${serial}`, async (model, { database, first }) => {
    if (model.reachable.has(serial)) return
    await insertContact(database.db, 'gst', gstinOf(first + serial), { email: `late${first + serial}@example.in` })
    model.reachable.add(serial)
  }),
)

export const reclaim = fc.record({ at: fc.nat(), dies }).map(({ at, dies }) =>
  step('reclaim', async (model, real) => {
    const chosen = pick(model.orders, at)
    if (!chosen) return
    const asked = { accountId: real.accountId, orderId: chosen.id }
    const reclaiming = act({ model, real, dies }, (db) => reclaimOrder(db, queue, asked))
    const isOpen = chosen.state === 'completed' && !chosen.isMoneyBack
    if (!isOpen || isLate(model, chosen, orderTerms.reclaimDays)) return refused(reclaiming, 'CONFLICT')
    const unreached = chargedItems(chosen).filter(({ refunded }) => refunded === 'no_contact')
    const open = unreached.filter(({ isWithdrawn }) => !isWithdrawn)
    if (open.length === 0 && unreached.length > 0) return refused(reclaiming, 'CONFLICT')
    const late = open.filter(({ serial }) => model.reachable.has(serial) && !owns(model, serial))
    if (late.length > available(model)) return refused(reclaiming, 'INSUFFICIENT_CREDITS')
    expect((await reclaiming).credits).toBe(late.length)
    if (late.length > 0) charge(model, late)
    for (const item of late) item.reclaimedAt = model.now
  }),
)
