/** Standing orders, newest first: what each has spent of its budget, and whether it is on. */
import { Link } from 'wouter'
import { usePage, useSort } from '../../look/address-state.ts'
import { DayBars } from '../../look/day-bars.tsx'
import { dayInWords } from '../../look/days.ts'
import { indianDay } from '../../look/indian-day.ts'
import { ListTable } from '../../look/list-table.tsx'
import { count, counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { PauseSummary } from '../../look/pause-summary.tsx'
import { spentOf } from '../../look/spent.ts'
import { StandingState } from '../../look/standing-state.tsx'
import { api, type SortOf } from '../../wire/api.ts'
import { useReadPage } from '../../wire/use-read.ts'
import { useMay } from '../account.ts'
import { AccountAct } from '../account-act.tsx'

const limit = 25
const dayMs = 86_400_000

export default function StandingOrders() {
  const [page] = usePage()
  const sort = useSort<SortOf<'listStandingOrders'>>()
  const mayOrder = useMay('order')
  const orders = useReadPage(['standing-orders', page, sort], () =>
    api.GET('/api/standing-orders', { params: { query: { page, limit, ...sort } } }),
  )
  return (
    <Page
      title="Standing orders"
      acts={
        <>
          {mayOrder && (
            <Link href="/standing-orders/make" className="button main">
              Make a standing order
            </Link>
          )}
          <AccountAct
            needs="order"
            label="Pause all"
            title="Pause all standing orders?"
            calls={() => api.PATCH('/api/standing-orders', { body: { state: 'paused' } })}
            shows={({ paused }) => (
              <p role="status">{counted(paused, 'standing order')} paused. None of them spends a credit now.</p>
            )}
          >
            {orders.data && <PauseSummary orders={orders.data.data} total={orders.data.total} />}
            <p>Matches found while they are paused are not bought later. Resume each one separately.</p>
          </AccountAct>
        </>
      }
    >
      <ListTable
        of={orders}
        what="your standing orders"
        pages={{ limit, one: 'standing order' }}
        caption="Standing orders"
        keyOf={({ standing_order_id }) => standing_order_id}
        empty={
          <p>No standing orders yet. Make one, and last night’s new registrations are in your CRM each morning.</p>
        }
        columns={[
          {
            head: 'Name',
            sortedAs: 'name',
            cell: ({ standing_order_id, name }) => <Link href={`/standing-orders/${standing_order_id}`}>{name}</Link>,
          },
          { head: 'State', sortedAs: 'state', cell: (order) => <StandingState of={order} /> },
          { head: 'Found in 30 days', cell: ({ matches_by_day }) => <Found byDay={matches_by_day} /> },
          { head: 'Spent today', cell: ({ spent, budget }) => spentOf(spent.day, budget?.day), number: true },
          { head: 'This month', cell: ({ spent, budget }) => spentOf(spent.month, budget?.month), number: true },
        ]}
      />
    </Page>
  )
}

/** @param byDay with today last. */
function Found({ byDay }: { readonly byDay: readonly number[] }) {
  const all = byDay.reduce((sum, matches) => sum + matches, 0)
  if (all === 0) return <span className="faint">nothing</span>
  const days = byDay.map((good, at) => ({
    day: indianDay(new Date(Date.now() - (byDay.length - 1 - at) * dayMs)),
    good,
    bad: 0,
  }))
  return (
    <>
      {count(all)}{' '}
      <DayBars
        summary={`${count(all)} found in 30 days`}
        days={days}
        labelOf={({ day, good }) => `${dayInWords(day)}: ${good} found`}
      />
    </>
  )
}
