/** Each lead in each CRM: the CRM's response, its record there, and retries of one or of all. */
import { Link } from 'wouter'
import { useAddressChange, useAddressState, useGrowing, usePage } from '../look/address-state.ts'
import { Badge } from '../look/badge.tsx'
import { Choice } from '../look/choice.tsx'
import { CrmLink, outcomes, outcomeTones, Said } from '../look/delivery.tsx'
import { ListTable } from '../look/list-table.tsx'
import { counted } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { RetryCount } from '../look/retry-count.tsx'
import { SearchBox } from '../look/search-box.tsx'
import { api, dataOf, type SortOf } from '../wire/api.ts'
import { useReadPage } from '../wire/use-read.ts'
import { useMay } from './operator.ts'
import { OperatorAct } from './operator-act.tsx'

const limit = 50
/** The filters, by their name in the address and in the API. */
const narrowing = { account: 'user_id', order: 'order_id', destination: 'destination_id' } as const
type Narrowed = Partial<Record<(typeof narrowing)[keyof typeof narrowing], string>>

export default function Deliveries() {
  const may = useMay('operator')
  const [outcome, setOutcome] = useAddressState('outcome')
  const [record, setRecord] = useAddressState('record')
  const [account] = useAddressState('account')
  const [order] = useAddressState('order')
  const [destination] = useAddressState('destination')
  const change = useAddressChange()
  const [page] = usePage()
  const sort = useGrowing<SortOf<'findDeliveries'>>()
  const known = outcomes.find((each) => each === outcome)
  const of: Narrowed = {
    ...(account && { user_id: account }),
    ...(order && { order_id: order }),
    ...(destination && { destination_id: destination }),
  }
  const query = { page, limit, ...sort, ...of, ...(known && { outcome: known }), ...(record && { record }) }
  const deliveries = useReadPage(
    ['deliveries', of, outcome, record, page, sort],
    () => api.GET('/admin/deliveries', { params: { query } }),
    { refetchInterval: 10_000 },
  )
  const isNarrowed = Object.keys(of).length > 0
  return (
    <Page
      title="Deliveries"
      lead="What became of each lead in each CRM, with the CRM’s response."
      acts={<RetryAll of={of} whose={isNarrowed ? 'these' : 'all accounts'} />}
    >
      <SearchBox label="Record, such as gst:GSTIN or a CIN" value={record} set={setRecord} />
      <div className="filters">
        <Choice label="Outcome" value={outcome} options={['', ...outcomes]} set={setOutcome} />
        {isNarrowed && (
          <button type="button" onClick={() => change({ account: '', order: '', destination: '' })}>
            Show those of all accounts
          </button>
        )}
      </div>
      <ListTable
        of={deliveries}
        what="the deliveries"
        pages={{ limit, one: 'delivery', newest: ({ created_at }) => created_at }}
        caption="Deliveries"
        keyOf={({ delivery_id }) => delivery_id}
        empty={<p>No delivery matches these filters. Leads are delivered once an account has connected a CRM.</p>}
        columns={[
          {
            head: 'Lead',
            sortedAs: 'name',
            cell: ({ record, name }) => (
              <div className="found-name">
                {name}
                <code>{record}</code>
              </div>
            ),
          },
          { head: 'CRM', cell: ({ destination_name }) => destination_name },
          {
            head: 'Outcome',
            sortedAs: 'outcome',
            cell: (row) => <Badge tone={outcomeTones[row.outcome]}>{row.outcome}</Badge>,
          },
          {
            head: 'CRM response',
            cell: (row) => <Said of={row} />,
          },
          {
            head: 'In the CRM',
            cell: ({ crm_id, crm_url }) => (
              <CrmLink id={crm_id} url={crm_url} enter={may ? () => sandboxLink(crm_url ?? '') : undefined} />
            ),
          },
          {
            head: 'Order',
            cell: ({ order_id }) => <Link href={`/orders/${order_id}`}>The order</Link>,
          },
          { head: 'At', sortedAs: 'at', at: ({ at }) => at },
          {
            head: 'Change',
            cell: (row) =>
              (row.outcome === 'rejected' || row.outcome === 'pending') && (
                <RetryOne id={row.delivery_id} record={row.record} />
              ),
          },
        ]}
      />
    </Page>
  )
}

const sandboxLink = async (record: string) => dataOf(await api.POST('/admin/sandbox/open', { body: { record } }))

function RetryAll({ of, whose }: { readonly of: Narrowed; readonly whose: string }) {
  return (
    <OperatorAct
      label="Retry rejected"
      title={`Retry what the CRMs rejected or deferred, for ${whose}?`}
      calls={() => api.POST('/admin/deliveries/retry', { body: of })}
      shows={({ retried }) => <p role="status">{counted(retried, 'lead')} will be retried.</p>}
    >
      <RetryCount of={of} read={(outcome) => countOf(of, outcome)} />
      <p>What is in the CRM already stays as it is; nothing is written twice.</p>
    </OperatorAct>
  )
}

const countOf = async (of: Narrowed, outcome: 'rejected' | 'pending') => {
  const query = { ...of, outcome, limit: 1 } as const
  return dataOf(await api.GET('/admin/deliveries', { params: { query } })).total
}

function RetryOne({ id, record }: { readonly id: string; readonly record: string }) {
  return (
    <OperatorAct
      label="Try again"
      title={`Retry ${record}?`}
      says={() => `${record} will be retried.`}
      calls={() => api.POST('/admin/deliveries/retry', { body: { delivery_id: id } })}
    />
  )
}
