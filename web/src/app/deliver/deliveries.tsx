/** Each lead in each CRM: its outcome, the CRM's response, its record, its receipt, and what fixes a rejection. */
import { Link } from 'wouter'
import { useAddressDetail, useAddressState, useGrowing, usePage } from '../../look/address-state.ts'
import { CrmLink } from '../../look/delivery.tsx'
import { DeliveryFilters, DeliveryList, deliveriesMax, useAskedDeliveries } from '../../look/delivery-list.tsx'
import { Download, fileOf } from '../../look/download.tsx'
import { counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { RetryCount } from '../../look/retry-count.tsx'
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
  const [sent, setSent] = useAddressDetail('sent')
  const [page] = usePage()
  const sort = useGrowing<SortOf<'listDeliveries'>>()
  const asked = { ...(order && { order_id: order }), ...(into && { destination_id: into }) }
  const filter = { ...asked, ...useAskedDeliveries() }
  const isNarrowed = Object.keys(filter).length > 0
  const deliveries = useReadPage(
    ['deliveries', filter, page, sort],
    () => api.GET('/api/crm/deliveries', { params: { query: { ...filter, page, limit: deliveriesMax, ...sort } } }),
    { refetchInterval: 5_000 },
  )
  const names = useCrmNames()
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
      {!isNarrowed && page === 1 && <ByCrmWhereSeen />}
      <DeliveryFilters>
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
      </DeliveryFilters>
      {sent && <Attempts key={sent} of={sent} close={() => setSent('')} />}
      <DeliveryList
        of={deliveries}
        isNarrowed={isNarrowed}
        begin={
          <ForPermitted needs="deliver" asAdmin>
            <Link href="/destinations">Connect a CRM</Link>, open an <Link href="/orders">order</Link>, and press
            “Deliver”.
          </ForPermitted>
        }
        records="/record"
        inCrm={({ delivery_id, destination_id, crm_id, crm_url }) => (
          <CrmLink id={crm_id} url={crm_url} crm={names.get(destination_id)} enter={() => sandboxLink(delivery_id)} />
        )}
        own={{
          head: 'What was sent',
          cell: ({ delivery_id }) => (
            <button type="button" onClick={() => setSent(delivery_id)}>
              Show
            </button>
          ),
        }}
        change={(row) => <DeliveryActs of={row} />}
      />
    </Page>
  )
}
