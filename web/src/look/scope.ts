/** The places and days of a grant, in words. */
import { dayInWords } from './days.ts'

interface Territory {
  readonly restricted: boolean
  readonly states: readonly string[] | null
  readonly districts: readonly string[] | null
  readonly pincodes: readonly string[] | null
}

interface DateWindow {
  readonly from: string | null
  readonly to: string | null
}

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
