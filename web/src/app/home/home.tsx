/**
 * Home: what needs attention, what happened this week, and where to continue. A new account sees first steps and its
 * plan's feeds.
 */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { useMayRead } from '../account.ts'
import { FirstSteps } from './first-steps.tsx'
import { lastVisit } from './last-visit.ts'
import { NeedsYou } from './needs-you.tsx'
import { PlanOpens } from './plan-opens.tsx'
import { ThisWeek } from './this-week.tsx'

export default function Home() {
  const [since] = useState(lastVisit)
  // A key without the scope to deliver gets no information about CRMs.
  const seesCrms = useMayRead('deliver')
  const home = useQuery({
    queryKey: ['home', seesCrms],
    queryFn: async () => {
      const [access, lots, destinations, deliveries, orders] = await Promise.all([
        api.GET('/api/access'),
        api.GET('/api/credits/lots'),
        seesCrms ? api.GET('/api/crm/destinations') : undefined,
        api.GET('/api/crm/delivery-summary'),
        api.GET('/api/orders', { params: { query: { limit: 1, page: 1 } } }),
      ])
      return {
        access: dataOf(access),
        lots: dataOf(lots).data,
        destinations: destinations ? dataOf(destinations).data : [],
        deliveries: dataOf(deliveries).data,
        hasOrders: dataOf(orders).total > 0,
      }
    },
  })
  return (
    <Page title="Home">
      <Reading of={home} what="your overview">
        {(read) => (
          <>
            <NeedsYou {...read} />
            {read.hasOrders ? <ThisWeek {...read} since={since} /> : <FirstSteps {...read} />}
            <PlanOpens access={read.access} />
          </>
        )}
      </Reading>
    </Page>
  )
}
