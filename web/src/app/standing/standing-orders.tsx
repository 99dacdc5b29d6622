/** Standing orders, the newest first: what each has spent of its budget, and whether it is on. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { usePage } from '../../look/address-state.ts'
import { DataTable } from '../../look/data-table.tsx'
import { count } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Pager } from '../../look/pager.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { standingFields, standingTyped, typeIn } from './standing-fields.ts'
import { StandingState } from './standing-state.tsx'

const limit = 25

export default function StandingOrders() {
  const [page] = usePage()
  const orders = useQuery({
    queryKey: ['standing-orders', page],
    queryFn: async () => dataOf(await api.GET('/api/standing-orders', { params: { query: { page, limit } } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title="Standing orders"
      acts={
        <>
          <AccountAct
            needs="order"
            label="Make a standing order"
            title="Make a standing order"
            tone="main"
            fields={standingFields()}
            run={async (typed) =>
              dataOf(await api.POST('/api/standing-orders', { body: { ...standingTyped(typed), type: typeIn(typed) } }))
            }
            shows={({ standing_order_id }) => (
              <p role="status">
                It is a draft. <Link href={`/standing-orders/${standing_order_id}`}>Look at its preview</Link>, then
                switch it on.
              </p>
            )}
          >
            <p>It buys what begins to match with each import, and never more than these credits.</p>
          </AccountAct>
          <AccountAct
            needs="order"
            label="Pause all"
            title="Pause all standing orders?"
            run={async () => dataOf(await api.PATCH('/api/standing-orders', { body: { state: 'paused' } }))}
            shows={({ paused }) => <p role="status">{count(paused)} paused. None of them spends a credit now.</p>}
          />
        </>
      }
    >
      <Reading of={orders} what="your standing orders">
        {({ data, total }) => (
          <>
            <DataTable
              caption="Standing orders"
              rows={data}
              keyOf={({ standing_order_id }) => standing_order_id}
              empty={
                <p>
                  There is none yet. Make one, and the new registrations of last night are in your CRM each morning.
                </p>
              }
              columns={[
                {
                  head: 'Name',
                  cell: ({ standing_order_id, name }) => (
                    <Link href={`/standing-orders/${standing_order_id}`}>{name}</Link>
                  ),
                },
                { head: 'State', cell: (order) => <StandingState of={order} /> },
                { head: 'Spent today', cell: ({ spent, budget }) => against(spent.day, budget?.day), number: true },
                { head: 'This month', cell: ({ spent, budget }) => against(spent.month, budget?.month), number: true },
              ]}
            />
            <Pager total={total} limit={limit} one="standing order" />
          </>
        )}
      </Reading>
    </Page>
  )
}

const against = (spent: number, budget: number | undefined): string =>
  budget === undefined ? 'notifies only' : `${count(spent)} of ${count(budget)}`
