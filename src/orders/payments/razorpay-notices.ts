/**
 * Translates Razorpay's notices of payments, refunds and disputes. A signed notice about money that cannot be parsed
 * is reported as `unread` with the ids that it contains; one that is not about money needs no parsing.
 */
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type {
  DisputeNotice,
  DisputeState,
  PaymentEvent,
  PaymentNotice,
  RefundNotice,
  ReportedFact,
} from './processor.ts'

export const id = z.string().min(1).max(100)
export const Payment = z.object({
  id,
  order_id: z.string().max(100).nullable(),
  amount: z.int().positive(),
  currency: z.string().max(10),
  status: z.string(),
  captured: z.boolean().optional(),
  /** Including its tax. */
  fee: z.int().min(0).nullish(),
  tax: z.int().min(0).nullish(),
})
export const Refund = z.object({
  id,
  payment_id: id,
  amount: z.int().positive(),
  currency: z.string().max(10),
  status: z.string(),
  receipt: z.string().nullish(),
})
const Dispute = z.object({
  id,
  payment_id: id,
  amount: z.int().positive(),
  amount_deducted: z.int().min(0).optional(),
  currency: z.string().max(10),
  reason_code: z.string().max(100).nullish(),
  respond_by: z.int().positive().nullish(),
})

const Notice = z.object({ event: z.string().min(1).max(100), payload: z.unknown() })
const OfPayment = z.object({ payment: z.object({ entity: Payment }) })
const OfRefund = z.object({ refund: z.object({ entity: Refund }) })
const OfDispute = z.object({ dispute: z.object({ entity: Dispute }) })

/** @throws AppError BAD_REQUEST if it is not a notice. */
export function eventOf(json: unknown): PaymentEvent {
  const notice = Notice.safeParse(json)
  if (!notice.success) throw new AppError('BAD_REQUEST', 'The signed body is not a notice.')
  const { event: name, payload } = notice.data
  const state = stateOfDispute[name]
  if (['order.paid', 'payment.captured'].includes(name)) {
    const { success, data, error } = OfPayment.safeParse(payload)
    if (!success) return unread(name, payload, error)
    const payment = arrived(data.payment.entity)
    return payment ? { name, kind: 'paid', payment } : { name, kind: 'other' }
  }
  const ofRefund = kindOfRefund[name]
  if (ofRefund) {
    const { success, data, error } = OfRefund.safeParse(payload)
    return success ? { name, kind: ofRefund, refund: refunded(data.refund.entity) } : unread(name, payload, error)
  }
  if (state) {
    const { success, data, error } = OfDispute.safeParse(payload)
    if (!success) return unread(name, payload, error)
    return { name, kind: 'disputed', dispute: disputed(data.dispute.entity, state) }
  }
  return { name, kind: 'other' }
}

const idsNamed = 5
const faultsReportedMax = 3

/** With the ids it contains, which the processor's dashboard can search for. */
function unread(name: string, payload: unknown, { issues }: z.ZodError): PaymentEvent {
  const ids = new Set((JSON.stringify(payload) ?? '').match(/(?<=")(?:pay|order|rfnd|disp)_\w{1,40}(?="(?!:))/g))
  const faults = issues.slice(0, faultsReportedMax).map(({ path, message }) => `${path.join('.')}: ${message}`)
  const named = ids.size === 0 ? 'no id' : [...ids].slice(0, idsNamed).join(', ')
  return { name, kind: 'unread', why: `${name} has another shape (${faults.join('; ')}). It names ${named}.` }
}

const stateOfDispute: Readonly<Record<string, DisputeState>> = {
  'payment.dispute.created': 'open',
  'payment.dispute.under_review': 'open',
  'payment.dispute.action_required': 'open',
  'payment.dispute.won': 'won',
  'payment.dispute.lost': 'lost',
  'payment.dispute.closed': 'closed',
}

const kindOfRefund: Readonly<Record<string, 'repaid' | 'refund_failed'>> = {
  'refund.processed': 'repaid',
  'refund.failed': 'refund_failed',
}

/** `amount` in the log is what was taken for a lost dispute, otherwise what is disputed. */
export function eventAgain({ name, refundId, detail, ...fact }: ReportedFact): PaymentEvent | undefined {
  const state = stateOfDispute[name]
  if (state) {
    const dispute = { ...fact, disputeId: refundId, state, deducted: fact.amount, reason: detail ?? undefined }
    return { name, kind: 'disputed', dispute }
  }
  return name === 'refund.processed'
    ? { name, kind: 'repaid', refund: { ...fact, refundId, cause: 'refund' } }
    : undefined
}

function disputed(dispute: z.infer<typeof Dispute>, state: DisputeState): DisputeNotice {
  const { id: disputeId, payment_id: paymentId, amount, amount_deducted: deducted, currency } = dispute
  const { reason_code: reason, respond_by: respondBy } = dispute
  return {
    ...{ disputeId, paymentId, state, amount, deducted: deducted || amount, currency, reason: reason ?? undefined },
    ...(respondBy && { respondBy: new Date(respondBy * 1000) }),
  }
}

/** A payment that has been refunded since had arrived too. @returns undefined if no money arrived. */
export function arrived(payment: z.infer<typeof Payment>): PaymentNotice | undefined {
  const { id: paymentId, order_id, amount, currency, status, captured, fee, tax } = payment
  if (!order_id || !(status === 'captured' || (status === 'refunded' && captured))) return undefined
  return { paymentId, paymentOrderId: order_id, amount, currency, fee: fee ?? 0, feeTax: Math.min(tax ?? 0, fee ?? 0) }
}

export function refunded(refund: z.infer<typeof Refund>): RefundNotice {
  const { id: refundId, payment_id: paymentId, amount, currency, receipt } = refund
  return { refundId, paymentId, amount, currency, cause: 'refund', requestId: receipt ?? undefined }
}
