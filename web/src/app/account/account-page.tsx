/** The account: its name, its usage, its contact rules, and its erasure. */
import { Link } from 'wouter'
import { Facts } from '../../look/facts.tsx'
import { counted, paise } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { UsageTable, usageDays } from '../../look/usage-table.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { Billing } from './billing.tsx'
import { ContactRules } from './contact-rules.tsx'
import { Erasure } from './erasure.tsx'

export default function AccountPage() {
  const me = useRead(['me'], () => api.GET('/api/users/me'))
  const usage = useRead(['usage'], () => api.GET('/api/users/me/usage', { params: { query: { days: usageDays } } }))
  return (
    <Page title="Account">
      <Reading of={me} what="your account">
        {({ email, username, user_id, credit_balance, owed }) => (
          <Facts
            of={[
              ['E-mail', email],
              ['Name', username],
              ['Id', <code key="id">{user_id}</code>],
              [
                'Credits',
                <Link key="credits" href="/credits">
                  {counted(credit_balance, 'credit')}
                </Link>,
              ],
              ...(owed > 0 ? ([['Owed after a chargeback', paise(owed)]] as const) : []),
            ]}
          />
        )}
      </Reading>
      <section>
        <h2>What you used</h2>
        <p className="faint">
          Days are UTC days: limits reset at 5:30 a.m. Indian time. <Link href="/plans">A plan</Link> raises them.
        </p>
        <Reading of={usage} what="what you used">
          {({ limits, days }) => <UsageTable limits={limits} newestFirst={days} />}
        </Reading>
      </section>
      <Billing />
      <ContactRules />
      <Erasure />
    </Page>
  )
}
