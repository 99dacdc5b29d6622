/**
 * Razorpay as a payment processor: its Orders API, payments and refunds, and its webhook, signed with HMAC-SHA256
 * over the raw body. The buyer pays in Razorpay's own checkout, so no card data reaches Panji.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Seller } from '../../../config/seller.ts'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import type { DisputeHold, ListedRefund, PaymentProcessor } from './processor.ts'
import { callRazorpay, jsonOf, processorAway } from './razorpay-call.ts'
import { arrived, eventAgain, eventOf, id, Payment, Refund, refunded } from './razorpay-notices.ts'

export interface RazorpaySettings {
  readonly keyId: string
  readonly keySecret: Secret
  /** The current secret and, during a rotation, the previous one. */
  readonly webhookSecrets: readonly Secret[]
  /** Paise per credit, tax included. */
  readonly creditPaise: number
  readonly seller: Seller | undefined
  /** Default: off. */
  readonly disputeHold?: DisputeHold | undefined
  /** `https://api.razorpay.com` */
  readonly baseUrl: string
  /** Base address of the sandbox's payment page for each order; Razorpay itself has none. */
  readonly payPages?: string
}

const provider = 'razorpay'

/** The most that it lists at once. */
const pageMax = 100

const stateOfRefund: Readonly<Record<string, ListedRefund['state']>> = { processed: 'made', failed: 'failed' }

const CreatedOrder = z.object({ id, amount: z.int(), currency: z.literal('INR') })
const Payments = z.object({ items: z.array(Payment) })
const Refunds = z.object({ items: z.array(Refund) })

export function razorpay(settings: RazorpaySettings): PaymentProcessor {
  const authorization = `Basic ${Buffer.from(`${settings.keyId}:${settings.keySecret.reveal()}`).toString('base64')}`
  const call = (method: 'GET' | 'POST', path: string, body?: object, headers: Record<string, string> = {}) =>
    callRazorpay({ method, url: `${settings.baseUrl}/v1/${path}`, authorization, headers, ...(body ? { body } : {}) })
  const listed = async <T extends z.ZodType>(shape: T, path: string): Promise<z.output<T>> => {
    const answer = shape.safeParse(await call('GET', path))
    if (!answer.success) throw processorAway(answer.error)
    return answer.data
  }
  return {
    provider,
    creditPaise: settings.creditPaise,
    seller: settings.seller,
    disputeHold: settings.disputeHold,
    async begin({ orderId, amount }) {
      const created = CreatedOrder.safeParse(
        await call('POST', 'orders', { amount, currency: 'INR', receipt: orderId }),
      )
      if (!created.success || created.data.amount !== amount) throw processorAway(created.error)
      const { id: paymentOrderId } = created.data
      const page = settings.payPages && { page_url: `${settings.payPages}/${encodeURIComponent(paymentOrderId)}` }
      return { provider, id: paymentOrderId, amount, currency: 'INR', key_id: settings.keyId, ...page }
    },
    readEvent(body, signature) {
      const isOurs = settings.webhookSecrets.map((secret) => isSigned(secret, body, signature)).includes(true)
      if (!isOurs) {
        throw new AppError('WEBHOOK_SIGNATURE_INVALID', 'The signature of this notice does not match its body.')
      }
      return eventOf(jsonOf(body))
    },
    readAgain: eventAgain,
    async listPaymentsFor(paymentOrderId) {
      const { items } = await listed(Payments, `orders/${encodeURIComponent(paymentOrderId)}/payments`)
      return items.flatMap((payment) => arrived(payment) ?? [])
    },
    async refundsOf(paymentId) {
      const path = `payments/${encodeURIComponent(paymentId)}/refunds?count=${pageMax}`
      const items: z.output<typeof Refund>[] = []
      for (;;) {
        const page = await listed(Refunds, `${path}&skip=${items.length}`)
        items.push(...page.items)
        if (page.items.length < pageMax) break
      }
      return items.map((refund) => ({ ...refunded(refund), state: stateOfRefund[refund.status] ?? 'pending' }))
    },
    async refund({ paymentId, amount, requestId }) {
      const path = `payments/${encodeURIComponent(paymentId)}/refund`
      const made = Refund.safeParse(
        await call('POST', path, { amount, receipt: requestId }, { 'x-refund-idempotency': requestId }),
      )
      if (!made.success || made.data.amount !== amount) throw processorAway(made.error)
      if (made.data.status === 'failed') {
        throw new AppError('PAYMENT_REFUSED', 'The payment processor could not make this refund: it failed there.')
      }
      return made.data.status === 'processed' ? refunded(made.data) : undefined
    },
  }
}

/** Compares in constant time, over bytes of equal length. */
function isSigned(secret: Secret, body: string, signature: string | undefined): boolean {
  const expected = createHmac('sha256', secret.reveal()).update(body).digest()
  const given = /^[0-9a-f]{64}$/i.test(signature ?? '') ? Buffer.from(signature ?? '', 'hex') : Buffer.alloc(32)
  return timingSafeEqual(expected, given)
}
