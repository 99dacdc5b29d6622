/** Accounts whose plans and offers renew themselves, as a plain model: times are milliseconds, prices those of the day. */
import { renewHoursBefore } from '../../../../config/sales.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export interface Sold {
  readonly kind: 'plan' | 'offer'
  readonly id: string
  readonly days: number
  readonly graceDays: number
  /** That a term brings. */
  readonly credits: number
  /** Null: not on sale. */
  price: number | null
}

export interface Held {
  /** Of the database. */
  readonly id: string
  readonly sold: Sold
  readonly terms: { readonly start: number; readonly end: number; readonly price: number }[]
  autoRenew: boolean
  cancelled: boolean
  /** That its end was told of, and why: once for each last term. */
  readonly told: string[]
  isNotified: boolean
  isMarkedEnded: boolean
}

export interface Buyer {
  readonly accountId: string
  /** That renewals are paid with: none of a plan. */
  credits: number
  readonly held: Held[]
  isSuspended: boolean
  isErased: boolean
}

export const endOf = ({ terms }: Held): number => terms.at(-1)?.end ?? 0
export const untilOf = (held: Held): number => endOf(held) + (held.cancelled ? 0 : held.sold.graceDays * dayMs)
export const isOpen = (held: Held, now: number): boolean => untilOf(held) > now
const endsSoon = (held: Held, now: number) => isOpen(held, now) && endOf(held) <= now + renewHoursBefore * hourMs

export function addTerm(buyer: Buyer, held: Held, now: number, price: number): void {
  const start = held.terms.length === 0 ? now : endOf(held)
  buyer.credits -= price
  held.terms.push({ start, end: start + held.sold.days * dayMs, price })
  held.isNotified = false
}

/** One run of the job: whoever asked for it, is there to use it and has the credits gets the next term. */
export function keep(buyers: readonly Buyer[], now: number): { renewed: number; ended: number } {
  let [renewed, ended] = [0, 0]
  for (const buyer of buyers) {
    // The one that ends first is renewed first, where credits are there for one.
    for (const held of buyer.held.toSorted((one, other) => endOf(one) - endOf(other))) {
      const mayBuy = !buyer.isSuspended && !buyer.isErased
      const isDue = mayBuy && held.autoRenew && !held.cancelled && endsSoon(held, now)
      const { price } = held.sold
      if (isDue && price !== null && buyer.credits >= price) {
        addTerm(buyer, held, now, price)
        renewed += 1
      } else if (isDue) tell(held, price === null ? 'not_on_sale' : 'credits_short')
    }
    for (const held of buyer.held) {
      const isUnasked = !held.autoRenew && !held.cancelled && endsSoon(held, now)
      if (isUnasked && !buyer.isErased) tell(held, 'not_asked')
      if (!held.isMarkedEnded && !isOpen(held, now)) {
        held.isMarkedEnded = true
        if (!held.cancelled && !buyer.isErased) tell(held, held.autoRenew ? 'missed' : 'not_asked')
        ended += 1
      }
    }
  }
  return { renewed, ended }
}

function tell(held: Held, reason: string): void {
  if (!held.isNotified) held.told.push(reason)
  held.isNotified = true
}

/** Nothing that a run decides may lie so near that the seconds of the test do. */
export const edgesOf = (held: Held): number[] => [endOf(held) - renewHoursBefore * hourMs, endOf(held), untilOf(held)]
