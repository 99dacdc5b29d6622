/** The state of a purchase as a badge. */
import { Badge, type Tone } from '../../look/badge.tsx'
import { counted } from '../../look/numbers.ts'

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

/** `100 credits`, or the id of the plan or offer. */
export const boughtOf = ({ kind, pack_id: product, credits }: Bought): string =>
  kind === 'credits' ? counted(credits, 'credit') : `${kind} ${product}`

interface Bought {
  readonly kind: 'credits' | 'plan' | 'offer'
  readonly pack_id: string
  readonly credits: number
}
