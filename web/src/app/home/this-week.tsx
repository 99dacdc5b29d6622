/** This week: new matches of saved screeners, delivered leads by day, and the credits left. */
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { DayBars } from '../../look/day-bars.tsx'
import { indianDay } from '../../look/indian-day.ts'
import { Day, LastDay } from '../../look/moment.tsx'
import { count, counted } from '../../look/numbers.ts'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { leftOf } from '../money/credits-left.tsx'

type Summary = components['schemas']['DeliverySummary']
type Lot = components['schemas']['CreditLot']

export function ThisWeek(props: {
  readonly deliveries: readonly Summary[]
  readonly lots: readonly Lot[]
  readonly since: string
}) {
  return (
    <section aria-label="This week">
      <h2>This week</h2>
      <div className="cards">
        <NewMatches since={props.since} />
        <Delivered of={props.deliveries} />
        <CreditsLeft of={props.lots} />
      </div>
    </section>
  )
}

function NewMatches({ since }: { readonly since: string }) {
  const { data, isError } = useRead(
    ['screener news', since],
    () => api.GET('/api/screener/news', { params: { query: { since } } }),
    { staleTime: 600_000, retry: false },
  )
  return (
    <section className="card" aria-label="Saved screeners">
      <h3>
        New since <Day on={indianDay(new Date(since))} />
      </h3>
      {isError && <p className="faint">New matches could not be counted.</p>}
      {data?.data.length === 0 && (
        <p>
          Save a <Link href="/search">search</Link> to see its new matches here.
        </p>
      )}
      <ul className="counted">
        {data?.data.map(({ screener_id, name, type, query, records }) => (
          <li key={screener_id}>
            <Link href={`/search?${new URLSearchParams({ type, query })}`}>{name}</Link>
            <strong>{records === null ? '–' : count(records)}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}

const daysOfWeek = 7

function Delivered({ of: summaries }: { readonly of: readonly Summary[] }) {
  const days = new Map<string, { readonly day: string; readonly good: number; readonly bad: number }>()
  for (const { day, delivered, rejected } of summaries.flatMap((each) => each.days.slice(-daysOfWeek))) {
    const before = days.get(day) ?? { good: 0, bad: 0 }
    days.set(day, { day, good: before.good + delivered, bad: before.bad + rejected })
  }
  const shown = [...days.values()]
  const delivered = shown.reduce((sum, { good }) => sum + good, 0)
  const rejected = shown.reduce((sum, { bad }) => sum + bad, 0)
  return (
    <section className="card" aria-label="Leads">
      <h3>Leads delivered</h3>
      <p>
        <strong className="figure">{count(delivered)}</strong>
        {rejected > 0 && (
          <>
            {' '}
            and {counted(rejected, 'rejected', 'rejected')}. <Link href="/deliveries?outcome=rejected">Fix</Link>
          </>
        )}
      </p>
      {shown.length > 0 && <DayBars summary={`${count(delivered)} delivered in seven days`} days={shown} />}
      <Link href="/deliveries">All deliveries</Link>
    </section>
  )
}

export function CreditsLeft({ of: lots }: { readonly of: readonly Lot[] }) {
  const left = leftOf(lots)
  const next = lots.find(({ ends_at }) => ends_at !== null)
  return (
    <section className="card" aria-label="Credits">
      <h3>Credits left</h3>
      <p>
        <strong className="figure">{count(left)}</strong>
      </p>
      <p className="faint">
        {next ? (
          <>
            {count(next.left)} of them {next.left === 1 ? 'expires' : 'expire'} on <LastDay ends={next.ends_at} />
          </>
        ) : left > 0 ? (
          'They do not expire.'
        ) : (
          'A credit buys one lead.'
        )}
      </p>
      <Link href="/credits">{left > 0 ? 'Credit history' : 'Buy credits'}</Link>
    </section>
  )
}
