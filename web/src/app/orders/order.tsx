/** One order: what was paid and refunded, its items, its leads, its files, and delivery to a CRM. */

import { Link, useParams } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { useAddressDetail } from '../../look/address-state.ts'
import { Badge } from '../../look/badge.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { Facts } from '../../look/facts.tsx'
import { Moment } from '../../look/moment.tsx'
import { count, counted } from '../../look/numbers.ts'
import { OrderState } from '../../look/order-state.tsx'
import { Page } from '../../look/page.tsx'
import { priced } from '../../look/priced.ts'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { PayHere } from '../money/pay-here.tsx'
import { type Charge, Charged } from './charged.tsx'
import { Leads } from './leads.tsx'
import { OrderActs } from './order-acts.tsx'
import { ReportContact } from './report-contact.tsx'
import { Trace } from './trace.tsx'

/** Its payment is pending, or its leads are being built. */
const whileItMovesMs = 2_000

export default function OrderPage() {
  const { id = '' } = useParams()
  const [traced, setTraced] = useAddressDetail('item')
  const order = useRead(['orders', 'one', id], () => api.GET('/api/orders/{id}', { params: { path: { id } } }), {
    refetchInterval: ({ state: { data } }) =>
      data && (data.status === 'pending' || isBeingBuilt(data)) ? whileItMovesMs : false,
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
                ['Price', priced(data)],
                ['Refunded', counted(data.refunded_amount, 'credit')],
                [
                  'Charged for',
                  data.paid_at && counted(Math.max(0, data.total_amount - data.refunded_amount), 'record'),
                ],
                ['Withdrawn', withdrawnOf(data.items)],
                ['Can be reached', `${count(data.reachable)} of ${count(data.items_count)}`],
              ]}
            />
            {data.status === 'pending' && data.payment && (
              <PayHere amount={data.payment.amount} payment={data.payment} />
            )}
            <h2>Records</h2>
            <DataTable
              caption="Records of the order"
              rows={data.items}
              keyOf={({ type, number }) => `${type} ${number}`}
              empty={<p>The order has no records.</p>}
              columns={[
                {
                  head: 'Name',
                  by: ({ name }) => name,
                  cell: ({ type, number, name }) => <Link href={`/record/${type}/${number}`}>{name}</Link>,
                },
                { head: 'Identifier', by: ({ number }) => number, cell: ({ number }) => <code>{number}</code> },
                { head: 'Contact', cell: (item) => <Contact {...item} /> },
                { head: 'Cost', cell: (item) => <Charged of={item} order={data} /> },
                {
                  head: 'Origin',
                  cell: (item) => (
                    <Link href={`/orders/${id}?item=${data.items.indexOf(item)}`} aria-label={`Trace ${item.name}`}>
                      Trace
                    </Link>
                  ),
                },
                {
                  head: 'Change',
                  cell: (item) =>
                    (item.may_be_reported || item.dispute !== null) && (
                      <ReportContact orderId={id} n={data.items.indexOf(item)} of={item} />
                    ),
                },
              ]}
            />
            {traced !== '' && <Trace key={traced} orderId={id} index={Number(traced)} close={() => setTraced('')} />}
            {data.paid_at !== null && <Leads orderId={id} />}
          </>
        )}
      </Reading>
    </Page>
  )
}

type Built = Pick<components['schemas']['Order'], 'payment_status' | 'items'>

const isBeingBuilt = ({ payment_status, items }: Built): boolean =>
  payment_status === 'paid' && items.some(({ has_contact }) => has_contact === null)

function Contact({ has_contact, refund_reason }: { readonly has_contact: boolean | null } & Charge) {
  if (refund_reason === 'no_contact') return <Badge tone="plain">none, refunded</Badge>
  if (has_contact === null) return <Badge tone="warn">being looked up</Badge>
  return <Badge tone={has_contact ? 'good' : 'plain'}>{has_contact ? 'found' : 'none'}</Badge>
}

/** Records that were charged before their payment was refunded. */
function withdrawnOf(items: readonly Charge[]): string | null {
  const withdrawn = items.filter((item) => item.withdrawn && !item.refunded).length
  return withdrawn === 0 ? null : counted(withdrawn, 'record')
}
