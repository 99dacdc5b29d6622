/** Does to the product what a deed says, as the API, the jobs, the operator and the processor's notices do it. */
import { sampleSeller } from '../../../../config/seller.ts'
import type { Db, Tx } from '../../../../src/db/db.ts'
import { AppError } from '../../../../src/errors.ts'
import { buildLeads } from '../../../../src/leads/build-leads.ts'
import { cancelOrder } from '../../../../src/orders/cancel-order.ts'
import { beginCheckout } from '../../../../src/orders/checkouts.ts'
import { closeLedgerDay } from '../../../../src/orders/close-ledger-day.ts'
import { decideDispute, openDispute } from '../../../../src/orders/disputes.ts'
import { grantCredits, refundItems, settleRead } from '../../../../src/orders/ledger.ts'
import { issueRefund } from '../../../../src/orders/payments/issue-refund.ts'
import type { PaymentEvent, PaymentProcessor } from '../../../../src/orders/payments/processor.ts'
import { receiveEvent } from '../../../../src/orders/payments/receive-event.ts'
import { placeOrder } from '../../../../src/orders/place-order.ts'
import { settleReceivable } from '../../../../src/orders/receivables.ts'
import { refundOrder } from '../../../../src/orders/refund-order.ts'
import type { JobSender } from '../../../../src/queue/queue.ts'
import { gstinOf } from '../world.ts'
import { answerOfCrm, letPass, sendToCrm, switchHolding } from './crm.ts'
import type { Answer, Deed } from './deeds.ts'

const queue: JobSender = { send: async () => 'not run' }
export const creditPaise = 137
const provider = 'model'

/** Takes whatever is asked of it, at once. */
export const processor: PaymentProcessor = {
  ...{ provider, creditPaise, seller: sampleSeller, disputeHold: 'lost' },
  begin: async ({ orderId, amount }) => ({ provider, id: `order_${orderId}`, amount, currency: 'INR', key_id: 'key' }),
  readEvent: () => ({ name: 'other', kind: 'other' }),
  readAgain: () => undefined,
  listPaymentsFor: async () => [],
  refundsOf: async () => [],
  refund: async ({ paymentId, amount, requestId }) => ({
    ...{ refundId: `rfnd_${requestId}`, paymentId, amount, currency: 'INR', cause: 'refund', requestId },
  }),
}

/** @param first the connections of the first try, which may be cut. */
export async function perform(db: Db, accountId: string, deed: Deed, first: Db = db): Promise<Answer> {
  try {
    return await carryOut(db, first, accountId, deed)
  } catch (error) {
    if (error instanceof AppError) return { ended: error.code }
    throw error
  }
}

