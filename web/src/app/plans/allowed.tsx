/** What the account may read, for which places and days, under which grant, and how much of today's limits is used. */
import { Link } from 'wouter'
import { DataTable } from '../../look/data-table.tsx'
import { Moment } from '../../look/moment.tsx'
import { count } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { registerNames } from '../../look/register-names.ts'
import { territoryOf, windowOf } from '../../look/scope.ts'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'

const names = ['company', 'director', 'gst'] as const

export function Allowed() {
  const access = useRead(['access'], () => api.GET('/api/access'))
  return (
    <section>
      <h2>What it opens</h2>
      <Reading of={access} what="what is open">
        {({
          datasets: { recently_registered: entries },
          rate_limits: { detail_endpoints: details, record_budget: records },
        }) => (
          <>
            <DataTable
              caption="Feeds that are open"
              rows={names.flatMap((feed) => entries[feed].grants.map((grant, index) => ({ ...grant, feed, index })))}
              keyOf={({ feed, index }) => `${feed} ${index}`}
              empty={<p>No feed of new registrations is open to you. A plan or an offer below opens them.</p>}
              columns={[
                {
                  head: 'Feed',
                  by: ({ feed }) => registerNames[feed],
                  cell: ({ feed }) => <Link href={`/feeds?dataset=${feed}`}>{registerNames[feed]}</Link>,
                },
                { head: 'By', by: ({ plan }) => plan },
                { head: 'Where', by: ({ territory }) => territoryOf(territory) },
                { head: 'Days', cell: ({ date_window }) => windowOf(date_window) },
                {
                  head: 'Ends',
                  by: ({ expires_at }) => expires_at,
                  cell: ({ expires_at }) => (expires_at ? <Moment at={expires_at} /> : 'never'),
                },
              ]}
            />
            <p>
              Today: {count(details.used_today)} of {count(details.daily_limit)} details, {count(records.used_today)}
              {records.daily_limit === null ? '' : ` of ${count(records.daily_limit)}`} records of the feeds.{' '}
              <Link href="/account">All limits, day by day</Link>
            </p>
          </>
        )}
      </Reading>
    </section>
  )
}
