/** What happens next: any deed, at any time, of anything that there is. */

import type { Draw } from '../../../support/draw.ts'
import { type Books, isHeld, type Order, owed, type Payment } from './books.ts'
import type { Deed } from './deeds.ts'
import { wentBack } from './rupees.ts'

export const serials = 24
const ordersWaiting = 4
const purchasesWaiting = 6

type Chooser = (books: Books, draw: Draw) => Deed | undefined

const places = (draw: Draw, { rows }: Order): number[] => rows.map((_, at) => at).filter(() => draw.oneIn(2))

const grant: Chooser = ({ moves }, draw) => ({
  ...{
    kind: 'grant',
    credits: 1 + draw.below(6),
    days: draw.of([null, 5.3, 41.7]) ?? null,
    reference: `grant ${moves}`,
  },
})

const buy: Chooser = ({ payments }, draw) => {
  if (payments.filter((each) => !each.isOrder && !each.isTaken).length >= purchasesWaiting) return undefined
  const credits = 1 + draw.below(12)
  return { kind: 'buy', credits, paise: credits * (90 + draw.below(60)), days: draw.of([3, 40, 365]) ?? 365 }
}

const order: Chooser = ({ orders }, draw) => {
  const isOnline = draw.oneIn(3)
  if (isOnline && orders.filter(({ state }) => state === 'pending').length >= ordersWaiting) return undefined
  const from = draw.below(serials)
  const chosen = Array.from({ length: 1 + draw.below(6) }, (_, at) => (from + at * 5) % serials)
  return { kind: 'order', serials: [...new Set(chosen)], isOnline }
}

const cancel: Chooser = ({ orders }, draw) => {
  const chosen = draw.of(orders.filter(({ paymentOrder }) => paymentOrder !== null))
  return chosen && { kind: 'cancel', order: chosen.id }
}

const reportPaid: Chooser = ({ payments }, draw) => {
  const open = payments.filter(({ isTaken }) => !isTaken)
  const payment = draw.of(open.length > 0 && !draw.oneIn(6) ? open : payments)
  if (!payment) return undefined
  const { id: paymentId, paymentOrder: paymentOrderId, paise, fee, feeTax } = payment
  const amount = draw.oneIn(12) ? paise + 1 : paise
  const currency = draw.oneIn(20) ? 'USD' : 'INR'
  return { kind: 'tell paid', notice: { paymentId, paymentOrderId, amount, currency, fee, feeTax } }
}

const taken = ({ payments }: Books): Payment[] => payments.filter(({ isTaken }) => isTaken)
const part = (draw: Draw, paise: number): number => Math.max(1, Math.floor(paise / (draw.of([1, 1, 2, 3]) ?? 1)))

const makeRefund: Chooser = (books, draw) => {
  const payment = draw.of(books.payments)
  if (!payment) return undefined
  const rest = payment.paise - wentBack(payment)
  // Sometimes more than there is: a mistake of somebody's.
  const paise = rest > 0 && !draw.oneIn(8) ? part(draw, rest) : part(draw, payment.paise)
  return { kind: 'refund in the dashboard', payment: payment.id, id: `made ${books.moves} ${payment.id}`, paise }
}

const reportRefund: Chooser = ({ payments }, draw) => {
  const payment = draw.of(payments.filter(({ made }) => made.length > 0))
  const made = payment && draw.of(payment.made)
  return made && { kind: 'tell refund', payment: payment.id, ...made }
}

const giveMoneyBack: Chooser = (books, draw) => {
  const payment = draw.of(books.payments)
  if (!payment) return undefined
  const bought = books.orders.find(({ id }) => payment.isOrder && id === payment.of)
  const rows = bought && draw.oneIn(2) ? places(draw, bought) : []
  const paise = draw.oneIn(2) ? null : part(draw, payment.paise - wentBack(payment))
  const named = rows.length > 0 ? rows : null
  return { kind: 'give money back', payment: payment.id, reference: `${payment.id} ${books.moves}`, paise, rows: named }
}

