/** One order, with the reason why each item was charged or not, and refunds. */
import type { ReactNode } from 'react'
import { Link, useParams } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
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
import { OperatorAct } from '../operator-act.tsx'

type Order = components['schemas']['ExplainedOrder']

export default function OrderPage() {
  const { id = '' } = useParams()
  const order = useRead(['orders', 'one', id], () => api.GET('/admin/orders/{id}', { params: { path: { id } } }))
  return (
    <Page title={order.data?.orderName ?? 'Order'} acts={order.data && <RefundAll of={order.data} />}>
      <Reading of={order} what="the order">
        {(data) => (
          <>
            <p role="status">
              <OrderState order={data} />
            </p>
            <Facts
              of={[
                [
                  'Account',
                  <Link key="account" href={`/accounts/${data.user_id}`}>
                    {data.email}
                  </Link>,
                ],
                ['Placed', <Moment key="placed" at={data.created_at} />],
                ['Paid', data.paid_at && <Moment key="paid" at={data.paid_at} />],
                ['Price', priced(data)],
                ['Refunded', counted(data.refunded_amount, 'credit')],
              ]}
            />
            <h2>Records</h2>
            <DataTable
              caption="Records of the order"
              rows={data.items}
              keyOf={({ item_id }) => item_id}
              empty={<p>The order has no records.</p>}
              columns={[
                { head: 'Row', by: ({ index }) => index, number: true },
                { head: 'Name', by: ({ name }) => name },
                { head: 'Identifier', by: ({ number }) => number, cell: ({ number }) => <code>{number}</code> },
                {
                  head: 'Charged',
                  by: ({ charged }) => (charged ? 'yes' : 'no'),
                  cell: ({ charged, why }) => `${charged ? 'yes' : 'no'}: ${why}`,
                },
                { head: 'Refunded', at: ({ refunded_at }) => refunded_at },
                {
                  head: 'Change',
                  cell: ({ index, charged, refunded_at, name }) =>
                    isCharged({ charged, refunded_at }) && <Refund id={id} item={{ index, name }} />,
                },
              ]}
            />
          </>
        )}
      </Reading>
    </Page>
  )
}

const isCharged = ({ charged, refunded_at }: Pick<Order['items'][number], 'charged' | 'refunded_at'>) =>
  charged && refunded_at === null

/** Hidden where nothing is left to refund. */
function RefundAll({ of: { _id: id, email, items, payment_status } }: { readonly of: Order }) {
  const charged = items.filter(isCharged).length
  if (payment_status !== 'paid' || charged === 0) return null
  return (
    <Refund id={id}>
      <p>
        {counted(charged, 'record')} of {count(items.length)} {charged === 1 ? 'was' : 'were'} charged for:{' '}
        {counted(charged, 'credit')} would be refunded to {email}.
      </p>
    </Refund>
  )
}

interface Item {
  readonly index: number
  readonly name: string
}

function Refund(props: { readonly id: string; readonly item?: Item; readonly children?: ReactNode }) {
  const { id, item, children } = props
  return (
    <OperatorAct
      label={item ? 'Refund' : 'Refund all'}
      title={item ? `Refund the credit for ${item.name}?` : 'Refund everything that was charged?'}
      tone="danger"
      fields={[{ name: 'reason', label: 'Reason' }]}
      calls={({ reason = '' }) => {
        const body = { reason, ...(item && { items: [item.index] }) }
        return api.POST('/admin/orders/{id}/refund', { params: { path: { id } }, body })
      }}
      shows={({ credits }) => <p role="status">{counted(credits, 'credit')} refunded.</p>}
    >
      {children}
    </OperatorAct>
  )
}
