/** A delivery as both audiences see it: what its outcome looks like, and its record in the CRM. */
import type { Tone } from './badge.tsx'

export const outcomeTones = {
  created: 'good',
  updated: 'good',
  unchanged: 'good',
  rejected: 'bad',
  pending: 'plain',
  unknown: 'warn',
} as const satisfies Record<string, Tone>

export const outcomes = Object.keys(outcomeTones) as (keyof typeof outcomeTones)[]

export function CrmLink({ id, url }: { readonly id: string | null; readonly url: string | null }) {
  if (!url) return <>{id ?? '–'}</>
  return (
    <a href={url} rel="noreferrer">
      {id ?? 'Its record'}
    </a>
  )
}
