/** What the model makes of a deed, and how the product must answer it. */
import { type Books, isHeld, move, newLot, type Order, openLot, owed, type Payment, type Row, stands } from './books.ts'
import { available, charge, giveBack, owns, settle, withdrawCopies } from './credits.ts'
import type { Answer, Deed } from './deeds.ts'
import { nightlySteps } from './nightly.ts'
import { takeMoneyBack, takePayment, wentBack } from './rupees.ts'

const creditPaise = 137
const reportDays = 30

/** Changes the model. @throws where the product answers otherwise. */
export function foresee(books: Books, deed: Deed, answer: Answer): void {
  const expected = ending(books, deed, answer)
  withdrawCopies(books)
  if (answer.ended !== expected) throw new Error(`${deed.kind} ended as ${answer.ended}, and should as ${expected}`)
}

const orderOf = ({ orders }: Books, id: string): Order => found(orders.find((each) => each.id === id))
const paymentOf = ({ payments }: Books, id: string): Payment => found(payments.find((each) => each.id === id))
function found<T>(one: T | undefined): T {
  if (one === undefined) throw new Error('the model does not know it')
  return one
}

function ending(books: Books, deed: Deed, answer: Answer): string {
  switch (deed.kind) {
    case 'grant': {
      const end = deed.days === null ? Infinity : books.now + deed.days
      const lot = end === Infinity ? openLot(books, 'granted', end, null) : newLot(books, 'granted', end, null)
      lot.total += deed.credits
      return 'done'
    }
    case 'buy': {
      const { credits, paise, days } = deed
      books.payments.push({ ...waiting(answer, paise), of: answer.id ?? '', isOrder: false, credits, days })
      return 'done'
    }
    case 'order':
      return order(books, deed, answer)
    case 'cancel': {
      const chosen = orderOf(books, deed.order)
      if (chosen.state !== 'pending') return 'CONFLICT'
      chosen.state = 'cancelled'
      return 'done'
    }
    case 'tell paid':
      return paid(books, deed)
    case 'refund in the dashboard':
      paymentOf(books, deed.payment).made.push({ id: deed.id, paise: deed.paise })
      return 'done'
    case 'tell refund':
      return refunded(books, deed, answer)
    case 'give money back':
      return givenBack(books, deed, answer)
    case 'tell dispute':
      return disputed(books, deed, answer)
    case 'read': {
      const chosen = orderOf(books, deed.order)
      if (chosen.state === 'paid') settle(books, chosen.rows.filter(stands))
      return 'done'
    }
    case 'crm': {
      const rows = deed.rows
        .map((at) => orderOf(books, deed.order).rows[at])
        .filter((row) => row?.delivery?.state === 'pending')
      for (const row of rows) {
        if (!row || row.refunded !== null || row.isWithdrawn) continue
        row.delivery = { state: deed.answer, at: books.now }
        if (deed.answer === 'acknowledged') settle(books, [row])
      }
      return 'done'
    }
    case 'give credits back':
      return creditsBack(books, deed)
    case 'report':
      return report(books, deed)
    case 'decide': {
      const chosen = orderOf(books, deed.order)
      const row = found(chosen.rows[deed.row])
      if (row.report?.state !== 'open') return 'CONFLICT'
      row.report.state = deed.accept ? 'accepted' : 'rejected'
      if (deed.accept && chosen.state === 'paid') giveBack(books, [row], 'dispute')
      return 'done'
    }
    case 'settle debt':
      if (deed.paise < 1 || deed.paise > owed(books)) return 'CONFLICT'
      move(books, 'receivables', deed.way === 'collect' ? 'payments' : 'losses', deed.paise)
      return 'done'
    case 'switch holding':
      books.holds = deed.holds
      return 'done'
    case 'pass':
      books.now += deed.days
      return 'done'
    case 'jobs':
      for (const step of nightlySteps) step(books)
      return 'done'
  }
}