async function carryOut(all: Db, db: Db, accountId: string, deed: Deed): Promise<Answer> {
  const within = (work: (tx: Tx) => Promise<unknown>) => db.transaction(work).then(() => done)
  const tell = (event: PaymentEvent, payment: string, back?: string) => received(all, db, event, payment, back)
  const actor = 'operator' as const
  switch (deed.kind) {
    case 'grant': {
      const endsAt = deed.days === null ? null : new Date(Date.now() + deed.days * 86_400_000)
      return within((tx) =>
        grantCredits(tx, accountId, deed.credits, `${deed.reference} ${accountId}`, { endsAt, actor }),
      )
    }
    case 'buy': {
      const wanted = { product: 'pack', credits: deed.credits, amount: deed.paise, validDays: deed.days, terms: null }
      const made = await beginCheckout(db, processor, accountId, wanted, async (_tx, checkout) => checkout)
      return { ended: 'done', id: made.checkoutId, paymentOrder: made.payment?.id ?? '' }
    }
    case 'order': {
      const items = deed.serials.map((serial) => ({ type: 'gst' as const, name: 'X', number: gstinOf(serial) }))
      const asked = { accountId, orderName: 'life', paymentOption: deed.isOnline ? 'online' : 'credits', items }
      const placed = await placeOrder(db, queue, { onlineLabel: 'online', payments: processor }, asked)
      if (placed.payment) return { ended: 'done', id: placed.orderId, paymentOrder: placed.payment.id }
      await build(all, placed.orderId)
      return { ended: 'done', id: placed.orderId }
    }
    case 'cancel':
      return cancelOrder(db, accountId, deed.order).then(() => done)
    case 'tell paid':
      return tell({ name: 'paid', kind: 'paid', payment: deed.notice }, deed.notice.paymentId)
    case 'refund in the dashboard':
      return done
    case 'tell refund': {
      const refund = { refundId: deed.id, paymentId: deed.payment, amount: deed.paise, currency: 'INR' }
      return tell({ name: 'back', kind: 'repaid', refund: { ...refund, cause: 'refund' } }, deed.payment, deed.id)
    }
    case 'tell dispute': {
      const { id: disputeId, payment: paymentId, paise: amount, state, taken } = deed
      const dispute = { disputeId, paymentId, amount, state, deducted: taken, currency: 'INR' }
      return tell({ name: 'dispute', kind: 'disputed', dispute }, paymentId, disputeId)
    }
    case 'give money back': {
      const asked = { of: deed.payment, reference: deed.reference, reason: 'asked for', actor }
      const rows = { amount: deed.paise ?? undefined, items: deed.rows ?? undefined }
      const made = await issueRefund({ db, queue, processor }, { ...asked, ...rows })
      return { ended: made.status, id: made.refund_id ?? '', tax: await taxOfNote(all, made.refund_id ?? '') }
    }
    case 'read':
      return settleRead(db, deed.order).then(() => done)
    case 'crm':
      return answerOfCrm(db, deed).then(() => done)
    case 'give credits back':
      return within((tx) => refundOrder(tx, { orderId: deed.order, items: deed.rows, reason: 'bad', actor }))
    case 'report': {
      const asked = { orderId: deed.order, index: deed.row, reason: 'bounces' }
      return { ended: 'done', id: (await db.transaction((tx) => openDispute(tx, accountId, asked))).dispute_id }
    }
    case 'decide':
      return within(async (tx) => {
        const disputeId = await reportOf(tx, deed)
        return decideDispute(tx, { disputeId, accept: deed.accept, note: 'seen', actor })
      })
    case 'settle debt': {
      const asked = {
        kind: deed.way,
        amount: deed.paise,
        reference: `${deed.reference} ${accountId}`,
        reason: 'by bank',
        actor,
      }
      return within((tx) => settleReceivable(tx, accountId, asked))
    }
    case 'switch holding':
      return switchHolding(all, accountId, deed.holds).then(() => done)
    case 'pass':
      return letPass(all, accountId, deed.days).then(() => done)
    case 'jobs':
      return closeLedgerDay(db).then(() => done)
  }
}

/** The nightly job reports rows, too, and tells nobody by which id. */
async function reportOf(tx: Tx, { order, row }: { readonly order: string; readonly row: number }): Promise<string> {
  const [report] = await tx.query<{ id: string }>(
    'SELECT dispute_id AS id FROM orders.dispute JOIN orders.item USING (item_id) WHERE order_id = $1 AND position = $2',
    [order, row],
  )
  return report?.id ?? ''
}

const done: Answer = { ended: 'done' }

async function received(all: Db, db: Db, event: PaymentEvent, payment: string, back?: string): Promise<Answer> {
  const eventOrigin = { provider, seller: sampleSeller, disputeHold: 'lost', source: 'webhook' } as const
  const { outcome } = await receiveEvent(db, queue, eventOrigin, event)
  if (outcome === 'paid') await buildPaid(all, payment)
  return { ended: outcome, ...(back === undefined ? {} : { tax: await taxOfNote(all, back) }) }
}

async function taxOfNote(db: Db, back: string): Promise<number> {
  const [note] = await db.query<{ tax: number }>(
    'SELECT cgst + sgst + igst AS tax FROM orders.invoice WHERE reference = $1',
    [`repayment:${provider}:${back}`],
  )
  return note?.tax ?? 0
}

async function buildPaid(db: Db, payment: string): Promise<void> {
  const [order] = await db.query<{ id: string | null }>(
    'SELECT order_id AS id FROM orders.payment WHERE payment_id = $1',
    [payment],
  )
  if (order?.id) await build(db, order.id)
}

/** As the job does it; meanwhile the money may have gone back. */
async function build(db: Db, orderId: string): Promise<void> {
  try {
    await buildLeads(db, { orderId, leadSource: 'Panji', refund: refundItems })
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return
    throw error
  }
  await sendToCrm(db, orderId)
}
