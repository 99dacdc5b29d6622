/** What the account may read and has used today, and where to begin. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Badge } from '../look/badge.tsx'
import { count, counted } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { Reading } from '../look/reading.tsx'
import { territoryOf, windowOf } from '../look/scope.ts'
import { api, dataOf } from '../wire/api.ts'

const datasets = { company: 'Companies', director: 'Directors', gst: 'GST registrations' } as const

export default function Overview() {
  const access = useQuery({ queryKey: ['access'], queryFn: async () => dataOf(await api.GET('/api/access')) })
  return (
    <Page title="Overview">
      <Reading of={access} what="what your key may do">
        {({
          credits,
          rate_limits: { detail_endpoints: details, record_budget: records },
          datasets: { recently_registered },
        }) => (
          <div className="cards">
            <section className="card" aria-label="Get started">
              <h2>Get started</h2>
              <ol>
                <li>
                  <Link href="/feeds">Choose among what was newly registered</Link>, or{' '}
                  <Link href="/search">search</Link> by what a company is.
                </li>
                <li>Order what you chose. What it costs is said before.</li>
                <li>
                  Its leads go into <Link href="/destinations">your CRM</Link>; watch them{' '}
                  <Link href="/deliveries">arrive</Link>.
                </li>
              </ol>
            </section>
            <section className="card" aria-label="Credits">
              <h2>Credits</h2>
              <p>
                {counted(
                  credits.reduce((sum, { balance }) => sum + balance, 0),
                  'credit',
                )}
              </p>
              <Link href="/credits">How they came and went</Link>
            </section>
            <section className="card" aria-label="Today">
              <h2>Today</h2>
              <p>
                {count(details.used_today)} of {count(details.daily_limit)} details
              </p>
              <p>
                {counted(records.used_today, 'record')} in lists
                {records.daily_limit === null ? '' : ` of ${count(records.daily_limit)}`}
              </p>
            </section>
            {Object.entries(datasets).map(([dataset, name]) => {
              const { enabled, territory, date_window, reason } = recently_registered[dataset as keyof typeof datasets]
              return (
                <section key={dataset} className="card" aria-label={name}>
                  <h2>New: {name}</h2>
                  <p>
                    <Badge tone={enabled ? 'good' : 'plain'}>{enabled ? 'open' : 'closed'}</Badge>
                  </p>
                  {enabled ? (
                    <p>
                      {territoryOf(territory)}, {windowOf(date_window)}.{' '}
                      <Link href={`/feeds?dataset=${dataset}`}>Look</Link>
                    </p>
                  ) : (
                    <p>{reason ?? 'It was not granted to this account.'}</p>
                  )}
                </section>
              )
            })}
          </div>
        )}
      </Reading>
    </Page>
  )
}
