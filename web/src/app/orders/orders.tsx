/** Orders, the newest first. */
import { useState } from 'react'
import { Link } from 'wouter'
import { useAddressState, useGrowing, usePage } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { chooseColumn } from '../../look/choose-column.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { orderColumns } from '../../look/order-columns.tsx'
import { orderStates } from '../../look/order-state.tsx'
import { Page } from '../../look/page.tsx'
import { Pager } from '../../look/pager.tsx'
import { Reading } from '../../look/reading.tsx'
import { SearchBox } from '../../look/search-box.tsx'
import { api, type SortOf } from '../../wire/api.ts'
import { useReadPage } from '../../wire/use-read.ts'
import { Together } from './together.tsx'

const limit = 25

export default function Orders() {
  const [status, setStatus] = useAddressState('status')
  const [search, setSearch] = useAddressState('search')
  const [page] = usePage()
  const sort = useGrowing<SortOf<'listOrders'>>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const known = orderStates.find((each) => each === status)
  const query = { page, limit, ...sort, ...(known && { status: known }), ...(search && { search }) }
  const orders = useReadPage(['orders', status, search, page, sort], () =>
    api.GET('/api/orders', { params: { query } }),
  )
  return (
    <Page title="Orders">
      <SearchBox label="Name of the order" value={search} set={setSearch} />
      <div className="filters">
        <Choice label="State" value={status} options={['', ...orderStates]} set={setStatus} />
      </div>
      <Reading of={orders} what="your orders">
        {({ data, total }) => (
          <>
            <Together orderIds={[...chosen]} />
            <DataTable
              caption="Orders"
              rows={data}
              keyOf={({ _id }) => _id}
              empty={
                <p>
                  {status || search ? 'No order matches these filters.' : 'No orders yet.'}{' '}
                  <Link href="/search">Search</Link> for records, choose some, and press “Buy”.
                </p>
              }
              columns={[
                chooseColumn<(typeof data)[number]>({
                  idOf: ({ _id }) => _id,
                  nameOf: ({ orderName }) => orderName,
                  chosen,
                  choose: setChosen,
                }),
                ...orderColumns<(typeof data)[number]>(),
              ]}
            />
            <Pager total={total} limit={limit} one="order" newest={data[0]?.created_at} />
          </>
        )}
      </Reading>
    </Page>
  )
}
