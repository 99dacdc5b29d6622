/**
 * Each CRM's last two weeks: what it delivered, what it rejected by reason with a fix, and what waits and until when.
 */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { type Destination, DestinationState } from '../../look/crm/destination-state.tsx'
import { DayBars } from '../../look/day-bars.tsx'
import { Instant } from '../../look/moment.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { LeftOut } from './left-out.tsx'

type Summary = components['schemas']['DeliverySummary']

export function ByCrm() {
  const found = useQuery({
    queryKey: ['deliveries', 'summary'],
    queryFn: async () => {
      const [destinations, summaries] = await Promise.all([
        api.GET('/api/crm/destinations'),
        api.GET('/api/crm/delivery-summary'),
      ])
      return { destinations: dataOf(destinations).data, summaries: dataOf(summaries).data }
    },
    refetchInterval: 15_000,
  })
  return (
    <Reading of={found} what="the state of your CRMs">
      {({ destinations, summaries }) => {
        const summaryOf = new Map(summaries.map((summary) => [summary.destination_id, summary]))
        return (
          <>
            {destinations
              .filter(({ status }) => status === 'broken')
              .map((destination) => (
                <Broken key={destination.destination_id} of={destination} />
              ))}
            <section className="cards wide" aria-label="By CRM">
              {destinations.map((destination) => {
                const summary = summaryOf.get(destination.destination_id)
                return summary && <Card key={destination.destination_id} of={destination} summary={summary} />
              })}
            </section>
          </>
        )
      }}
    </Reading>
  )
}

function Broken({ of: destination }: { readonly of: Destination }) {
  return (
    <div className="notice warn" role="status">
      <p>
        <strong>{destination.name} is not accepting leads.</strong> <DestinationState of={destination} />
      </p>
      <Link className="button main" href={`/destinations/${destination.destination_id}`}>
        Reconnect
      </Link>
    </div>
  )
}

function Card({
  of: { destination_id, name, status },
  summary,
}: {
  readonly of: Destination
  readonly summary: Summary
}) {
  const { days, rejected, left_out: leftOut, waiting, undecided, next_attempt_at: again } = summary
  const delivered = days.reduce((sum, day) => sum + day.delivered, 0)
  const params = (outcome: string) => `/deliveries?${new URLSearchParams({ destination: destination_id, outcome })}`
  return (
    <section className={status === 'broken' ? 'card bad' : 'card'} aria-label={name}>
      <h2>
        <Link href={`/destinations/${destination_id}`}>{name}</Link>
      </h2>
      <p>
        <strong>{count(delivered)}</strong> delivered in {days.length} days
        {waiting > 0 && (
          <>
            , <Link href={params('pending')}>{count(waiting)} waiting</Link>
            {undecided > 0 && `, ${count(undecided)} of them for your decision`}
            {again && (
              <>
                {' '}
                until <Instant at={again} />
              </>
            )}
          </>
        )}
      </p>
      <DayBars
        summary={`${count(delivered)} delivered to ${name} in ${days.length} days`}
        days={days.map((each) => ({ day: each.day, good: each.delivered, bad: each.rejected }))}
      />
      {rejected.length > 0 && (
        <>
          <h3>Rejected</h3>
          <ul className="counted">
            {rejected.map(({ code, field, message, records }) => (
              <li key={`${code} ${field}`}>
                <span>
                  {field && <strong>{field}: </strong>}
                  {message ?? code ?? 'no reason given'}
                </span>
                <Link href={params('rejected')}>{`Fix ${counted(records, 'lead')}`}</Link>
              </li>
            ))}
          </ul>
          <AccountAct
            needs="deliver"
            label="Retry all"
            title={`Retry what ${name} rejected?`}
            calls={() => {
              const body = { destination_id }
              return api.POST('/api/crm/deliveries/retry', { body })
            }}
            shows={({ retried }) => <p role="status">{counted(retried, 'lead')} will be retried.</p>}
          >
            <p>Use this after you changed something there, such as a rule or a field.</p>
          </AccountAct>
        </>
      )}
      <LeftOut of={leftOut} destination={destination_id} />
    </section>
  )
}
