/** One standing order: its query and budget, its preview, and its runs. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { StandingState } from '../../look/standing-state.tsx'
import { api, dataOf } from '../../wire/api.ts'
import { useMay } from '../account.ts'
import { AccountAct } from '../account-act.tsx'
import { useCrms } from './crms.ts'
import { StandingFacts } from './standing-facts.tsx'
import { StandingPreview } from './standing-preview.tsx'
import { StandingRuns } from './standing-runs.tsx'

export default function StandingOrder() {
  const { id = '' } = useParams()
  const order = useQuery({
    queryKey: ['standing-order', id],
    queryFn: async () => dataOf(await api.GET('/api/standing-orders/{id}', { params: { path: { id } } })),
    // A run changes what is spent, and may block the order.
    refetchInterval: 15_000,
  })
  const path = { params: { path: { id } } }
  const [mayOrder, crms] = [useMay('order'), useCrms()]
  return (
    <Reading of={order} what="this standing order">
      {(known) => (
        <Page
          title={known.name}
          acts={
            <>
              {known.state !== 'active' && known.state !== 'ended' && (
                <AccountAct
                  needs="order"
                  label="Switch on"
                  title={`Switch ${known.name} on?`}
                  says={() => `${known.name} is on.`}
                  tone="main"
                  calls={() => api.POST('/api/standing-orders/{id}/resume', { ...path, body: {} })}
                >
                  <p>
                    It looks at imports from now on
                    {known.buys
                      ? '. The first run that finds anything waits for your approval.'
                      : ', and buys nothing.'}
                  </p>
                </AccountAct>
              )}
              {(known.state === 'active' || known.state === 'blocked') && (
                <AccountAct
                  needs="order"
                  label="Pause"
                  title={`Pause ${known.name}?`}
                  says={() => `${known.name} is paused.`}
                  calls={() => api.POST('/api/standing-orders/{id}/pause', { ...path, body: {} })}
                >
                  <p>No credit is spent after that. Matches found while it is paused are not bought later.</p>
                </AccountAct>
              )}
              {known.state !== 'ended' && mayOrder && (
                <Link href={`/standing-orders/${id}/change`} className="button">
                  Change
                </Link>
              )}
              {known.state !== 'ended' && (
                <AccountAct
                  needs="order"
                  label="End"
                  title={`End ${known.name} for good?`}
                  says={() => `${known.name} has ended.`}
                  calls={() => api.POST('/api/standing-orders/{id}/end', { ...path, body: {} })}
                >
                  <p>What it bought stays yours.</p>
                </AccountAct>
              )}
            </>
          }
        >
          <p>
            <StandingState of={known} />
          </p>
          {known.notice && <NoRegistrations type={known.type} />}
          <StandingFacts of={known} crms={crms} />
          <StandingRuns id={id} />
          <StandingPreview id={id} revision={known.revision} type={known.type} shown={known.state === 'draft'} />
        </Page>
      )}
    </Reading>
  )
}

function NoRegistrations({ type }: { readonly type: 'company' | 'gst' }) {
  const registered = type === 'gst' ? 'GST registrations' : 'companies'
  return (
    <p className="notice warn" role="note">
      Your plans open no new {registered}, so it finds none of the last 90 days.{' '}
      <Link href="/plans">See the plans</Link>.
    </p>
  )
}
