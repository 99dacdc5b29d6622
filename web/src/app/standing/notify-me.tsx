/** A standing order that only notifies, for a saved query or a watchlist. */
import { Link } from 'wouter'
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { api } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'

const times = [
  { value: '08:00', label: 'Each morning' },
  { value: 'monday 08:00', label: 'Each Monday' },
  { value: 'import', label: 'After each import' },
] as const

const noticeFields: readonly FieldShape[] = [{ name: 'when', label: 'When', options: times }]
const scheduleIn = (typed: Typed) => times.find(({ value }) => value === typed['when'])?.value ?? '08:00'

/** Notifies of new matches of a saved screener, or of changes on a watchlist, and buys nothing. */
export function NotifyMe({
  name,
  of,
}: {
  readonly name: string
  readonly of: { readonly screener_id: string } | { readonly source: 'watchlist'; readonly watchlist_id: string }
}) {
  return (
    <AccountAct
      needs="order"
      label="Notify me"
      title={`Notify me of ${name}`}
      fields={noticeFields}
      calls={(typed) => {
        const body = { name, ...of, buys: false, schedule: scheduleIn(typed), state: 'active' as const }
        return api.POST('/api/standing-orders', { body })
      }}
      shows={({ standing_order_id }) => (
        <p role="status">
          You are notified by e-mail from now on. <Link href={`/standing-orders/${standing_order_id}`}>See it</Link>
        </p>
      )}
    >
      <p>Nothing is bought.</p>
    </AccountAct>
  )
}
