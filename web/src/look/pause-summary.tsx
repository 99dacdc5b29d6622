/** What pausing all standing orders would stop: the active ones, and what they have spent today. */
import { count, counted } from './numbers.ts'

interface StandingOrder {
  readonly state: string
  readonly spent: { readonly day: number }
}

/** @param props.orders the first of them. @param props.total the total number. */
export function PauseSummary({ orders, total }: { readonly orders: readonly StandingOrder[]; readonly total: number }) {
  const on = orders.filter(({ state }) => state === 'active' || state === 'blocked')
  const today = on.reduce((sum, { spent }) => sum + spent.day, 0)
  const more = total > orders.length ? 'at least ' : ''
  return (
    <p>
      Of {counted(total, 'standing order')}, {more}
      {count(on.length)} {on.length === 1 ? 'is' : 'are'} on and spent {counted(today, 'credit')} today.
    </p>
  )
}
