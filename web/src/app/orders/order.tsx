/** One order: what was paid and refunded, its items, its leads, its files, and the way into a CRM. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { Badge } from '../../look/badge.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { Facts } from '../../look/facts.tsx'
import { Moment } from '../../look/moment.tsx'
import { count } from '../../look/numbers.ts'
import { OrderState } from '../../look/order-state.tsx'
import { Page } from '../../look/page.tsx'
import { priced } from '../../look/priced.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { Leads } from './leads.tsx'
import { OrderActs } from './order-acts.tsx'
import { ReportContact } from './report-contact.tsx'

const whileLeadsAreBuiltMs = 2_000

export default function OrderPage() {
  const { id = '' } = useParams()
  const order = useQuery({
    queryKey: ['orders', 'one', id],
    queryFn: async () => dataOf(await api.GET('/api/orders/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) =>
      data?.payment_status === 'paid' && data.items.some(({ has_contact }) => has_contact === null)
        ? whileLeadsAreBuiltMs
        : false,
  })
  return (
    <Page title={order.data?.orderName ?? 'Order'} acts={order.data && <OrderActs order={order.data} />}>
      <Reading of={order} what="the order">
        {(data) => (
          <>
            <p role="status">
              <OrderState order={data} />
            </p>
            <Facts
              of={[
                ['Placed', <Moment key="placed" at={data.created_at} />],
                ['Paid', data.paid_at && <Moment key="paid" at={data.paid_at} />],
                ['Price', priced(data.paymentOption, data.total_amount)],
                ['Refunded', priced(data.paymentOption, data.refunded_amount)],
                ['Can be reached', `${count(data.reachable)} of ${count(data.items_count)}`],
              ]}
            />
            <h2>Records</h2>
            <DataTable
              caption="Records of the order"
              rows={data.items}
              keyOf={({ type, number }) => `${type} ${number}`}
              empty={<p>The order has no records.</p>}
              columns={[
                {
                  head: 'Name',
                  cell: ({ type, number, name }) => <Link href={`/record/${type}/${number}`}>{name}</Link>,
                },
                { head: 'Identifier', cell: ({ number }) => <code>{number}</code> },
                { head: 'Contact', cell: (item) => <Contact {...item} /> },
                {
                  head: 'Change',
                  cell: (item) =>
                    item.has_contact &&
                    !item.refunded && <ReportContact orderId={id} n={data.items.indexOf(item)} of={item} />,
                },
              ]}
            />
            {data.payment_status !== 'pending' && <Leads orderId={id} />}
          </>
        )}
      </Reading>
    </Page>
  )
}

function Contact({ has_contact, refunded }: { readonly has_contact: boolean | null; readonly refunded: boolean }) {
  if (refunded) return <Badge tone="plain">none, refunded</Badge>
  if (has_contact === null) return <Badge tone="warn">being looked up</Badge>
  return <Badge tone={has_contact ? 'good' : 'plain'}>{has_contact ? 'found' : 'none'}</Badge>
}
