/** Each lead in each CRM: the CRM's response, its record there, and retries of one or of all. */
import { Link } from 'wouter'
import { useAddressChange, useAddressState, useGrowing, usePage } from '../look/address-state.ts'
import { CrmLink } from '../look/delivery.tsx'
import { DeliveryFilters, DeliveryList, deliveriesMax, useAskedDeliveries } from '../look/delivery-list.tsx'
import { counted } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { RetryCount } from '../look/retry-count.tsx'
import { api, dataOf, type SortOf } from '../wire/api.ts'
import { useReadPage } from '../wire/use-read.ts'
import { useMay } from './operator.ts'
import { OperatorAct } from './operator-act.tsx'

type Narrowed = Partial<Record<'user_id' | 'order_id' | 'destination_id', string>>

export default function Deliveries() {
  const may = useMay('operator')
  const [account] = useAddressState('account')
  const [order] = useAddressState('order')
  const [destination] = useAddressState('destination')
  const change = useAddressChange()
  const [page] = usePage()
  const sort = useGrowing<SortOf<'findDeliveries'>>()
  const of: Narrowed = {
    ...(account && { user_id: account }),
    ...(order && { order_id: order }),
    ...(destination && { destination_id: destination }),
  }
  const filter = { ...of, ...useAskedDeliveries() }
  const deliveries = useReadPage(
    ['deliveries', filter, page, sort],
    () => api.GET('/admin/deliveries', { params: { query: { ...filter, page, limit: deliveriesMax, ...sort } } }),
    { refetchInterval: 10_000 },
  )
  const isOfSome = Object.keys(of).length > 0
  return (
    <Page
      title="Deliveries"
      lead="What became of each lead in each CRM, with the CRM’s response."
      acts={<RetryAll of={of} whose={isOfSome ? 'these' : 'all accounts'} />}
    >
      <DeliveryFilters>
        {isOfSome && (
          <button type="button" onClick={() => change({ account: '', order: '', destination: '' })}>
            Show those of all accounts
          </button>
        )}
      </DeliveryFilters>
      <DeliveryList
        of={deliveries}
        isNarrowed={Object.keys(filter).length > 0}
        begin="Leads are delivered once an account has connected a CRM."
        records="/records"
        inCrm={({ crm_id, crm_url }) => (
          <CrmLink id={crm_id} url={crm_url} enter={may ? () => sandboxLink(crm_url ?? '') : undefined} />
        )}
        own={{ head: 'Order', cell: ({ order_id }) => <Link href={`/orders/${order_id}`}>The order</Link> }}
        change={(row) =>
          (row.outcome === 'rejected' || row.outcome === 'pending') && <RetryOne id={row.delivery_id} name={row.name} />
        }
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

function RetryOne({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <OperatorAct
      label="Try again"
      title={`Retry ${name}?`}
      says={() => `${name} will be retried.`}
      calls={() => api.POST('/admin/deliveries/retry', { body: { delivery_id: id } })}
    />
  )
}
