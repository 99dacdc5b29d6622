/**
 * What delivering an order to a CRM would do, lead by lead, before anything is written. Approval sends the plan's hash:
 * the server refuses it if the CRM or the data has changed since.
 */

import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from 'wouter'
import { useAddressState } from '../../look/address-state.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { fixed, queries } from '../../wire/queries.ts'
import { Needs } from '../needs.tsx'
import { PlanActs } from './plan-acts.tsx'
import { type Plan, PlannedRows } from './planned-rows.tsx'
import { useDestinations } from './use-destinations.ts'

const whileTheyAreBuiltMs = 2_000

export default function PlanPage() {
  const { id = '' } = useParams()
  const [into, setInto] = useAddressState('into')
  return (
    <Page title="Deliver an order" lead={<Link href={`/orders/${id}`}>The order</Link>}>
      <Needs scope="deliver">
        <ChooseCrm chosen={into} choose={setInto} />
        {into !== '' && <PlanOf key={into} orderId={id} into={into} />}
      </Needs>
    </Page>
  )
}

function ChooseCrm({ chosen, choose }: { readonly chosen: string; readonly choose: (id: string) => void }) {
  const destinations = useDestinations()
  return (
    <Reading of={destinations} what="your CRMs">
      {({ data }) =>
        data.length === 0 ? (
          <p>
            No CRM is connected. <Link href="/destinations/connect">Connect one.</Link>
          </p>
        ) : (
          <fieldset>
            <legend>Into which CRM?</legend>
            <div className="acts">
              {data.map(({ destination_id, name }) => (
                <button
                  key={destination_id}
                  type="button"
                  aria-pressed={destination_id === chosen}
                  onClick={() => choose(destination_id)}
                >
                  {name}
                </button>
              ))}
            </div>
          </fieldset>
        )
      }
    </Reading>
  )
}

function PlanOf({ orderId, into }: { readonly orderId: string; readonly into: string }) {
  const [, go] = useLocation()
  const path = { order_id: orderId }
  const plan = useQuery({
    // A plan costs CRM calls, so it is made once, and again only on request.
    ...{ queryKey: ['plan', orderId, into], meta: fixed },
    queryFn: async (): Promise<Plan | 'leads not ready'> => {
      const answer = await api.POST('/api/crm/orders/{order_id}/plan', {
        params: { path },
        body: { destination_id: into },
      })
      return answer.error?.error_code === 'LEADS_NOT_READY' ? 'leads not ready' : dataOf(answer)
    },
    // While the leads are being built no CRM is called, and there is nothing to cache.
    staleTime: ({ state }) => (state.data === 'leads not ready' ? 0 : Number.POSITIVE_INFINITY),
    refetchInterval: ({ state }) => (state.data === 'leads not ready' ? whileTheyAreBuiltMs : false),
  })
  return (
    <Reading of={plan} what="what the CRM holds, and what would change">
      {(data) =>
        data === 'leads not ready' ? (
          <p role="status">
            The leads of this order are still being built. This page updates automatically and then shows what would
            change.
          </p>
        ) : (
          <>
            <PlannedRows of={data} />
            <PlanActs
              of={data}
              query={plan}
              title="Deliver as planned?"
              says="The delivery has started."
              calls={(approved, key) => {
                const params = { path, header: { 'Idempotency-Key': key } }
                const body = { destination_id: into, ...approved }
                return api.POST('/api/crm/orders/{order_id}/push', { params, body })
              }}
              done={() => {
                // What it planned has been done.
                queries.removeQueries({ queryKey: ['plan', orderId, into] })
                go(`/deliveries?order=${orderId}&destination=${into}`)
              }}
            >
              It happens as planned or not at all: if the CRM or the data has changed since, it is refused and you plan
              again.
            </PlanActs>
          </>
        )
      }
    </Reading>
  )
}
