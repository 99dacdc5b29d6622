/**
 * The states of orders and payments and the moves between them: the single source, mirrored by orders.guard_purchase
 * in the database and used by every statement that changes a state.
 */
export const orderStates = ['pending', 'completed', 'cancelled', 'failed', 'expired'] as const
export type OrderState = (typeof orderStates)[number]

export const paymentStates = ['pending', 'paid', 'failed', 'cancelled', 'refunded'] as const
export type PaymentState = (typeof paymentStates)[number]

/** A credits order starts as completed and paid; an online one starts as pending and waits for its payment. */
export const orderMoves: Readonly<Record<OrderState, readonly OrderState[]>> = {
  pending: ['completed', 'cancelled', 'failed', 'expired'],
  completed: [],
  cancelled: [],
  failed: [],
  expired: [],
}

export const paymentMoves: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  pending: ['paid', 'failed', 'cancelled'],
  paid: ['refunded'],
  failed: [],
  cancelled: [],
  refunded: [],
}

export const disputeStates = ['open', 'accepted', 'rejected'] as const
export type DisputeStatus = (typeof disputeStates)[number]

/** Who reports an item: its buyer, or the nightly job for rows that a CRM rejected above the threshold. */
export const reporters = ['buyer', 'system'] as const
export type Reporter = (typeof reporters)[number]

/** The states from which `target` may be reached, for the WHERE clause of the statement that moves there. */
export function statesBefore<S extends string>(moves: Readonly<Record<S, readonly S[]>>, target: S): S[] {
  return (Object.keys(moves) as S[]).filter((state) => moves[state].includes(target))
}
