/**
 * A payment processor as a sandbox: Razorpay's Orders, Payments and Refunds with state, signed notices to a webhook,
 * and a payment page. It counts calls and fails as scripted; state survives a restart through `snapshot`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sandbox, SandboxRecord } from '../contract.ts'
import { CallDesk, formOf, readBody } from '../kit.ts'
import { NoticePost, type SentNotice } from './notices.ts'
import { writePayPage } from './pay-page.ts'
import { type Happening, pay, refused, route } from './routes.ts'
import { emptyState, newCredentials, nowSeconds, type SandboxPayment, SandboxState } from './state.ts'

export interface PaymentSandbox extends Sandbox {
  /** Pays as a person on the page would. @returns undefined if nothing waits to be paid. */
  pay(
    orderId: string,
    how?: { readonly method?: string; readonly succeeds?: boolean },
  ): Promise<SandboxPayment | undefined>
  /** The buyer's bank takes back the money of a payment. */
  chargeBack(paymentId: string): Promise<void>
  /**
   * Moves the dispute of a payment to a phase; each payment has at most one. @param deducted paise; default: all of
   * it.
   */
  dispute(paymentId: string, phase: 'created' | 'won' | 'lost' | 'closed', deducted?: number): Promise<void>
  notices(): readonly SentNotice[]
}

const bodyBytesMax = 64 * 1024

export function createPaymentSandbox(): PaymentSandbox {
  let state: SandboxState = emptyState(newCredentials())
  const post = new NoticePost(() => state.credentials.webhookSecret)
  const desk = new CallDesk({
    bodyBytesMax,
    headers: () => ({}),
    async answer(call, fault) {
      if (fault?.kind === 'rate_limit') return refused(429, 'Request failed. Please try after sometime.')
      const happened: Happening[] = []
      const answer = route(state, call, (happening) => happened.push(happening))
      await post.send(happened)
      return answer
    },
  })

  const box: PaymentSandbox = {
    crm: 'razorpay',
    takesPayments: true,
    settings: (baseUrl) => ({
      key_id: state.credentials.keyId,
      key_secret: state.credentials.keySecret,
      webhook_secret: state.credentials.webhookSecret,
      base_url: baseUrl,
    }),
    async handle(request, response) {
      const [, first, orderId = ''] = new URL(request.url ?? '/', 'http://sandbox').pathname.split('/')
      if (first === 'pay') return checkout(request, response, orderId)
      await desk.handle(request, response)
    },
    records: () =>
      [...state.orders, ...state.payments, ...state.refunds].map(
        ({ id, entity, ...properties }): SandboxRecord => ({ id, object: entity, properties }),
      ),
    calls: () => desk.calls(),
    addFault: (fault) => (fault.kind.startsWith('webhook_') ? post.addFault(fault) : desk.addFault(fault)),
    faults: () => [...desk.faults(), ...post.faults()],
    endFaults() {
      desk.endFaults()
      post.endFaults()
    },
    // A processor's records cannot be edited.
    edit: () => {},
    notifyAt: (url) => post.sendTo(url),
    reset() {
      state = emptyState(state.credentials)
      desk.reset()
      post.reset()
    },
    snapshot: () => state,
    restore(kept) {
      state = SandboxState.parse(kept)
    },
    async pay(orderId, { method = 'upi', succeeds = true } = {}) {
      const happened: Happening[] = []
      const payment = pay(state, orderId, { method, succeeds }, (happening) => happened.push(happening))
      await post.send(happened)
      return payment
    },
    chargeBack: (paymentId) => box.dispute(paymentId, 'lost'),
    async dispute(paymentId, phase, deducted) {
      const payment = state.payments.find(({ id }) => id === paymentId)
      if (!payment) throw new Error(`there is no payment ${paymentId}`)
      const { amount, currency } = payment
      const dispute = {
        ...{ id: paymentId.replace('pay_', 'disp_'), entity: 'dispute', payment_id: paymentId, amount, currency },
        ...{
          amount_deducted: phase === 'lost' ? (deducted ?? amount) : 0,
          reason_code: 'goods_or_services_not_received',
        },
        ...{ respond_by: nowSeconds() + 7 * 86_400, phase: 'chargeback' },
        ...{ status: phase === 'created' ? 'open' : phase, created_at: nowSeconds() },
      }
      const payload = { payment: { entity: { ...payment } }, dispute: { entity: dispute } }
      await post.send([{ event: `payment.dispute.${phase}`, payload }])
    },
    notices: () => post.sent(),
  }

  async function checkout(request: IncomingMessage, response: ServerResponse, orderId: string): Promise<void> {
    const order = () => state.orders.find(({ id }) => id === orderId)
    if (request.method !== 'POST') return writePayPage(response, order())
    const { origin, host } = request.headers
    // Forms from other pages in the same browser cannot pay.
    if (origin !== undefined && origin !== `http://${host}`) return writePayPage(response, undefined)
    const form = formOf((await readBody(request, bodyBytesMax)) ?? '')
    const succeeds = form.get('result') !== 'failure'
    const payment = await box.pay(orderId, { method: form.get('method') === 'card' ? 'card' : 'upi', succeeds })
    writePayPage(response, order(), payment ? `Payment ${payment.id}: ${payment.status}.` : 'Nothing was paid.')
  }
  return box
}
