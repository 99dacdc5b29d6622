/** What was typed into the form of a standing order goes to the API as that takes it: one that buys, and one that only notifies. */
import { expect, test } from 'vitest'
import { standingFields } from '../../../web/src/app/standing/standing-fields.ts'
import type { StandingOrder } from '../../../web/src/app/standing/standing-shape.ts'
import { standingTyped } from '../../../web/src/app/standing/standing-typed.ts'

const crms = [
  { destination_id: 'd1', name: 'One' },
  { destination_id: 'd2', name: 'Two' },
]
const buying: StandingOrder = {
  ...{ name: 'New in Goa', source: 'screener', type: 'company', query: "State == 'Goa'", screener_id: null },
  ...{ watchlist_id: null, conditions: { has_mobile: true, has_email: false, active: true }, buys: true },
  ...{ budget: { day: 3, month: 9, run: 2 }, spent: { day: 0, month: 0, total: 0 }, prefer: 'NICCode asc' },
  ...{
    delivery: { destinations: ['d2'] },
    schedule: 'monday 07:30',
    ends_on: '2027-03-31',
    revision: '9f2b6c0d417ae835',
  },
}
/** A form that is saved as it opened. */
const untouched = (known: StandingOrder) => {
  const fields = standingFields({ known, query: '', type: known.type, crms })
  const shown = fields.flatMap(({ name, initial = '' }) => (initial === '' ? [] : [[name, initial] as const]))
  return standingTyped(Object.fromEntries(shown), known)
}

test('saved as it opened, a form changes nothing', () => {
  const { name, query, conditions, budget, prefer, delivery, schedule, ends_on } = buying
  expect(untouched(buying)).toEqual({ name, query, conditions, budget, prefer, delivery, schedule, ends_on })
  expect(untouched({ ...buying, schedule: 'import', ends_on: null, prefer: 'newest' })).toMatchObject({
    ...{ schedule: 'import', ends_on: null, prefer: 'newest' },
  })
  expect(untouched({ ...buying, schedule: '18:05' })).toMatchObject({ schedule: '18:05' })
})

test('one that only notifies has neither a budget nor a place for leads, and follows its watchlist without a query', () => {
  const watching: StandingOrder = {
    ...{ ...buying, source: 'watchlist', query: null, watchlist_id: 'w', buys: false, budget: null },
    delivery: { destinations: [] },
  }
  const { name, conditions, schedule, ends_on } = watching
  expect(untouched(watching)).toEqual({ name, query: null, conditions, schedule, ends_on })
})
