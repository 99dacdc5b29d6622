/** Refunds that the processor has not made yet; nothing is shown while there are none. */
import { ListTable } from '../look/list-table.tsx'
import { paise } from '../look/numbers.ts'
import { api } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'

const query = { status: 'asked', limit: 100 } as const

export function RefundsInProgress() {
  const refunds = useRead(['payments', 'refunds'], () => api.GET('/admin/payments/refunds', { params: { query } }), {
    refetchInterval: 60_000,
  })
  if (!refunds.isError && !refunds.data?.total) return null
  return (
    <section>
      <h2>Refunds in progress</h2>
      <p>These refunds were requested and are not made yet. Panji checks them every ten minutes.</p>
      <ListTable
        of={refunds}
        what="the refunds"
        caption="Refunds in progress"
        keyOf={({ request_id }) => request_id}
        empty={null}
        columns={[
          { head: 'At', at: ({ asked_at }) => asked_at },
          { head: 'Amount', cell: ({ amount }) => paise(amount), number: true },
          { head: 'Payment', cell: ({ payment_id }) => <code>{payment_id}</code> },
          { head: 'Reference', cell: ({ reference }) => reference },
          { head: 'Reason', cell: ({ reason }) => reason },
          { head: 'By', cell: ({ actor }) => actor },
          { head: 'State', cell: ({ detail }) => detail ?? 'In progress' },
        ]}
      />
    </section>
  )
}
