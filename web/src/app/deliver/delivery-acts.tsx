/**
 * Actions on one delivery: its receipt once the CRM has accepted it, the plan that it waits for, and for a rejected one
 * a retry or a fix. Nothing is sent to a CRM that was removed.
 */
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { Download, fileOf } from '../../look/download.tsx'
import type { Typed } from '../../look/field-shape.ts'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { FixFields, fixedOf } from './fix-fields.tsx'
import { useDestinations } from './use-destinations.ts'

type Delivery = components['schemas']['Delivery']

/** What a plan of its order does for a delivery that waits, by code. */
const planLabels: ReadonlyMap<string | null, string> = new Map([
  ['MATCH_NEEDS_DECISION', 'Decide'],
  ['NEEDS_APPROVAL', 'Review plan'],
])

export function DeliveryActs({ of: delivery }: { readonly of: Delivery }) {
  const { delivery_id, outcome, record, name } = delivery
  const crms = useDestinations().data?.data
  const isRemoved = crms?.every(({ destination_id }) => destination_id !== delivery.destination_id) === true
  if (outcome === 'created' || outcome === 'updated' || outcome === 'unchanged') {
    return (
      <div className="acts">
        <Download
          label="Receipt"
          name={`receipt-${delivery_id}.json`}
          fetch={async () => {
            const params = { path: { delivery_id } }
            return fileOf(await api.GET('/api/crm/deliveries/{delivery_id}/receipt', { params, parseAs: 'blob' }))
          }}
        />
        {!isRemoved && (
          <Link href={`/destinations/${delivery.destination_id}/resend?record=${encodeURIComponent(record)}`}>
            Send again
          </Link>
        )}
      </div>
    )
  }
  if (isRemoved) return null
  const planned = outcome === 'pending' ? planLabels.get(delivery.code) : undefined
  if (planned !== undefined)
    return (
      <div className="acts">
        <Link className="button main" href={`/orders/${delivery.order_id}/deliver?into=${delivery.destination_id}`}>
          {planned}
        </Link>
      </div>
    )
  if (outcome !== 'rejected') return null
  return (
    <div className="acts">
      <AccountAct
        needs="deliver"
        label="Try again"
        title={`Retry ${name}?`}
        says={() => `${name} will be retried.`}
        calls={() => {
          const params = { path: { delivery_id } }
          return api.POST('/api/crm/deliveries/{delivery_id}/retry', { params, body: {} })
        }}
      />
      <AccountAct
        needs="deliver"
        label="Fix"
        title={`Fix ${name}`}
        tone="main"
        run={(typed) => fix(delivery, typed)}
        shows={({ fixed }) => (
          <p role="status">
            {fixed === 1
              ? 'The row is sent again with your changes.'
              : 'Nothing was changed, so the row is not sent again.'}
          </p>
        )}
      >
        <p>
          The CRM said: {delivery.field && `${delivery.field}: `}
          {delivery.message ?? 'no reason'}. Your changes go to this CRM only; your order and its files stay as they
          are.
        </p>
        <FixFields of={delivery} />
      </AccountAct>
    </div>
  )
}

async function fix(delivery: Delivery, typed: Typed) {
  const rows = [{ delivery_id: delivery.delivery_id, values: fixedOf(delivery, typed) }]
  return dataOf(await api.POST('/api/crm/deliveries/fix', { body: { rows } }))
}
