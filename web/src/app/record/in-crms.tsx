/** A record in each of the account's CRMs: its state, the CRM's response, and its page there. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Badge } from '../../look/badge.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { CrmLink, outcomeTones, Said } from '../../look/delivery.tsx'
import { Moment } from '../../look/moment.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { useMayRead } from '../account.ts'
import { useCrmNames } from '../deliver/crm-names.ts'
import { sandboxLink } from '../deliver/sandbox-link.ts'
import type { RecordType } from '../listed/record-table.tsx'

export function InCrms({ type, id }: { readonly type: RecordType; readonly id: string }) {
  const mayRead = useMayRead('deliver')
  const names = useCrmNames()
  const found = useQuery({
    queryKey: ['deliveries', 'of', type, id],
    queryFn: async () => {
      const query = { record: `${type}:${id}`, limit: 100 }
      const [deliveries, destinations] = await Promise.all([
        api.GET('/api/crm/deliveries', { params: { query } }),
        api.GET('/api/crm/destinations'),
      ])
      return { deliveries: dataOf(deliveries).data, destinations: dataOf(destinations).data }
    },
    enabled: mayRead,
  })
  if (!mayRead) return null
  return (
    <section>
      <h2>In your CRMs</h2>
      <Reading of={found} what="what your CRMs have">
        {({ deliveries, destinations }) => {
          // Newest first, so this is the latest delivery for each CRM.
          const last = new Map(deliveries.toReversed().map((delivery) => [delivery.destination_id, delivery]))
          return (
            <DataTable
              caption="In your CRMs"
              rows={destinations.map((destination) => ({
                destination,
                delivery: last.get(destination.destination_id),
              }))}
              keyOf={({ destination }) => destination.destination_id}
              empty={
                <p>
                  No CRM is connected. <Link href="/destinations/connect">Connect one</Link>, and leads go there as they
                  are bought.
                </p>
              }
              columns={[
                {
                  head: 'CRM',
                  by: ({ destination }) => destination.name,
                  cell: ({ destination: { destination_id, name } }) => (
                    <Link href={`/destinations/${destination_id}`}>{name}</Link>
                  ),
                },
                {
                  head: 'State',
                  by: ({ delivery }) => delivery?.outcome,
                  cell: ({ delivery }) =>
                    delivery ? (
                      <Badge tone={outcomeTones[delivery.outcome]}>{delivery.outcome}</Badge>
                    ) : (
                      <span className="faint">not delivered</span>
                    ),
                },
                { head: 'CRM response', cell: ({ delivery }) => (delivery ? <Said of={delivery} /> : '–') },
                {
                  head: 'Its record',
                  cell: ({ delivery }) =>
                    delivery ? (
                      <CrmLink
                        id={delivery.crm_id}
                        crm={names.get(delivery.destination_id)}
                        url={delivery.crm_url}
                        enter={() => sandboxLink(delivery.delivery_id)}
                      />
                    ) : (
                      '–'
                    ),
                },
                { head: 'At', cell: ({ delivery }) => <Moment at={delivery?.at} /> },
              ]}
            />
          )
        }}
      </Reading>
    </section>
  )
}
