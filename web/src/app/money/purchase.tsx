/**
 * One purchase: the link to pay for it, and its outcome. The processor notifies the server, this page polls the server
 * every two seconds, and nothing is shown as paid before the server says so.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { Facts } from '../../look/facts.tsx'
import { Moment } from '../../look/moment.tsx'
import { paise } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { PayHere } from './pay-here.tsx'
import { PurchaseState } from './purchase-state.tsx'

const askAgainMs = 2_000

export default function PurchasePage() {
  const { id = '' } = useParams()
  const cache = useQueryClient()
  const purchase = useRead(
    ['purchases', 'one', id],
    () => api.GET('/api/credits/purchases/{id}', { params: { path: { id } } }),
    { refetchInterval: ({ state }) => (state.data?.status === 'pending' ? askAgainMs : false) },
  )
  const status = purchase.data?.status
  useEffect(() => {
    // Pages that show what was bought must read it again.
    if (status === 'paid')
      for (const key of ['credits', 'access', 'invoices']) void cache.invalidateQueries({ queryKey: [key] })
  }, [status, cache])
  return (
    <Page title={purchase.data ? `Purchase of ${purchase.data.name}` : 'Purchase'}>
      <Reading of={purchase} what="the purchase">
        {(data) => (
          <>
            <p role="status">
              <PurchaseState status={data.status} />{' '}
              {data.status === 'paid' &&
                (data.kind === 'credits' ? 'The credits are yours.' : 'Your access is active.')}
            </p>
            {data.status === 'pending' && <PayHere amount={data.amount} payment={data.payment} />}
            {data.status === 'expired' && (
              <p>
                It was not paid in time, and nothing was charged.{' '}
                <Link href={data.kind === 'credits' ? '/credits' : '/plans'}>Buy again.</Link>
              </p>
            )}
            {data.status === 'paid' && (
              <p>
                {data.kind === 'credits' ? (
                  <Link href="/search">Search for records to order</Link>
                ) : (
                  <Link href="/plans">See what you have now</Link>
                )}{' '}
                · <Link href="/invoices">The invoice</Link>
              </p>
            )}
            <Facts
              of={[
                ['Price', paise(data.amount)],
                ['Started', <Moment key="begun" at={data.created_at} />],
                ['Paid', data.paid_at && <Moment key="paid" at={data.paid_at} />],
                ['Processor’s order', data.payment?.id],
              ]}
            />
          </>
        )}
      </Reading>
    </Page>
  )
}
