/** What was typed into the form of a standing order, as the API takes it. */
import type { Typed } from '../../look/field-shape.ts'
import { crmPrefix, types } from './standing-fields.ts'
import type { StandingOrder } from './standing-shape.ts'

/** The members that both making and changing one take. @param known the one that is changed. */
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

/** As if one were made, for a preview: where its leads go and until when makes no difference to what it finds. */
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