const waiting = ({ paymentOrder = '' }: Answer, paise: number) => {
  const fee = Math.round((paise * 236) / 10_000)
  return {
    ...{ id: `pay_${paymentOrder}`, paymentOrder, paise, fee, feeTax: Math.round((fee * 18) / 118) },
    ...{ isTaken: false, backs: [], made: [], asked: 0, disputes: [] },
  }
}

function order(books: Books, deed: Extract<Deed, { kind: 'order' }>, answer: Answer): string {
  const rows = deed.serials.map(
    (serial): Row => ({
      ...{ serial, owned: owns(books, serial), charge: null, isSettled: false, refunded: null, isWithdrawn: false },
      ...{ delivery: null, report: null },
    }),
  )
  const asked = rows.filter(({ owned }) => !owned)
  if (!deed.isOnline && asked.length > available(books)) return 'INSUFFICIENT_CREDITS'
  const isPaid = !deed.isOnline || asked.length === 0
  const paymentOrder = isPaid ? null : (answer.paymentOrder ?? '')
  const state = isPaid ? 'paid' : 'pending'
  books.orders.push({ id: answer.id ?? '', rows, state, paidAt: books.now, paymentOrder })
  if (!isPaid) {
    const own = { of: answer.id ?? '', isOrder: true, credits: asked.length, days: null }
    books.payments.push({ ...waiting(answer, asked.length * creditPaise), ...own })
    return 'done'
  }
  if (asked.length > 0) charge(books, asked)
  send(books, rows)
  return 'done'
}

function send(books: Books, rows: readonly Row[]): void {
  for (const row of rows.filter(isHeld)) row.delivery ??= { state: 'pending', at: books.now }
}

function paid(books: Books, { notice }: Extract<Deed, { kind: 'tell paid' }>): string {
  const payment = paymentOf(books, notice.paymentId)
  // Whatever does not fit waits for an operator, and is no error.
  if (notice.amount !== payment.paise || notice.currency !== 'INR') return 'mismatch'
  const outcome = takePayment(books, payment)
  const bought = books.orders.find(({ id }) => payment.isOrder && id === payment.of)
  if (bought && outcome === 'paid') send(books, bought.rows)
  return outcome
}

/** A share of the sum in even paise, as far as they go; whole sums have their whole tax. */
function checkTax(books: Books, payment: Payment, paise: number, tax: number): void {
  const whole = 2 * Math.round((payment.paise * 18) / 236)
  const before = wentBack(payment)
  const taxBefore = payment.backs.reduce((sum, back) => sum + back.tax, 0)
  const part = Math.min(before + paise, payment.paise)
  const isNear = Math.abs(taxBefore + tax - (whole * part) / payment.paise) <= 2
  if (!isNear || (part === payment.paise && taxBefore + tax !== whole))
    throw new Error(`of ${paise} paise that went back ${tax} are tax, after ${taxBefore} of ${whole} at ${books.now}`)
}

function refunded(books: Books, deed: Extract<Deed, { kind: 'tell refund' }>, answer: Answer): string {
  const payment = paymentOf(books, deed.payment)
  if (!payment.isTaken) return 'unknown_order'
  if (payment.backs.some(({ id }) => id === deed.id)) return 'known'
  if (wentBack(payment) + deed.paise > payment.paise) return 'mismatch'
  const tax = answer.tax ?? 0
  checkTax(books, payment, deed.paise, tax)
  takeMoneyBack(books, payment, { id: deed.id, paise: deed.paise, isChargeback: false, tax })
  return 'repaid'
}

type GiveBack = Extract<Deed, { kind: 'give money back' }>

const leftOf = (payment: Payment): number => payment.paise - wentBack(payment) - payment.asked

