/** One account: its plan, its grants, its keys, and its credits. */
import { Link, useParams } from 'wouter'
import { Badge } from '../../look/badge.tsx'
import { Facts } from '../../look/facts.tsx'
import { Moment } from '../../look/moment.tsx'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { AccountActs } from './account-acts.tsx'
import { AccountCrms } from './account-crms.tsx'
import { AccountGrants } from './account-grants.tsx'
import { AccountKeys } from './account-keys.tsx'
import { AccountPeople } from './account-people.tsx'
import { AccountUsage } from './account-usage.tsx'

export default function AccountPage() {
  const { id = '' } = useParams()
  const account = useRead(['accounts', 'one', id], () => api.GET('/admin/users/{id}', { params: { path: { id } } }))
  return (
    <Page title={account.data?.email ?? 'Account'} acts={account.data && <AccountActs account={account.data} />}>
      <Reading of={account} what="the account">
        {({ username, plan, is_enterprise, suspended, suspended_at, reason }) => (
          <>
            <p>
              <Badge tone={suspended ? 'bad' : 'good'}>{suspended ? 'suspended' : 'open'}</Badge>{' '}
              <Link href={`/ledger?account=${id}`}>Its transfers</Link> ·{' '}
              <Link href={`/orders?search=${encodeURIComponent(account.data?.email ?? id)}`}>its orders</Link> ·{' '}
              <Link href={`/invoices?search=${id}`}>its invoices</Link> ·{' '}
              <Link href={`/deliveries?account=${id}`}>its deliveries</Link>
            </p>
            <Facts
              of={[
                ['Name', username],
                ['Plan', is_enterprise ? `${plan}, enterprise` : plan],
                ['Id', <code key="id">{id}</code>],
                ['Suspended', suspended_at && <Moment key="at" at={suspended_at} />],
                ['Why', reason],
              ]}
            />
          </>
        )}
      </Reading>
      {!account.isLoadingError && (
        <>
          <AccountGrants id={id} />
          <AccountPeople id={id} />
          <AccountCrms id={id} />
          <AccountKeys id={id} />
          <AccountUsage id={id} />
        </>
      )}
    </Page>
  )
}
