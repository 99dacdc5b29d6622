/** Each lead in each CRM: its outcome, the CRM's response, its record, its receipt, and what fixes a rejection. */
import { Link } from 'wouter'
import { useAddressDetail, useAddressState, useGrowing, usePage } from '../../look/address-state.ts'
import { Badge } from '../../look/badge.tsx'
import { Choice } from '../../look/choice.tsx'
import { CrmLink, outcomes, outcomeTones, Said } from '../../look/delivery.tsx'
import { Download, fileOf } from '../../look/download.tsx'
import { ListTable } from '../../look/list-table.tsx'
import { counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { RetryCount } from '../../look/retry-count.tsx'
import { SearchBox } from '../../look/search-box.tsx'
import { api, dataOf, type SortOf } from '../../wire/api.ts'
import { useReadPage } from '../../wire/use-read.ts'
import { useMayRead } from '../account.ts'
import { AccountAct } from '../account-act.tsx'
import { ForPermitted } from '../for-permitted.tsx'
import { Attempts } from './attempts.tsx'
import { ByCrm } from './by-crm.tsx'
import { useCrmNames } from './crm-names.ts'
import { DeliveryActs } from './delivery-acts.tsx'
import { sandboxLink } from './sandbox-link.ts'

const limit = 50

/** A key without the scope to deliver gets no information about CRMs. */
const ByCrmWhereSeen = () => (useMayRead('deliver') ? <ByCrm /> : null)

const countOf = async (
  of: { readonly order_id?: string; readonly destination_id?: string },
  outcome: 'rejected' | 'pending',
) => {
  const query = { ...of, outcome, limit: 1 } as const
  return dataOf(await api.GET('/api/crm/deliveries', { params: { query } })).total
}

export default function Deliveries() {
  const [order, setOrder] = useAddressState('order')
  const [into, setInto] = useAddressState('destination')
  const [outcome, setOutcome] = useAddressState('outcome')
  const [record, setRecord] = useAddressState('record')
  const [sent, setSent] = useAddressDetail('sent')
  const [page] = usePage()
  const sort = useGrowing<SortOf<'listDeliveries'>>()
  const known = outcomes.find((each) => each === outcome)
  const filter = {
    ...(order && { order_id: order }),
    ...(into && { destination_id: into }),
    ...(known && { outcome: known }),
    ...(record && { record }),
  }
  const deliveries = useReadPage(
    ['deliveries', filter, page, sort],
    () => api.GET('/api/crm/deliveries', { params: { query: { ...filter, page, limit, ...sort } } }),
    { refetchInterval: 5_000 },
  )
  const names = useCrmNames()
  const asked = { ...(order && { order_id: order }), ...(into && { destination_id: into }) }
  return (
    <Page
      title="Deliveries"
      acts={
        <>
          {deliveries.data && deliveries.data.total > 0 && (
            <Download
              label="Download CSV"
              name="deliveries.csv"
              fetch={async (progress) => {
                const query = { ...filter, format: 'csv' } as const
                return fileOf(
                  await api.GET('/api/crm/deliveries/export', { params: { query }, parseAs: 'stream' }),
                  progress,
                )
              }}
            />
          )}
          <AccountAct
            needs="deliver"
            label="Retry all rejected"
            title="Retry what the CRMs rejected?"
            calls={() => api.POST('/api/crm/deliveries/retry', { body: asked })}
            shows={({ retried }) => <p role="status">{counted(retried, 'lead')} will be retried.</p>}
          >
            <RetryCount of={asked} read={(which) => countOf(asked, which)} />
            <p>{order || into ? 'Applies to the order or CRM that is shown.' : 'Applies to all orders and CRMs.'}</p>
          </AccountAct>
        </>
      }
    >
      {!order && !into && !record && !outcome && page === 1 && <ByCrmWhereSeen />}
      <SearchBox label="GSTIN, CIN or DIN" value={record} set={setRecord} />
      <div className="filters">
        <Choice label="Outcome" value={outcome} options={['', ...outcomes]} set={setOutcome} />
        {order && (
          <button type="button" onClick={() => setOrder('')}>
            Show those of all orders
          </button>
        )}
        {into && (
          <button type="button" onClick={() => setInto('')}>
            Show those of all CRMs
          </button>
        )}
      </div>
      {sent && <Attempts key={sent} of={sent} close={() => setSent('')} />}
      <ListTable
        of={deliveries}
        what="your deliveries"
        pages={{ limit, one: 'delivery', newest: ({ created_at }) => created_at }}
        caption="Deliveries"
        keyOf={({ delivery_id }) => delivery_id}
        empty={
          <p>
            {Object.keys(filter).length > 0 ? 'No delivery matches these filters.' : 'Nothing was delivered yet.'}{' '}
            <ForPermitted needs="deliver" asAdmin>
              <Link href="/destinations">Connect a CRM</Link>, open an <Link href="/orders">order</Link>, and press
              “Deliver”.
            </ForPermitted>
          </p>
        }
        columns={[
          {
            head: 'Lead',
            sortedAs: 'name',
            cell: ({ record, name }) => (
              <div className="found-name">
                <Link href={`/record/${record.replace(':', '/')}`}>{name}</Link>
                <code>{record.slice(record.indexOf(':') + 1)}</code>
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
            cell: ({ delivery_id, destination_id, crm_id, crm_url }) => (
              <CrmLink
                id={crm_id}
                url={crm_url}
                crm={names.get(destination_id)}
                enter={() => sandboxLink(delivery_id)}
              />
            ),
          },
          {
            head: 'What was sent',
            cell: ({ delivery_id }) => (
              <button type="button" onClick={() => setSent(delivery_id)}>
                Show
              </button>
            ),
          },
          { head: 'At', sortedAs: 'at', at: ({ at }) => at },
          { head: 'Change', cell: (row) => <DeliveryActs of={row} /> },
        ]}
      />
    </Page>
  )
}
