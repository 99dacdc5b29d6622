/** The state of an order, with its payment where that says more. */
import type { components } from '../../../client/api-types.ts'
import { Badge, type Tone } from './badge.tsx'

export type OrderLike = Pick<components['schemas']['OrderSummary'], 'status' | 'payment_status'>

const tones: Readonly<Record<OrderLike['status'], Tone>> = {
  pending: 'warn',
  completed: 'good',
  cancelled: 'plain',
  failed: 'bad',
  expired: 'plain',
}

export const orderStates = Object.keys(tones) as (keyof typeof tones)[]

export function OrderState({ order: { status, payment_status } }: { readonly order: OrderLike }) {
  return (
    <>
      <Badge tone={tones[status]}>{status}</Badge> <span className="faint">{payment_status}</span>
    </>
  )
}
