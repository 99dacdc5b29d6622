/** The state of a CRM as a badge, and what holds it up in the CRM's own words. */
import type { components } from '../../../../client/api-types.ts'
import { Badge, type Tone } from '../badge.tsx'
import { Instant } from '../moment.tsx'

export type Destination = components['schemas']['Destination']

const tones = { active: 'good', paused: 'plain', broken: 'bad' } as const satisfies Record<string, Tone>
const words = { active: 'works', paused: 'paused', broken: 'broken' } as const

export function DestinationState({ of }: { readonly of: Destination }) {
  const { status, status_reason, failure, retry_at, set_up_at } = of
  // Until a CRM has answered, it is unknown whether its settings work.
  const isUntried = status === 'active' && set_up_at === null
  return (
    <>
      <Badge tone={isUntried ? 'warn' : tones[status]}>{isUntried ? 'not set up yet' : words[status]}</Badge>{' '}
      {failure?.message ?? status_reason}
      {retry_at && (
        <>
          {' '}
          Next try at <Instant at={retry_at} />.
        </>
      )}
    </>
  )
}
