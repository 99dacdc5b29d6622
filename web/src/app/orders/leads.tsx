/** The leads of an order, with the columns a caller needs. */
import type { Column } from '../../look/column.ts'
import { DataTable } from '../../look/data-table.tsx'
import { plain } from '../../look/facts.tsx'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'

type Lead = Readonly<Record<string, unknown>>
const shown = ['Company', 'Last_Name', 'Email', 'Mobile', 'City', 'State', 'GSTIN', 'CIN', 'DIN']

export function Leads({ orderId }: { readonly orderId: string }) {
  const params = { path: { order_id: orderId }, query: { format: 'flat' } } as const
  const leads = useRead(['orders', 'leads', orderId], () => api.GET('/api/crm/orders/{order_id}/leads', { params }))
  return (
    <section>
      <h2>Leads</h2>
      <Reading of={leads} what="the leads">
        {({ leads: found }) => {
          const rows = found.map((lead, key) => ({ lead: lead as Lead, key }))
          const columns = shown
            .filter((name) => rows.some(({ lead }) => lead[name] !== undefined && lead[name] !== null))
            .map(
              (name): Column<(typeof rows)[number]> => ({
                head: name.replaceAll('_', ' '),
                by: ({ lead }) => plain(lead[name]),
                cell: ({ lead }) => plain(lead[name]),
              }),
            )
          return (
            <DataTable
              caption="Leads of the order"
              rows={rows}
              keyOf={({ key }) => key}
              empty={<p>It has no leads: no record can be reached, or what it cost was refunded.</p>}
              columns={columns}
            />
          )
        }}
      </Reading>
    </section>
  )
}
