/** What became of each lead in each CRM, with the CRM's own sentence, its record, and another try. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useAddressState, usePage } from '../../look/address-state.ts'
import { Badge } from '../../look/badge.tsx'
import { Choice } from '../../look/choice.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { CrmLink, outcomes, outcomeTones } from '../../look/delivery.tsx'
import { Moment } from '../../look/moment.tsx'
import { counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Pager } from '../../look/pager.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'

const limit = 50

export default function Deliveries() {
  const [order, setOrder] = useAddressState('order')
  const [outcome, setOutcome] = useAddressState('outcome')
  const [page] = usePage()
  const known = outcomes.find((each) => each === outcome)
  const deliveries = useQuery({
    queryKey: ['deliveries', order, outcome, page],
    queryFn: async () => {
      const query = { page, limit, ...(order && { order_id: order }), ...(known && { outcome: known }) }
      return dataOf(await api.GET('/api/crm/deliveries', { params: { query } }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  })
  return (
    <Page
      title="Deliveries"
      acts={
        order && (
          <AccountAct
            needs="deliver"
            label="Try all refused ones again"
            title="Ask the CRMs again for what they refused?"
            run={async () => dataOf(await api.POST('/api/crm/deliveries/retry', { body: { order_id: order } }))}
            shows={({ retried }) => <p role="status">{counted(retried, 'lead')} will be tried again.</p>}
          />
        )
      }
    >
      <div className="filters">
        <Choice label="Outcome" value={outcome} options={['', ...outcomes]} set={setOutcome} />
        {order && (
          <button type="button" onClick={() => setOrder('')}>
            Show those of all orders
          </button>
        )}
      </div>
      <Reading of={deliveries} what="your deliveries">
        {({ data, total }) => (
          <>
            <DataTable
              caption="Deliveries"
              rows={data}
              keyOf={({ delivery_id }) => delivery_id}
              empty={
                <p>
                  Nothing was delivered yet. <Link href="/destinations">Connect a CRM</Link>, open an{' '}
                  <Link href="/orders">order</Link>, and press “Deliver”.
                </p>
              }
              columns={[
                { head: 'Record', cell: ({ record }) => <code>{record}</code> },
                { head: 'Outcome', cell: (row) => <Badge tone={outcomeTones[row.outcome]}>{row.outcome}</Badge> },
                {
                  head: 'What the CRM said',
                  cell: ({ message, field }) => (field ? `${field}: ${message}` : (message ?? '–')),
                },
                {
                  head: 'In the CRM',
                  cell: ({ delivery_id, crm_id, crm_url }) => (
                    <CrmLink id={crm_id} url={crm_url} enter={() => sandboxLink(delivery_id)} />
                  ),
                },
                { head: 'At', cell: ({ at }) => <Moment at={at} /> },
                {
                  head: 'Change',
                  cell: (row) => row.outcome === 'rejected' && <Retry id={row.delivery_id} record={row.record} />,
                },
              ]}
            />
            <Pager total={total} limit={limit} one="delivery" />
          </>
        )}
      </Reading>
    </Page>
  )
}

async function sandboxLink(id: string) {
  const params = { path: { delivery_id: id } }
  return dataOf(await api.POST('/api/crm/deliveries/{delivery_id}/sandbox', { params, body: {} }))
}

function Retry({ id, record }: { readonly id: string; readonly record: string }) {
  return (
    <AccountAct
      needs="deliver"
      label="Try again"
      title={`Ask the CRM again for ${record}?`}
      run={async () => {
        const params = { path: { delivery_id: id } }
        return dataOf(await api.POST('/api/crm/deliveries/{delivery_id}/retry', { params, body: {} }))
      }}
    />
  )
}
