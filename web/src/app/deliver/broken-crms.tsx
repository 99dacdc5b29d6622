/**
 * Shown on every page: each CRM that is not accepting leads, why, and a link to fix it. Home lists them under Needs you
 * instead.
 */
import { Link, useLocation } from 'wouter'
import { useDestinations } from './use-destinations.ts'

export function BrokenCrms() {
  const [location] = useLocation()
  const destinations = useDestinations()
  const broken = destinations.data?.data.filter(({ status }) => status === 'broken') ?? []
  if (location === '/' || broken.length === 0) return null
  return (
    <section aria-label="Broken CRMs">
      {broken.map(({ destination_id, name, failure, status_reason }) => (
        <p key={destination_id} className="failure">
          <strong>{name} is not accepting leads.</strong> {failure?.message ?? status_reason}{' '}
          {location !== `/destinations/${destination_id}` && (
            <Link href={`/destinations/${destination_id}`}>Reconnect</Link>
          )}
        </p>
      ))}
    </section>
  )
}
