/** What orders need of an online payment processor: begin a payment, read its notices, and ask it what became of one. */
import type { Seller } from '../../../config/seller.ts'

/** The processor's order, as the buyer's checkout needs it; part of the answer of an order that waits for its payment. */
export interface PaymentOrder {
  readonly provider: string
  /** Of the processor. */
  readonly id: string
  /** Paise. */
  readonly amount: number
  readonly currency: 'INR'
  /** The public half of the seller's key, which the checkout page needs. */
  readonly key_id: string
  /** The processor's own page on which a person pays this order; missing where the seller's page opens its checkout. */
  readonly page_url?: string
}

/** Money that arrived for a processor's order. */
export interface PaymentNotice {
  /** Of the payment: the processor may tell of one payment several times. */
  readonly paymentId: string
  readonly paymentOrderId: string
  /** Paise. */
  readonly amount: number
  readonly currency: string
  /** Paise that the processor keeps, where it says so, and the tax within them. */
  readonly fee: number
  readonly feeTax: number
}

/** Money that went back to the buyer: given by the seller, or taken by the buyer's bank. */
export interface RefundNotice {
  readonly refundId: string
  readonly paymentId: string
  /** Paise. */
  readonly amount: number
  readonly currency: string
  readonly cause: 'refund' | 'chargeback'
  /** Of our asking for it; undefined where it was made elsewhere. */
  readonly requestId?: string | undefined
}

export const disputeStates = ['open', 'won', 'lost', 'closed'] as const
/** `closed`: it ended, and no money was taken. */
export type DisputeState = (typeof disputeStates)[number]

/** The buyer's bank asks about a payment, or has decided. */
export interface DisputeNotice {
  readonly disputeId: string
  readonly paymentId: string
  readonly state: DisputeState
  /** Paise that are disputed. */
  readonly amount: number
  /** Paise that the bank took, where it is lost: also a part. */
  readonly taken: number
  readonly currency: string
  /** The processor's word for it. */
  readonly reason?: string | undefined
  /** Until then evidence is taken. */
  readonly respondBy?: Date | undefined
}

/** From when on an account is suspended whose payment is disputed. */
export const disputeHolds = ['off', 'opened', 'lost'] as const
export type DisputeHold = (typeof disputeHolds)[number]

/** What the processor tells of. `name` is its own word for it. */
export type PaymentEvent = { readonly name: string } & (
  | { readonly kind: 'paid'; readonly payment: PaymentNotice }
  | { readonly kind: 'repaid'; readonly refund: RefundNotice }
  | { readonly kind: 'disputed'; readonly dispute: DisputeNotice }
  /** Of money, in a shape that is not read. */
  | { readonly kind: 'unread'; readonly why: string }
  /** No money moved, such as a failed attempt. */
  | { readonly kind: 'other' }
)

/** What was told of a refund or a dispute, as the record of it kept it. */
export interface ReportedFact {
  readonly name: string
  readonly paymentId: string
  /** Of the refund, or of the dispute. */
  readonly refundId: string
  readonly amount: number
  readonly currency: string
  readonly detail: string | null
}

export interface PaymentProcessor {
  readonly provider: string
  /** Whom it pays; without one nothing is sold. */
  readonly seller: Seller | undefined
  /** Off unless told. */
  readonly disputeHold?: DisputeHold | undefined
  /** Price of a credit in paise, tax included. */
  readonly creditPaise: number
  /**
   * @param order `orderId` is ours; `amount` in paise.
   * @throws AppError PAYMENT_UNAVAILABLE, PAYMENT_KEY_REFUSED, PAYMENT_LIMITED, PAYMENT_REFUSED; nothing was charged.
   */
  begin(order: { readonly orderId: string; readonly amount: number }): Promise<PaymentOrder>
  /** @throws AppError WEBHOOK_SIGNATURE_INVALID for anything that the processor did not sign, BAD_REQUEST for what is no notice at all. */
  readEvent(body: string, signature: string | undefined): PaymentEvent
  /** What was told before its payment, so that it can be booked once the payment is. @returns undefined for what moves no money. */
  readAgain(told: ReportedFact): PaymentEvent | undefined
  /** Payments that arrived for an order of the processor. @throws like `begin` */
  listPaymentsFor(paymentOrderId: string): Promise<readonly PaymentNotice[]>
  /** @throws like `begin` */
  refundsOf(paymentId: string): Promise<readonly RefundNotice[]>
  /**
   * Gives money back. Asked again under one request id it gives nothing more and answers alike.
   * @param refund `amount` in paise.
   * @returns undefined while it is under way. @throws like `begin`; PAYMENT_REFUSED is final.
   */
  refund(refund: {
    readonly paymentId: string
    readonly amount: number
    readonly requestId: string
  }): Promise<RefundNotice | undefined>
}