/** @returns the paise that the processor is asked for, or how the product refuses. */
function paiseAsked(books: Books, deed: GiveBack): number | string {
  const payment = paymentOf(books, deed.payment)
  if (!payment.isTaken) return 'NOT_FOUND'
  const rows = deed.rows?.map((at) => found(orderOf(books, payment.of).rows[at]))
  const own = books.lots.find(({ sale }) => sale === payment.id)
  if (rows?.some((row) => row.charge === null || row.charge.lot !== own?.id || !stands(row))) return 'CONFLICT'
  const atPrice = rows && Math.floor((payment.paise * rows.length) / payment.credits)
  const paise = deed.paise ?? atPrice ?? leftOf(payment)
  return paise < 1 || paise > leftOf(payment) ? 'CONFLICT' : paise
}

function givenBack(books: Books, deed: GiveBack, answer: Answer): string {
  const paise = paiseAsked(books, deed)
  if (typeof paise === 'string') return paise
  const payment = paymentOf(books, deed.payment)
  const rows = deed.rows?.map((at) => found(orderOf(books, payment.of).rows[at]))
  const tax = answer.tax ?? 0
  checkTax(books, payment, paise, tax)
  takeMoneyBack(books, payment, { id: answer.id ?? '', paise, isChargeback: false, tax, ...(rows && { rows }) })
  return 'made'
}

/** Money that an operator asked for, of which less was left when it had gone back: nothing is booked, and the request waits. */
export function overtaken(deed: GiveBack): readonly ((books: Books) => void)[] {
  let asked: number | string = 0
  return [
    (books) => {
      asked = paiseAsked(books, deed)
      if (typeof asked === 'number') paymentOf(books, deed.payment).asked += asked
    },
    (books) => {
      const payment = paymentOf(books, deed.payment)
      if (typeof asked === 'string' || wentBack(payment) + asked <= payment.paise)
        throw new Error(`${deed.kind} ended as asked, and should not`)
    },
  ]
}

function disputed(books: Books, deed: Extract<Deed, { kind: 'tell dispute' }>, answer: Answer): string {
  const payment = paymentOf(books, deed.payment)
  if (!payment.isTaken) return 'unknown_order'
  const known = payment.disputes.find(({ id }) => id === deed.id)
  const isSame = known?.state === deed.state && (deed.state !== 'lost' || known.taken === deed.taken)
  if (known && (isSame || deed.state === 'open')) return 'known'
  if (known && known.state !== 'open') return 'mismatch'
  const told = { state: deed.state, taken: deed.taken }
  if (known) Object.assign(known, told)
  else payment.disputes.push({ id: deed.id, paise: deed.paise, ...told })
  if (deed.state === 'open') return 'disputed'
  if (deed.state !== 'lost') return 'dispute_ended'
  const tax = answer.tax ?? 0
  checkTax(books, payment, deed.taken, tax)
  takeMoneyBack(books, payment, { id: deed.id, paise: deed.taken, isChargeback: true, tax })
  books.isSuspended = true
  return 'charged_back'
}

function creditsBack(books: Books, deed: Extract<Deed, { kind: 'give credits back' }>): string {
  const chosen = orderOf(books, deed.order)
  if (chosen.state !== 'paid') return 'CONFLICT'
  const rows = chosen.rows.filter((_, at) => deed.rows.includes(at))
  const gone = rows.some(
    (row) => row.charge !== null && (row.refunded === 'money_back' || (row.isWithdrawn && row.refunded === null)),
  )
  if (gone && !rows.some(stands)) return 'CONFLICT'
  giveBack(books, rows, 'operator')
  return 'done'
}

function report(books: Books, deed: Extract<Deed, { kind: 'report' }>): string {
  const chosen = orderOf(books, deed.order)
  const row = found(chosen.rows[deed.row])
  const isOpen = chosen.state === 'paid' && stands(row) && row.report === null
  if (!isOpen || chosen.paidAt < books.now - reportDays) return 'CONFLICT'
  row.report = { state: 'open', by: 'buyer' }
  return 'done'
}
