/** Times in Indian time; days as they are, since a day has no time zone. */
import { dayInWords, instantInWords, lastDayOf, momentInWords } from './days.ts'

const minuteMs = 60_000

/** In a list or a fact: relative to today within a week; printed pages, which are read on other days, show the date. */
export function Moment({ at }: { readonly at: string | null | undefined }) {
  if (!at) return <span className="faint">–</span>
  const moment = new Date(at)
  return (
    <time dateTime={at} data-on-paper={`${instantInWords(moment)} IST`}>
      {momentInWords(moment)} IST
    </time>
  )
}

/** Within a sentence, or where it must not change from day to day. */
export function Instant({ at }: { readonly at: string | null }) {
  if (!at) return <span className="faint">–</span>
  return <time dateTime={at}>{instantInWords(new Date(at))} IST</time>
}

export function Day({ on }: { readonly on: string | null | undefined }) {
  if (!on) return <span className="faint">–</span>
  return <time dateTime={on}>{dayInWords(on)}</time>
}

/** Of what ends at an instant, such as credits. */
export const LastDay = ({ ends }: { readonly ends: string | null }) => <Day on={ends && lastDayOf(ends)} />

/** `3 hours ago`. */
export function age(at: string, now = Date.now()): string {
  const words = new Intl.RelativeTimeFormat('en-IN', { numeric: 'auto' })
  const minutes = (Date.parse(at) - now) / minuteMs
  if (Math.abs(minutes) < 60) return words.format(Math.round(minutes), 'minute')
  if (Math.abs(minutes) < 48 * 60) return words.format(Math.round(minutes / 60), 'hour')
  return words.format(Math.round(minutes / (24 * 60)), 'day')
}
