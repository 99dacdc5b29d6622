/** A Razorpay double for tests: its Orders API over HTTP, and signed notices in its format. */

import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sampleSeller } from '../../config/seller.ts'
import { Secret } from '../../src/domain/secret.ts'
import type { RazorpaySettings } from '../../src/orders/payments/razorpay.ts'

export interface FakeProcessor {
  readonly settings: RazorpaySettings
  /** Bodies of the requested orders, with their Authorization header. */
  readonly asked: { readonly authorization: string | undefined; readonly body: Record<string, unknown> }[]
  /** The response to the next order, instead of success. */
  fail: { readonly status: number; readonly body: string } | undefined
  close(): Promise<void>
}

const webhookSecret = 'webhook-secret-of-the-tests'

export async function startProcessor(): Promise<FakeProcessor> {
  const asked: FakeProcessor['asked'] = []
  const server: Server = createServer((request, response) => {
    void text(request).then((body) => {
      const order = JSON.parse(body) as Record<string, unknown>
      asked.push({ authorization: request.headers.authorization, body: order })
      const failure = fake.fail
      fake.fail = undefined
      response.writeHead(failure?.status ?? 200, { 'content-type': 'application/json' })
      response.end(failure?.body ?? JSON.stringify({ ...order, id: `order_${asked.length}`, status: 'created' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fake: FakeProcessor = {
    asked,
    fail: undefined,
    settings: {
      keyId: 'rzp_test_key',
      keySecret: new Secret('key-secret-of-the-tests'),
      webhookSecrets: [new Secret(webhookSecret)],
      creditPaise: 500,
      seller: sampleSeller,
      baseUrl: `http://127.0.0.1:${port}`,
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
  return fake
}

export interface PaymentMade {
  readonly orderId: string
  readonly amount: number
  readonly paymentId?: string
  readonly event?: string
  readonly status?: string
  readonly currency?: string
}

/** The body of a notice that a payment arrived. */
export function noticeOf({ orderId, amount, paymentId = `pay_${orderId}`, ...rest }: PaymentMade): string {
  const { event = 'order.paid', status = 'captured', currency = 'INR' } = rest
  const payment = { entity: { id: paymentId, entity: 'payment', order_id: orderId, amount, currency, status } }
  return JSON.stringify({ entity: 'event', event, contains: ['payment', 'order'], payload: { payment }, created_at: 1 })
}

export const signatureOf = (body: string, secret: string = webhookSecret): string =>
  createHmac('sha256', secret).update(body).digest('hex')
