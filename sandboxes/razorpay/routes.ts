/** The documented calls of Orders, Payments and Refunds, on the sandbox's state. */
import { z } from 'zod'
import { parseJson, type WireAnswer, type WireCall } from '../kit.ts'
import { newId, nowSeconds, type SandboxPayment, type SandboxState } from './state.ts'

/** An event caused by a call, for the notices that follow. */
export interface Happening {
  readonly event: string
  readonly payload: Readonly<Record<string, { readonly entity: unknown }>>
}
type Report = (happening: Happening) => void

const NewOrder = z.object({
  amount: z.int(),
  currency: z.literal('INR'),
  receipt: z.string().max(40).optional(),
  notes: z.record(z.string(), z.string()).optional(),
})
const NewRefund = z.object({
  amount: z.int().positive().optional(),
  receipt: z.string().max(40).optional(),
})
const amountMin = 100

export function route(state: SandboxState, { method, path, headers, text }: WireCall, report: Report): WireAnswer {
  const { keyId, keySecret } = state.credentials
  if (headers.authorization !== `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`) {
    return refused(401, 'Authentication failed')
  }
  const { pathname, searchParams } = new URL(path, 'http://sandbox')
  const [, , kind = '', id = '', part = ''] = pathname.split('/')
  switch (`${method} ${kind}${id && '/:id'}${part && `/${part}`}`) {
    case 'POST orders':
      return createOrder(state, parseJson(text))
    case 'GET orders/:id':
      return found(state.orders.find((order) => order.id === id))
    case 'GET orders/:id/payments':
      return collection(state.payments.filter((payment) => payment.order_id === id))
    case 'GET payments/:id':
      return found(state.payments.find((payment) => payment.id === id))
    case 'GET payments/:id/refunds':
      return newest(
        state.refunds.filter((refund) => refund.payment_id === id),
        searchParams,
      )
    case 'POST payments/:id/refund':
      return refundOnce(state, id, { key: headers['x-refund-idempotency'], text }, report)
    case 'GET refunds/:id':
      return found(state.refunds.find((each) => each.id === id))
    default:
      return refused(404, 'The requested URL was not found on the server.')
  }
}

/** A person pays, or the attempt fails. @returns undefined if the order does not exist or is already paid. */
export function pay(
  state: SandboxState,
  orderId: string,
  { method, succeeds }: { readonly method: string; readonly succeeds: boolean },
  report: Report,
): SandboxPayment | undefined {
  const order = state.orders.find(({ id }) => id === orderId)
  if (!order || order.status === 'paid') return undefined
  // Two per cent, including 18 % tax.
  const charge = Math.round(order.amount * 0.02)
  const tax = Math.round(charge * 0.18)
  const payment: SandboxPayment = {
    id: newId('pay'),
    entity: 'payment',
    amount: order.amount,
    currency: order.currency,
    status: succeeds ? 'captured' : 'failed',
    order_id: order.id,
    method,
    captured: succeeds,
    amount_refunded: 0,
    refund_status: null,
    fee: succeeds ? charge + tax : 0,
    tax: succeeds ? tax : 0,
    error_code: succeeds ? null : 'BAD_REQUEST_ERROR',
    created_at: nowSeconds(),
  }
  state.payments.push(payment)
  order.attempts += 1
  order.status = succeeds ? 'paid' : 'attempted'
  if (succeeds) {
    order.amount_paid = order.amount
    order.amount_due = 0
  }
  const payload = { payment: { entity: { ...payment } } }
  if (!succeeds) report({ event: 'payment.failed', payload })
  else {
    report({ event: 'payment.captured', payload })
    report({ event: 'order.paid', payload: { ...payload, order: { entity: { ...order } } } })
  }
  return payment
}

function createOrder(state: SandboxState, body: unknown): WireAnswer {
  const parsed = NewOrder.safeParse(body)
  if (!parsed.success)
    return refused(400, 'The request is invalid', String(parsed.error.issues[0]?.path[0] ?? 'amount'))
  const { amount, currency, receipt = null, notes = {} } = parsed.data
  if (amount < amountMin) return refused(400, 'Order amount less than minimum amount allowed', 'amount')
  const sums = { amount, amount_paid: 0, amount_due: amount, currency }
  const facts = { receipt, status: 'created' as const, attempts: 0, notes, created_at: nowSeconds() }
  const order = { id: newId('order'), entity: 'order' as const, ...sums, ...facts }
  state.orders.push(order)
  return { status: 200, body: order }
}

/** A repeated request with the same key gets the same refund; a different request with that key is refused. */
function refundOnce(
  state: SandboxState,
  paymentId: string,
  { key, text }: { readonly key: string | string[] | undefined; readonly text: string },
  report: Report,
): WireAnswer {
  const known = typeof key === 'string' ? state.refundKeys[key] : undefined
  if (known) {
    if (known.paymentId !== paymentId || known.asked !== text) {
      return refused(400, 'Different request with the same idempotency key has already been processed.')
    }
    return { status: 200, body: state.refunds.find(({ id }) => id === known.refundId) }
  }
  const answer = refund(state, paymentId, parseJson(text) ?? {}, report)
  const made = state.refunds.at(-1)
  if (answer.status === 200 && made && typeof key === 'string') {
    state.refundKeys[key] = { paymentId, asked: text, refundId: made.id }
  }
  return answer
}

function refund(state: SandboxState, paymentId: string, body: unknown, report: Report): WireAnswer {
  const payment = state.payments.find(({ id }) => id === paymentId)
  if (!payment) return refused(400, 'The id provided does not exist')
  const parsed = NewRefund.safeParse(body)
  if (!parsed.success) return refused(400, 'The amount must be an integer.', 'amount')
  const left = payment.amount - payment.amount_refunded
  const amount = parsed.data.amount ?? left
  if (!payment.captured || left === 0) return refused(400, 'The payment has been fully refunded already')
  if (amount > left) return refused(400, 'The refund amount provided is greater than amount captured', 'amount')
  payment.amount_refunded += amount
  payment.refund_status = amount === left ? 'full' : 'partial'
  if (amount === left) payment.status = 'refunded'
  const made = {
    id: newId('rfnd'),
    entity: 'refund' as const,
    amount,
    currency: payment.currency,
    payment_id: payment.id,
    receipt: parsed.data.receipt ?? null,
    status: 'processed' as const,
    created_at: nowSeconds(),
  }
  state.refunds.push(made)
  report({ event: 'refund.processed', payload: { refund: { entity: made }, payment: { entity: { ...payment } } } })
  return { status: 200, body: made }
}

const found = (entity: unknown): WireAnswer =>
  entity === undefined ? refused(400, 'The id provided does not exist') : { status: 200, body: entity }
const collection = (items: readonly unknown[]): WireAnswer => ({
  status: 200,
  body: { entity: 'collection', count: items.length, items },
})

/** The newest first, ten unless the call says how many. */
function newest(items: readonly unknown[], asked: URLSearchParams): WireAnswer {
  const [count, skip] = [Number(asked.get('count') ?? 10), Number(asked.get('skip') ?? 0)]
  return collection(items.toReversed().slice(skip, skip + Math.min(count, 100)))
}

export function refused(status: number, description: string, field: string | null = null): WireAnswer {
  const facts = { source: 'business', step: 'payment_initiation', reason: 'input_validation_failed', field }
  const code = status >= 500 ? 'SERVER_ERROR' : 'BAD_REQUEST_ERROR'
  return { status, body: { error: { code, description, ...facts, metadata: {} } } }
}
