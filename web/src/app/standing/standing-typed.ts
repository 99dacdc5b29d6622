/** The values of a standing order's form, as the API takes them. */
import type { Typed } from '../../look/field-shape.ts'
import { crmPrefix, types } from './standing-fields.ts'
import type { StandingOrder } from './standing-shape.ts'

/** The members that creating and changing have in common. @param known the order that is edited. */
export function standingTyped(typed: Typed, known?: StandingOrder) {
  return {
    name: typed['name'] ?? '',
    query: typed['query'] ?? null,
    conditions: {
      has_mobile: typed['has_mobile'] === 'on',
      has_email: typed['has_email'] === 'on',
      active: typed['active'] === 'on',
    },
    schedule: scheduleOf(typed),
    ends_on: typed['ends_on'] ?? null,
    ...(known?.buys === false ? {} : { ...spending(typed), delivery: deliveryOf(typed) }),
  }
}

/** For a preview: delivery and end date are left out, since they do not affect what is found. */
export function previewTyped(typed: Typed, known?: StandingOrder) {
  const { query, conditions } = standingTyped(typed, known)
  return {
    ...{ name: 'Preview', type: known?.type ?? typeIn(typed), query, conditions },
    ...(known?.buys === false ? { buys: false } : spending(typed)),
    ...(known && { source: known.source, watchlist_id: known.watchlist_id }),
  }
}

const spending = (typed: Typed) => ({
  budget: { day: Number(typed['day']), month: Number(typed['month']), run: Number(typed['run']) },
  prefer: typed['prefer'] ?? 'newest',
})

function deliveryOf(typed: Typed) {
  const destinations = Object.keys(typed).flatMap((name) =>
    name.startsWith(crmPrefix) ? [name.slice(crmPrefix.length)] : [],
  )
  return { destinations }
}

function scheduleOf({ when, time = '08:00' }: Typed): string {
  if (when === 'daily') return time
  return when === 'weekly' ? `monday ${time}` : 'import'
}

export const typeIn = (typed: Typed) => types.find(({ value }) => value === typed['type'])?.value ?? 'company'
