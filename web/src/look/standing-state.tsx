/** The state of a standing order as a badge, with its reason. */
import { Badge, type Tone } from './badge.tsx'

const tones = {
  draft: 'plain',
  active: 'good',
  paused: 'warn',
  blocked: 'bad',
  ended: 'plain',
} as const satisfies Record<string, Tone>
const reasons: Readonly<Record<string, string>> = {
  budget_used: 'the budget of today or of this month is used',
  credits_short: 'there are no credits left',
  destination_broken: 'a CRM is not accepting leads, or was removed',
  query_invalid: 'the query can no longer be read',
  limit_reached: 'the daily limit of the plan is used',
  end_date: 'its last day is over',
}

export function StandingState({
  of,
}: {
  readonly of: { readonly state: keyof typeof tones; readonly reason: string | null }
}) {
  return (
    <>
      <Badge tone={tones[of.state]}>{of.state}</Badge>
      {of.reason && <span className="faint"> {reasons[of.reason] ?? of.reason}</span>}
    </>
  )
}
