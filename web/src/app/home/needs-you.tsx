/**
 * What needs attention, each with a button: a CRM that is not accepting leads, rejected leads, leads that may already be in a
 * CRM, credits that expire.
 */
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { LastDay } from '../../look/moment.tsx'
import { counted } from '../../look/numbers.ts'

type Destination = components['schemas']['Destination']
type Summary = components['schemas']['DeliverySummary']
type Lot = components['schemas']['CreditLot']

/** Credits that expire within this time are shown. */
const soonMs = 14 * 24 * 3600 * 1000

export function NeedsYou(props: {
  readonly destinations: readonly Destination[]
  readonly deliveries: readonly Summary[]
  readonly lots: readonly Lot[]
}) {
  const { destinations, deliveries, lots } = props
  const broken = destinations.filter(({ status }) => status === 'broken')
  const nameOf = new Map(destinations.map(({ destination_id, name }) => [destination_id, name]))
  const rejected = deliveries
    .map((summary) => ({ ...summary, records: summary.rejected.reduce((sum, { records }) => sum + records, 0) }))
    .filter(({ records }) => records > 0)
  const undecided = deliveries.filter((summary) => summary.undecided > 0)
  const ending = lots.find(({ ends_at, left }) => left > 0 && ends_at && Date.parse(ends_at) - Date.now() < soonMs)
  if (broken.length + rejected.length + undecided.length === 0 && !ending) return null
  return (
    <section aria-label="Needs you">
      <h2>Needs you</h2>
      <ul className="needs-you">
        {broken.map(({ destination_id, name, failure, status_reason }) => (
          <li key={destination_id} className="bad">
            <span>
              <strong>{name} is not accepting leads.</strong> {failure?.message ?? status_reason}
            </span>
            <Link className="button main" href={`/destinations/${destination_id}`}>
              Reconnect
            </Link>
          </li>
        ))}
        {rejected.map(({ destination_id, records }) => (
          <li key={destination_id} className="warn">
            <span>
              <strong>{nameOf.get(destination_id)}</strong> rejected {counted(records, 'lead')}.
            </span>
            <Link className="button" href={`/deliveries?destination=${destination_id}&outcome=rejected`}>
              Fix
            </Link>
          </li>
        ))}
        {undecided.map(({ destination_id, undecided: leads }) => (
          <li key={destination_id} className="warn">
            <span>
              <strong>{nameOf.get(destination_id)}</strong> already has records like {counted(leads, 'lead')} that{' '}
              {leads === 1 ? 'needs' : 'need'} your decision.
            </span>
            <Link className="button" href={`/deliveries?destination=${destination_id}&outcome=pending`}>
              Decide
            </Link>
          </li>
        ))}
        {ending && (
          <li className="warn">
            <span>
              <strong>{counted(ending.left, 'credit')}</strong> {ending.left === 1 ? 'expires' : 'expire'} on{' '}
              <LastDay ends={ending.ends_at} />.
            </span>
            <Link className="button" href="/search">
              Use them
            </Link>
          </li>
        )}
      </ul>
    </section>
  )
}
