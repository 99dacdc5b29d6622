/** The feeds of new registrations that the plan includes, and those it does not. */
import { Link } from 'wouter'
import type { paths } from '../../../../client/api-types.ts'
import { Badge } from '../../look/badge.tsx'
import { territoryOf, windowOf } from '../../look/scope.ts'

type Access = paths['/api/access']['get']['responses'][200]['content']['application/json']

const datasets = { company: 'companies', director: 'directors', gst: 'GST registrations' } as const

export function PlanOpens({ access }: { readonly access: Access }) {
  const { recently_registered: feeds } = access.datasets
  const named = Object.entries(datasets) as [keyof typeof datasets, string][]
  return (
    <section aria-label="Your plan">
      <h2>New registrations</h2>
      <ul className="needs-you">
        {named.map(([dataset, name]) => {
          const { enabled, territory, date_window } = feeds[dataset]
          return (
            <li key={dataset}>
              <span>
                <strong>New {name}</strong>{' '}
                {enabled ? `${territoryOf(territory)}, ${windowOf(date_window)}` : 'on the day they are registered'}
              </span>
              {enabled ? (
                <Link className="button" href={`/feeds?dataset=${dataset}`}>
                  See them
                </Link>
              ) : (
                <span>
                  <Badge tone="plain">not in your plan</Badge> <Link href="/plans">See plans</Link>
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
