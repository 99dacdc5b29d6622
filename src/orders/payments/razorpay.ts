/**
 * Razorpay behind the payment port: an order of its Orders API per order of ours, and its webhook, signed with
 * HMAC-SHA256 over the raw body. The buyer pays in Razorpay's own checkout; no card data comes near us.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { request } from 'undici'
import { z } from 'zod'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import type { PaymentProcessor } from './processor.ts'

export interface RazorpaySettings {
  readonly keyId: string
  readonly keySecret: Secret
  readonly webhookSecret: Secret
  /** Paise per credit. */
  readonly creditPaise: number
  /** `https://api.razorpay.com` */
  readonly baseUrl: string
}

const provider = 'razorpay'
const timeoutMs = 10_000
const answerBytesMax = 65_536

const CreatedOrder = z.object({ id: z.string().min(1).max(100), amount: z.int(), currency: z.literal('INR') })

/** Of the many kinds of notice these two mean money; both carry the payment. */
const paidEvents = ['order.paid', 'payment.captured']
const Notice = z.object({
  event: z.string(),
  payload: z.object({
    payment: z
      .object({
        entity: z.object({
          id: z.string().min(1).max(100),
          order_id: z.string().max(100).nullable(),
          amount: z.int(),
          currency: z.string().max(10),
          status: z.string(),
        }),
      })
      .optional(),
  }),
})

export function razorpay(settings: RazorpaySettings): PaymentProcessor {
  const authorization = `Basic ${Buffer.from(`${settings.keyId}:${settings.keySecret.reveal()}`).toString('base64')}`
  return {
    provider,
    async begin({ orderId, credits }) {
      const amount = credits * settings.creditPaise
      const asked = { amount, currency: 'INR', receipt: orderId }
      const created = CreatedOrder.safeParse(await post(`${settings.baseUrl}/v1/orders`, authorization, asked))
      if (!created.success || created.data.amount !== amount) throw unavailable(created.error)
      return { provider, id: created.data.id, amount, currency: 'INR', key_id: settings.keyId }
    },
    readNotice(body, signature) {
      const expected = createHmac('sha256', settings.webhookSecret.reveal()).update(body).digest()
      if (!isSigned(expected, signature)) {
        throw new AppError('WEBHOOK_SIGNATURE_INVALID', 'The signature of this notice does not fit its body.')
      }
      const notice = Notice.safeParse(jsonOf(body))
      if (!notice.success) throw new AppError('BAD_REQUEST', 'The notice is signed but has another shape.')
      const payment = notice.data.payload.payment?.entity
      if (!payment?.order_id || !paidEvents.includes(notice.data.event) || payment.status !== 'captured')
        return undefined
      const { id: paymentId, order_id: paymentOrderId, amount, currency } = payment
      return { paymentId, paymentOrderId, amount, currency }
    },
  }
}

/** In constant time, over bytes of one length. */
function isSigned(expected: Buffer, signature: string | undefined): boolean {
  const given = /^[0-9a-f]{64}$/i.test(signature ?? '') ? Buffer.from(signature ?? '', 'hex') : Buffer.alloc(32)
  return timingSafeEqual(expected, given)
}

async function post(url: string, authorization: string, body: object): Promise<unknown> {
  try {
    const reply = await request(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await reply.body.text()
    if (reply.statusCode !== 200 || text.length > answerBytesMax)
      throw unavailable(new Error(`status ${reply.statusCode}`))
    return jsonOf(text)
  } catch (cause) {
    throw cause instanceof AppError ? cause : unavailable(cause)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError('PAYMENT_UNAVAILABLE', 'The payment processor does not answer. Nothing was charged; try again.', {
    cause,
    retry: 'later',
    retryAfterSeconds: 10,
  })
}
