/** Orders of all accounts, newest first, searchable by e-mail, name or id. */
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { useAddressState, useGrowing, usePage } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { ListTable } from '../../look/list-table.tsx'
import { orderColumns } from '../../look/order-columns.tsx'
import { orderStates } from '../../look/order-state.tsx'
import { Page } from '../../look/page.tsx'
import { SearchBox } from '../../look/search-box.tsx'
import { api, type SortOf } from '../../wire/api.ts'
import { useReadPage } from '../../wire/use-read.ts'

const limit = 25

export default function Orders() {
  const [search, setSearch] = useAddressState('search')
  const [status, setStatus] = useAddressState('status')
  const [page] = usePage()
  const sort = useGrowing<SortOf<'findOrders'>>()
  const known = orderStates.find((each) => each === status)
  const query = { page, limit, ...sort, ...(search && { search }), ...(known && { status: known }) }
  const orders = useReadPage(['orders', search, status, page, sort], () =>
    api.GET('/admin/orders', { params: { query } }),
  )
  return (
    <Page title="Orders" lead="What was bought, by whom, and what was refunded.">
      <SearchBox label="Order, its id or the e-mail of the account" value={search} set={setSearch} />
      <div className="filters">
        <Choice label="State" value={status} options={['', ...orderStates]} set={setStatus} />
      </div>
      <ListTable
        of={orders}
        what="the orders"
        pages={{ limit, one: 'order', newest: ({ created_at }) => created_at }}
        caption="Orders"
        keyOf={({ _id }) => _id}
        empty={<p>{search || status ? 'No order matches these filters.' : 'No account has ordered anything yet.'}</p>}
        columns={orderColumns<components['schemas']['FoundOrder']>({
          head: 'Account',
          cell: ({ user_id, email }) => <Link href={`/accounts/${user_id}`}>{email}</Link>,
        })}
      />
    </Page>
  )
}