const reportDispute: Chooser = (books, draw) => {
  const payment = draw.of(draw.oneIn(10) ? books.payments : taken(books))
  if (!payment) return undefined
  const known = draw.oneIn(4) ? undefined : draw.of(payment.disputes)
  const state = draw.of(['open', 'open', 'won', 'lost', 'lost', 'closed'] as const) ?? 'open'
  const paise = known?.paise ?? part(draw, payment.paise)
  const dispute = { id: known?.id ?? `disp ${books.moves} ${payment.id}`, paise, state }
  return { kind: 'tell dispute', payment: payment.id, ...dispute, taken: state === 'lost' ? part(draw, paise) : 0 }
}

const paidOrders = ({ orders }: Books) => orders.filter(({ state }) => state === 'paid')

const read: Chooser = (books, draw) => {
  const held = books.orders.filter(({ rows }) => rows.some(isHeld))
  const chosen = draw.of(held.length > 0 ? held : paidOrders(books))
  return chosen && { kind: 'read', order: chosen.id }
}

const crm: Chooser = ({ orders }, draw) => {
  const chosen = draw.of(orders.filter(({ rows }) => rows.some(({ delivery }) => delivery?.state === 'pending')))
  const answer = draw.oneIn(2) ? 'acknowledged' : 'rejected'
  return chosen && { kind: 'crm', order: chosen.id, rows: places(draw, chosen), answer }
}

const giveCreditsBack: Chooser = (books, draw) => {
  const chosen = draw.of(draw.oneIn(5) ? books.orders : paidOrders(books))
  return chosen && { kind: 'give credits back', order: chosen.id, rows: places(draw, chosen) }
}

const report: Chooser = (books, draw) => {
  const chosen = draw.of(draw.oneIn(5) ? books.orders : paidOrders(books))
  return chosen && { kind: 'report', order: chosen.id, row: draw.below(chosen.rows.length) }
}

const decide: Chooser = ({ orders }, draw) => {
  const reported = orders.flatMap(({ id, rows }) =>
    rows.flatMap(({ report }, row) => (report ? [{ order: id, row }] : [])),
  )
  const chosen = draw.of(reported)
  return chosen && { kind: 'decide', ...chosen, accept: draw.oneIn(2) }
}

const settleDebt: Chooser = (books, draw) => {
  if (owed(books) === 0) return undefined
  const way = draw.oneIn(2) ? 'collect' : 'write_off'
  return { kind: 'settle debt', way, paise: part(draw, owed(books)), reference: `debt ${books.moves}` }
}

/** None of what is compared with a day may lie so near that seconds of real time decide. */
function edges({ lots, orders }: Books): number[] {
  return [
    ...lots.flatMap(({ end }) => [end, end - 30]),
    ...orders.flatMap(({ paidAt, rows }) => [
      paidAt + 2,
      paidAt + 30,
      ...rows.flatMap(({ charge, delivery }) => [
        ...(charge ? [1, 30, 90].map((days) => charge.at + days) : []),
        ...(delivery ? [delivery.at + 30] : []),
      ]),
    ]),
  ]
}

const pass: Chooser = (books, draw) => {
  let days = draw.of([1.37, 7.13, 12.71, 29.53, 33.91]) ?? 1.37
  const isNear = (at: number) => Math.abs(at - books.now - days) < 0.03
  while (edges(books).some(isNear)) days += 0.07
  return { kind: 'pass', days }
}

const choosers: readonly Chooser[] = [
  ...[grant, buy, buy, order, order, order, order, order, cancel, reportPaid, reportPaid, reportPaid, reportPaid],
  ...[
    makeRefund,
    reportRefund,
    reportRefund,
    giveMoneyBack,
    giveMoneyBack,
    reportDispute,
    reportDispute,
    reportDispute,
  ],
  ...[read, crm, crm, giveCreditsBack, report, decide, settleDebt, pass, pass],
  (_books, draw) => ({ kind: 'switch holding', holds: !draw.oneIn(3) }),
  ...Array.from({ length: 4 }, (): Chooser => () => ({ kind: 'jobs' })),
]

export function choose(books: Books, draw: Draw): Deed {
  return draw.of(choosers)?.(books, draw) ?? choose(books, draw)
}
