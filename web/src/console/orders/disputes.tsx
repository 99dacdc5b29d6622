/** Contacts that buyers reported as bad, the longest waiting first. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useAddressState, usePage } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { Moment } from '../../look/moment.tsx'
import { Page } from '../../look/page.tsx'
import { Pager } from '../../look/pager.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { OperatorAct } from '../operator-act.tsx'

const limit = 25
const states = ['open', 'accepted', 'rejected'] as const

export default function Disputes() {
  const [status, setStatus] = useAddressState('status', 'open')
  const [page] = usePage()
  const known = states.find((each) => each === status)
  const disputes = useQuery({
    queryKey: ['disputes', status, page],
    queryFn: async () =>
      dataOf(await api.GET('/admin/disputes', { params: { query: { page, limit, ...(known && { status: known }) } } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="Reports" lead="Contacts that buyers say are bad. One that is accepted gives the credit back.">
      <div className="filters">
        <Choice label="State" value={status} options={['', ...states]} set={setStatus} />
      </div>
      <Reading of={disputes} what="the reports">
        {({ data, total }) => (
          <>
            <DataTable
              caption="Reports"
              rows={data}
              keyOf={({ dispute_id }) => dispute_id}
              empty={<p>No report waits.</p>}
              columns={[
                { head: 'Since', cell: ({ opened_at }) => <Moment at={opened_at} /> },
                { head: 'Record', cell: ({ number }) => <code>{number}</code> },
                { head: 'Why', cell: ({ reason }) => reason },
                { head: 'Order', cell: ({ order_id }) => <Link href={`/orders/${order_id}`}>Its page</Link> },
                { head: 'State', cell: (dispute) => `${dispute.status}${dispute.note ? `: ${dispute.note}` : ''}` },
                {
                  head: 'Change',
                  cell: (dispute) =>
                    dispute.status === 'open' && <Decide id={dispute.dispute_id} number={dispute.number} />,
                },
              ]}
            />
            <Pager total={total} limit={limit} one="report" />
          </>
        )}
      </Reading>
    </Page>
  )
}

function Decide({ id, number }: { readonly id: string; readonly number: string }) {
  return (
    <OperatorAct
      label="Decide"
      title={`The report of ${number}`}
      tone="main"
      fields={[
        { name: 'decision', label: 'Decision', options: ['accept', 'reject'] },
        { name: 'reason', label: 'Reason', hint: 'The buyer reads it.' },
      ]}
      run={async ({ decision, reason = '' }) => {
        const body = { decision: decision === 'accept' ? 'accept' : 'reject', reason } as const
        return dataOf(await api.POST('/admin/disputes/{id}/decide', { params: { path: { id } }, body }))
      }}
    />
  )
}
