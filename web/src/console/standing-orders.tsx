/**
 * Standing orders of all accounts: what each spends, why one is blocked, and a way to pause all at once in an
 * emergency.
 */
import { Link } from 'wouter'
import { usePage, useSort } from '../look/address-state.ts'
import { ListTable } from '../look/list-table.tsx'
import { count, counted } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { PauseSummary } from '../look/pause-summary.tsx'
import { spentOf } from '../look/spent.ts'
import { StandingState } from '../look/standing-state.tsx'
import { api, type SortOf } from '../wire/api.ts'
import { useReadPage } from '../wire/use-read.ts'
import { OperatorAct } from './operator-act.tsx'

const limit = 50

export default function StandingOrders() {
  const [page] = usePage()
  const sort = useSort<SortOf<'listAllStandingOrders'>>()
  const orders = useReadPage(
    ['standing-orders', page, sort],
    () => api.GET('/admin/standing-orders', { params: { query: { page, limit, ...sort } } }),
    { refetchInterval: 15_000 },
  )
  return (
    <Page
      title="Standing orders"
      lead="What buys automatically after each import, of all accounts."
      acts={
        <OperatorAct
          label="Pause all"
          title="Pause the standing orders of all accounts?"
          tone="danger"
          fields={[{ name: 'reason', label: 'Reason, which the accounts read' }]}
          calls={({ reason = '' }) => api.PATCH('/admin/standing-orders', { body: { state: 'paused', reason } })}
          shows={({ paused }) => (
            <p role="status">{counted(paused, 'standing order')} paused. None of them spends a credit now.</p>
          )}
        >
          {orders.data && <PauseSummary orders={orders.data.data} total={orders.data.total} />}
          <p>
            No credit is spent from then on, and matches found are not bought later. An operator resumes each one
            separately.
          </p>
        </OperatorAct>
      }
    >
      <ListTable
        of={orders}
        what="the standing orders"
        pages={{ limit, one: 'standing order' }}
        caption="Standing orders of all accounts"
        keyOf={({ standing_order_id }) => standing_order_id}
        empty={<p>No standing orders yet.</p>}
        columns={[
          { head: 'Name', sortedAs: 'name', cell: ({ name }) => name },
          { head: 'Account', cell: ({ user_id, email }) => <Link href={`/accounts/${user_id}`}>{email}</Link> },
          { head: 'State', sortedAs: 'state', cell: (order) => <StandingState of={order} /> },
          { head: 'Since', sortedAs: 'state_at', at: ({ state_at }) => state_at },
          { head: 'Spent today', cell: ({ spent, budget }) => spentOf(spent.day, budget?.day), number: true },
          { head: 'This month', cell: ({ spent, budget }) => spentOf(spent.month, budget?.month), number: true },
          { head: 'In all', cell: ({ spent }) => count(spent.total), number: true },
        ]}
      />
    </Page>
  )
}
