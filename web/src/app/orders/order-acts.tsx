/** What can be done with an order: its files, cancelling it while it waits, and delivering it into a CRM. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { saveAs } from '../../look/save-as.ts'
import { api, dataOf } from '../../wire/api.ts'
import { useMay } from '../account.ts'
import { AccountAct } from '../account-act.tsx'

interface OrderLike {
  readonly _id: string
  readonly orderName: string
  readonly status: string
  readonly payment_status: string
}

export function OrderActs({ order }: { readonly order: OrderLike }) {
  const id = order._id
  return (
    <>
      {order.payment_status !== 'pending' && <Files order={order} />}
      {order.payment_status !== 'pending' && <Deliver orderId={id} />}
      {order.status === 'pending' && (
        <AccountAct
          needs="order"
          label="Cancel"
          title={`Cancel ${order.orderName}?`}
          tone="danger"
          run={async () => dataOf(await api.POST('/api/orders/{id}/cancel', { params: { path: { id } } }))}
        >
          <p>Nothing was paid, and nothing will be.</p>
        </AccountAct>
      )}
      <Link href={`/deliveries?order=${id}`}>Its deliveries</Link>
    </>
  )
}

function Files({ order: { _id: id, orderName } }: { readonly order: OrderLike }) {
  const [failed, setFailed] = useState(false)
  const save = async (format: 'csv' | 'json') => {
    const answer = await api.GET('/api/orders/{id}/export', {
      params: { path: { id }, query: { format } },
      parseAs: 'blob',
    })
    setFailed(!answer.data)
    if (answer.data) saveAs(answer.data, `${orderName}.${format}`)
  }
  return (
    <>
      <button type="button" onClick={() => void save('csv')}>
        CSV
      </button>
      <button type="button" onClick={() => void save('json')}>
        JSON
      </button>
      {failed && <span role="alert">The file could not be fetched. Press again.</span>}
    </>
  )
}

function Deliver({ orderId }: { readonly orderId: string }) {
  const may = useMay('deliver')
  const destinations = useQuery({
    queryKey: ['destinations'],
    queryFn: async () => dataOf(await api.GET('/api/crm/destinations')),
    enabled: may,
  })
  const names = destinations.data?.data.map(({ name }) => name) ?? []
  if (!may || !destinations.data) return null
  if (names.length === 0) return <Link href="/destinations">Connect a CRM</Link>
  return (
    <AccountAct
      needs="deliver"
      label="Deliver"
      title="Deliver the leads into a CRM"
      tone="main"
      fields={[{ name: 'destination', label: 'CRM', options: names }]}
      run={async ({ destination }, key) => {
        const chosen = destinations.data.data.find(({ name }) => name === destination)
        const params = { path: { order_id: orderId }, header: { 'Idempotency-Key': key } }
        const body = { destination_id: chosen?.destination_id ?? '' }
        return dataOf(await api.POST('/api/crm/orders/{order_id}/push', { params, body }))
      }}
      shows={() => (
        <p role="status">
          It is on its way. <Link href={`/deliveries?order=${orderId}`}>Watch each lead arrive.</Link>
        </p>
      )}
    />
  )
}
