/** What an item of an order cost, and why. */
import type { components } from '../../../../client/api-types.ts'
import { Badge } from '../../look/badge.tsx'

const refunds = {
  no_contact: 'nobody can be reached',
  dispute: 'your report was accepted',
  operator: 'refunded by the operator',
  refused: 'your CRM rejected it for good',
  owned: 'another order brought it before this one was paid',
  money_back: 'its payment was refunded',
} as const

export type Charge = Pick<
  components['schemas']['OrderItem'],
  'refunded' | 'refund_reason' | 'already_owned' | 'withdrawn'
>

export function Charged(props: {
  readonly of: Charge
  readonly order: { readonly status: string; readonly paid_at: string | null }
}) {
  const {
    of: item,
    order: { status, paid_at },
  } = props
  if (item.refunded) {
    return (
      <>
        <Badge tone="plain">refunded</Badge> {item.refund_reason && refunds[item.refund_reason]}
      </>
    )
  }
  if (item.withdrawn) {
    return (
      <>
        <Badge tone="warn">withdrawn</Badge>{' '}
        {item.already_owned ? 'the credit that paid for it was refunded' : refunds.money_back}
      </>
    )
  }
  if (item.already_owned) return <>nothing: you had bought it within the previous 30 days</>
  if (paid_at !== null) return <>1 credit</>
  return <>{status === 'pending' ? 'not paid yet' : 'nothing: the order was not paid'}</>
}
