/** How a CRM is: its state in a word, and in the CRM's own words what holds it up. */
import type { components } from '../../../../client/api-types.ts'
import { Badge, type Tone } from '../badge.tsx'
import { Instant } from '../moment.tsx'

export type Destination = components['schemas']['Destination']

const tones = { active: 'good', paused: 'plain', broken: 'bad' } as const satisfies Record<string, Tone>
const words = { active: 'works', paused: 'paused', broken: 'broken' } as const

export function DestinationState({ of }: { readonly of: Destination }) {
  const { status, status_reason, failure, retry_at, set_up_at } = of
  // Nobody knows of settings that no CRM has answered to whether they work.
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
