/** The places and days of a grant, in words. */
import type { components } from '../../../client/api-types.ts'
import { dayInWords } from './days.ts'

type Territory = components['schemas']['Territory']

type DateWindow = Pick<components['schemas']['DateWindow'], 'from' | 'to'>

export function territoryOf({ restricted, states, districts, pincodes }: Territory): string {
  if (!restricted) return 'all of India'
  return [states, districts, pincodes].flatMap((places) => places ?? []).join(', ')
}

export function windowOf(window: DateWindow | null): string {
  if (!window || (window.from === null && window.to === null)) return 'all days'
  const from = window.from && dayInWords(window.from)
  const to = window.to && dayInWords(window.to)
  if (to === null) return `from ${from}`
  return from === null ? `to ${to}` : `${from} to ${to}`
}
