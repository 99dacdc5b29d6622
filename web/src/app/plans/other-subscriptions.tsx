/** The account's other subscriptions. A purchase replaces none of them, so the buyer sees how each one ends. */
import { Instant } from '../../look/moment.tsx'
import type { Subscription } from './subscriptions.ts'

export function OtherSubscriptions({ others }: { readonly others: readonly Subscription[] }) {
  return others.map(({ subscription_id: id, name, ends_at, open_until, auto_renew, cancelled_at, status }) => (
    <li key={id}>
      It does not replace {name}, which continues alongside it until{' '}
      <Instant at={status === 'grace' ? open_until : ends_at} />
      {auto_renew && ' and then renews itself with credits'}.
      {auto_renew && ' To end it then, cancel it under “What you have”.'}
      {cancelled_at && ' You cancelled it.'}
    </li>
  ))
}
