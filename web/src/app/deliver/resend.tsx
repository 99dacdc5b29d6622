/**
 * Resends what a CRM holds, what an order delivered there, or one record, after showing what that would do. Approval
 * sends the plan's hash: the server refuses it if the CRM or the data has changed since.
 */

import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from 'wouter'
import { useAddressState } from '../../look/address-state.ts'
import { counted } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { SearchBox } from '../../look/search-box.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { fixed, queries } from '../../wire/queries.ts'
import { Needs } from '../needs.tsx'
import { PlanActs } from './plan-acts.tsx'
import { PlannedRows } from './planned-rows.tsx'

export default function ResendPage() {
  const { id = '' } = useParams()
  const [order, setOrder] = useAddressState('order')
  const [record, setRecord] = useAddressState('record')
  return (
    <Page title="Send again" lead={<Link href={`/destinations/${id}`}>The CRM</Link>}>
      <Needs scope="deliver">
        <SearchBox label="GSTIN, CIN or DIN" value={record} set={setRecord} />
        {order !== '' && (
          <button type="button" onClick={() => setOrder('')}>
            Plan all orders
          </button>
        )}
        <PlanOf key={`${order} ${record}`} id={id} order={order} record={record} />
      </Needs>
    </Page>
  )
}

function PlanOf({ id, order, record }: { readonly id: string; readonly order: string; readonly record: string }) {
  const [, go] = useLocation()
  const params = { path: { destination_id: id } }
  const asked = { ...(order && { order_id: order }), ...(record && { record }) }
  const plan = useQuery({
    // A plan costs CRM calls, so it is made once, and again only on request.
    ...{ queryKey: ['resend', id, order, record], meta: fixed, staleTime: Number.POSITIVE_INFINITY },
    queryFn: async () =>
      dataOf(await api.POST('/api/crm/destinations/{destination_id}/resend/plan', { params, body: asked })),
  })
  return (
    <Reading of={plan} what="what the CRM holds, and what would change">
      {(data) => (
        <>
          <p>{counted(data.records, 'record')} would be sent again. It costs nothing.</p>
          <PlannedRows of={data} empty="No record would change." />
          <PlanActs
            of={data}
            query={plan}
            title="Send again as planned?"
            says="The leads are sent again."
            calls={(approved) => {
              const body = { ...asked, ...approved }
              return api.POST('/api/crm/destinations/{destination_id}/resend', { params, body })
            }}
            done={() => {
              // What it planned has been done.
              queries.removeQueries({ queryKey: ['resend', id] })
              go(`/deliveries?destination=${id}${order && `&order=${order}`}${record && `&record=${record}`}`)
            }}
          >
            It happens as planned or not at all.
          </PlanActs>
        </>
      )}
    </Reading>
  )
}
