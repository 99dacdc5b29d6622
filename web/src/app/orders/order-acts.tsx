/** Actions on an order: files, late contacts, cancelling an unpaid one, and delivery to a CRM. */

import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { Download, fileOf } from '../../look/download.tsx'
import { api } from '../../wire/api.ts'
import { useMay } from '../account.ts'
import { AccountAct } from '../account-act.tsx'
import { Reclaim } from './reclaim.tsx'

type OrderLike = components['schemas']['Order']

export function OrderActs({ order }: { readonly order: OrderLike }) {
  const id = order._id
  const mayDeliver = useMay('deliver')
  const isPaid = order.payment_status === 'paid'
  return (
    <>
      {isPaid && <Files order={order} />}
      {isPaid && <Reclaim order={order} />}
      {isPaid && mayDeliver && (
        <Link className="button main" href={`/orders/${id}/deliver`}>
          Deliver
        </Link>
      )}
      {order.status === 'pending' && (
        <AccountAct
          needs="order"
          label="Cancel"
          title={`Cancel ${order.orderName}?`}
          says={() => `${order.orderName} is cancelled.`}
          tone="danger"
          calls={() => api.POST('/api/orders/{id}/cancel', { params: { path: { id } } })}
        >
          <p>Nothing was charged. A payment that is already on its way becomes credits.</p>
        </AccountAct>
      )}
      <Link href={`/deliveries?order=${id}`}>Its deliveries</Link>
    </>
  )
}

const formats = ['csv', 'xlsx', 'json'] as const

function Files({ order: { _id: id, orderName } }: { readonly order: OrderLike }) {
  return formats.map((format) => (
    <Download
      key={format}
      label={format.toUpperCase()}
      name={`${orderName}.${format}`}
      fetch={async (progress) => {
        // Excel reads a CSV as UTF-8 only with a byte order mark.
        const query = { format, ...(format === 'csv' && { bom: 'true' as const }) }
        return fileOf(
          await api.GET('/api/orders/{id}/export', { params: { path: { id }, query }, parseAs: 'stream' }),
          progress,
        )
      }}
    />
  ))
}
