/** Orders the records that were chosen. What it costs is said before, and the order opens when it is placed. */
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { counted } from '../../look/numbers.ts'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import type { ListedRecord } from './record-table.tsx'

export function OrderThese({ records }: { readonly records: readonly ListedRecord[] }) {
  const [, go] = useLocation()
  return (
    <AccountAct
      needs="order"
      label={records.length === 0 ? 'Order the chosen' : `Order ${counted(records.length, 'record')}`}
      title={`Order ${counted(records.length, 'record')}`}
      tone="main"
      disabled={records.length === 0}
      fields={[
        { name: 'orderName', label: 'Name of the order' },
        { name: 'paymentOption', label: 'Paid by', options: ['credits', 'online'] },
      ]}
      run={async ({ orderName = '', paymentOption = 'credits' }, key) => {
        const items = records.map(({ type, name, id }) => ({ type, name, number: id }))
        const params = { header: { 'Idempotency-Key': key } }
        return dataOf(await api.POST('/api/orders/normal', { params, body: { orderName, paymentOption, items } }))
      }}
      done={({ _id }) => go(`/orders/${_id}`)}
    >
      <Price records={records.length} />
    </AccountAct>
  )
}

function Price({ records }: { readonly records: number }) {
  const profile = useQuery({ queryKey: ['profile'], queryFn: async () => dataOf(await api.GET('/api/users/me')) })
  return (
    <p>
      It costs {counted(records, 'credit')}
      {profile.data && <>; you have {counted(profile.data.credit_balance, 'credit')}</>}. A record that cannot be
      reached is refunded by itself.
    </p>
  )
}
