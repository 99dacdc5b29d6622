/** The buyer app: sign-in, then the pages that read, buy and deliver. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PanjiApiError } from '../../../client/api-error.ts'
import { DialogPlace } from '../look/dialog-place.tsx'
import { Entered } from '../look/entered.tsx'
import { Failure } from '../look/failure.tsx'
import { Layout } from '../look/layout.tsx'
import { PageRoutes } from '../look/page-route.tsx'
import { Palette } from '../look/palette.tsx'
import { Reading } from '../look/reading.tsx'
import { Remedies } from '../look/remedies.ts'
import { SignIn } from '../look/sign-in.tsx'
import { start } from '../look/start.tsx'
import { ToastPlace } from '../look/toast.tsx'
import { beginSession, forgetSession, sessionKey } from '../wire/queries.ts'
import {
  type AccountSession,
  readSession,
  readSignInWays,
  signIn,
  signOut,
  takeCodesFromAddress,
  takeRefusalFromAddress,
} from '../wire/session.ts'
import { Account } from './account.ts'
import { BrokenCrms } from './deliver/broken-crms.tsx'
import { LinkForm, MailedLink } from './mailed-link.tsx'
import { LinkToCredits } from './money/credits-left.tsx'
import { entries, navigation, routes } from './pages.ts'
import { ProviderSignIn } from './provider-sign-in.tsx'
import { MustAddFactor } from './team/must-add.tsx'
import { Tour } from './tour/tour.tsx'

const codes = takeCodesFromAddress()
const refused = takeRefusalFromAddress()

const fixes = {
  INSUFFICIENT_CREDITS: { href: '/credits', label: 'Buy credits.' },
  NOT_FOUND: {
    says: 'Check the address, and that you are signed in to the account that it belongs to.',
    ...{ href: '/', label: 'Home' },
  },
  CRM_UNAUTHORIZED: { href: '/destinations', label: 'Renew the credentials.' },
  NO_DATASET_ACCESS: { href: '/plans', label: 'See the plans.' },
  TERRITORY_NOT_ENTITLED: { href: '/plans', label: 'See the plans.' },
  QUOTA_EXCEEDED: { href: '/plans', label: 'See the plans.' },
  RATE_LIMITED: { href: '/account', label: 'See what is left of today.' },
  ROLE_MISSING: { href: '/team', label: 'See your team.' },
  SCOPE_MISSING: { href: '/keys', label: 'See your keys.' },
} as const

function App() {
  const session = useQuery({
    queryKey: sessionKey,
    queryFn: () => readSession<AccountSession>('/app'),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  // A person of another account may sign in next.
  if (session.error instanceof PanjiApiError && session.error.code === 'ACCOUNT_SUSPENDED') {
    return (
      <main>
        <SignInPage said={<Failure of={session.error} />} />
      </main>
    )
  }
  return (
    <Reading of={session} what="who is signed in">
      {(account) => (
        <Entered session={account} signIn={<SignInPage />}>
          {(entered) => <SignedIn account={entered} />}
        </Entered>
      )}
    </Reading>
  )
}

function SignedIn({ account }: { readonly account: AccountSession }) {
  const leave = () => {
    void signOut('/app')
    forgetSession()
  }
  return (
    <Account value={account}>
      <Remedies value={fixes}>
        <Layout
          name="Panji"
          who={
            <>
              {account.name}
              {account.person && <span className="person">{account.person.email}</span>}
              {!account.must_add_second_factor && <LinkToCredits />}
            </>
          }
          isSampleWorld={account.is_sample_world}
          navigation={navigation}
          palette={
            <Palette
              entries={entries}
              finds="an order, CIN, GSTIN, DIN, name"
              find={async (typed) => (await import('./find.ts')).find(typed, account)}
            />
          }
          signOut={leave}
        >
          {account.viewed_by && (
            <p className="notice warn" role="note">
              {account.viewed_by} sees what {account.email} sees, read-only. Each view is recorded in the audit log.{' '}
              <a href={`/console/accounts/${account.user_id}`}>Back to the console</a>
            </p>
          )}
          {account.viewed_by === null && !account.must_add_second_factor && <Tour />}
          {!account.must_add_second_factor && <BrokenCrms />}
          <ToastPlace>
            <DialogPlace>
              {account.must_add_second_factor ? <MustAddFactor /> : <PageRoutes routes={routes} />}
            </DialogPlace>
          </ToastPlace>
        </Layout>
      </Remedies>
    </Account>
  )
}

function SignInPage({ said }: { readonly said?: ReactNode }) {
  const ways = useQuery({ queryKey: ['sign-in ways'], queryFn: readSignInWays })
  const enterWith = async (key: string) => {
    beginSession(await signIn<AccountSession>('/app', { api_key: key }))
  }
  return (
    <SignIn
      title="Panji"
      field={{ name: 'api_key', label: codes.length > 0 ? 'Or an API key' : 'API key', kind: 'password' }}
      signIn={enterWith}
      before={
        <>
          {said}
          <MailedLink codes={codes} />
        </>
      }
    >
      <p className="faint">It begins with panji_. The operator of this Panji gives you one.</p>
      {ways.data?.mailed_link && <LinkForm />}
      <ProviderSignIn way={ways.data?.oidc ?? null} refused={refused} />
    </SignIn>
  )
}

start('/app', <App />)
