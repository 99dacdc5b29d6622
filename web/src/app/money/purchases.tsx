/** The latest purchases, including any that await payment. Shown only if there are some. */
import { Link } from 'wouter'
import { DataTable } from '../../look/data-table.tsx'
import { Moment } from '../../look/moment.tsx'
import { paise } from '../../look/numbers.ts'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { PurchaseState } from './purchase-state.tsx'

const limit = 5

export function Purchases() {
  const purchases = useRead(['purchases'], () => api.GET('/api/credits/purchases', { params: { query: { limit } } }))
  if (!purchases.data || purchases.data.total === 0) return null
  return (
    <section>
      <h2>Latest purchases</h2>
      <DataTable
        caption="Latest purchases"
        rows={purchases.data.data}
        keyOf={({ purchase_id }) => purchase_id}
        empty={null}
        columns={[
          {
            head: 'Bought',
            cell: ({ purchase_id, name }) => <Link href={`/purchases/${purchase_id}`}>{name}</Link>,
          },
          { head: 'State', cell: ({ status }) => <PurchaseState status={status} /> },
          { head: 'Price', cell: ({ amount }) => paise(amount), number: true },
          { head: 'At', cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
      <p>
        <Link href="/invoices">Invoices and credit notes</Link>
      </p>
    </section>
  )
}
