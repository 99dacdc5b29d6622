/** The state of a purchase as a badge. */
import { Badge, type Tone } from '../../look/badge.tsx'

const tones = { pending: 'warn', paid: 'good', refunded: 'plain', expired: 'plain' } as const satisfies Record<
  string,
  Tone
>
const words = {
  pending: 'waits for its payment',
  paid: 'paid',
  refunded: 'refunded',
  expired: 'expired unpaid',
} as const

export function PurchaseState({ status }: { readonly status: keyof typeof tones }) {
  return <Badge tone={tones[status]}>{words[status]}</Badge>
}
