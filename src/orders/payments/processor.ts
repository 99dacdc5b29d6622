/**
 * The interface of an online payment processor: begin a payment, read its notices, and query its payments and
 * refunds.
 */
import type { Seller } from '../../../config/seller.ts'

/**
 * The processor's order, as the buyer's checkout needs it; part of the response for an order that waits for its
 * payment.
 */
export interface PaymentOrder {
  readonly provider: string
  /** The processor's id. */
  readonly id: string
  /** Paise. */
  readonly amount: number
  readonly currency: 'INR'
  /** The public half of the seller's key, which the checkout page needs. */
  readonly key_id: string
  /** The processor's hosted page for paying this order; missing if the seller's page opens the checkout. */
  readonly page_url?: string
}

/** Money that arrived for a processor's order. */
export interface PaymentNotice {
  /** Id of the payment; the processor may report one payment several times. */
  readonly paymentId: string
  readonly paymentOrderId: string
  /** Paise. */
  readonly amount: number
  readonly currency: string
  /** The processor's fee in paise, if reported, and the tax within it. */
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
  /** Id of our request; undefined for a refund made elsewhere. */
  readonly requestId?: string | undefined
}

export interface ListedRefund extends RefundNotice {
  /** `pending`: the processor has accepted it; `failed`: it could not make it, and the money stayed. */
  readonly state: 'made' | 'pending' | 'failed'
}

export const disputeStates = ['open', 'won', 'lost', 'closed'] as const
/** `closed`: it ended without a loss. */
export type DisputeState = (typeof disputeStates)[number]

/** The buyer's bank disputes a payment, or has decided the dispute. */
export interface DisputeNotice {
  readonly disputeId: string
  readonly paymentId: string
  readonly state: DisputeState
  /** Paise that are disputed. */
  readonly amount: number
  /** Paise that the bank took after a loss, possibly a part. */
  readonly deducted: number
  readonly currency: string
  /** The processor's reason code. */
  readonly reason?: string | undefined
  /** Deadline for evidence. */
  readonly respondBy?: Date | undefined
}

/** When a dispute suspends the account. */
export const disputeHolds = ['off', 'opened', 'lost'] as const
export type DisputeHold = (typeof disputeHolds)[number]

/** What the processor reports. `name` is its own event name. */
export type PaymentEvent = { readonly name: string } & (
  | { readonly kind: 'paid'; readonly payment: PaymentNotice }
  | { readonly kind: 'repaid'; readonly refund: RefundNotice }
  | { readonly kind: 'refund_failed'; readonly refund: RefundNotice }
  | { readonly kind: 'disputed'; readonly dispute: DisputeNotice }
  /** Concerns money, but its shape is not understood. */
  | { readonly kind: 'unread'; readonly why: string }
  /** No money moved, such as a failed attempt. */
  | { readonly kind: 'other' }
)

/** A refund or dispute as it was recorded in the log. */
export interface ReportedFact {
  readonly name: string
  readonly paymentId: string
  /** Id of the refund or the dispute. */
  readonly refundId: string
  readonly amount: number
  readonly currency: string
  readonly detail: string | null
}

export interface PaymentProcessor {
  readonly provider: string
  /** Who is paid; without a seller nothing can be sold. */
  readonly seller: Seller | undefined
  /** Default: off. */
  readonly disputeHold?: DisputeHold | undefined
  /** Price of a credit in paise, tax included. */
  readonly creditPaise: number
  /**
   * @param order `orderId` is ours; `amount` in paise.
   * @throws AppError PAYMENT_UNAVAILABLE, PAYMENT_KEY_REFUSED, PAYMENT_LIMITED, PAYMENT_REFUSED; nothing was charged.
   */
  begin(order: { readonly orderId: string; readonly amount: number }): Promise<PaymentOrder>
  /**
   * @throws AppError WEBHOOK_SIGNATURE_INVALID for anything that the processor did not sign, BAD_REQUEST if it is not
   * a notice.
   */
  readEvent(body: string, signature: string | undefined): PaymentEvent
  /**
   * An event that was recorded before its payment, so that it can be booked with it. @returns undefined if it moves
   * no money.
   */
  readAgain(fact: ReportedFact): PaymentEvent | undefined
  /** Payments that arrived for an order of the processor. @throws like `begin` */
  listPaymentsFor(paymentOrderId: string): Promise<readonly PaymentNotice[]>
  /** @throws like `begin` */
  refundsOf(paymentId: string): Promise<readonly ListedRefund[]>
  /**
   * Refunds money. Idempotent per request id: repeated requests refund nothing more and get the same reply.
   * @param refund `amount` in paise.
   * @returns undefined while it is in progress. @throws like `begin`; PAYMENT_REFUSED is final.
   */
  refund(refund: {
    readonly paymentId: string
    readonly amount: number
    readonly requestId: string
  }): Promise<RefundNotice | undefined>
}
