/** What orders need of an online payment processor: begin a payment, and read its notice that one was made. */

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
}

/** Money that arrived for a processor's order. */
export interface PaymentNotice {
  /** Of the payment: the processor may tell of one payment several times. */
  readonly paymentId: string
  readonly paymentOrderId: string
  /** Paise. */
  readonly amount: number
  readonly currency: string
}

export interface PaymentProcessor {
  readonly provider: string
  /** @throws AppError PAYMENT_UNAVAILABLE when the processor does not answer as it should; nothing was charged. */
  begin(order: { readonly orderId: string; readonly credits: number }): Promise<PaymentOrder>
  /**
   * Reads what came to the webhook. @returns undefined for notices that mean no money, such as a failed attempt.
   * @throws AppError WEBHOOK_SIGNATURE_INVALID for anything that the processor did not sign.
   */
  readNotice(body: string, signature: string | undefined): PaymentNotice | undefined
}
