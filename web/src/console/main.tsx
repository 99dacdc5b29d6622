/** The operators' console: sign-in, then its pages. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { DialogPlace } from '../look/dialog-place.tsx'
import { Entered } from '../look/entered.tsx'
import { Layout } from '../look/layout.tsx'
import { PageRoutes } from '../look/page-route.tsx'
import { Palette } from '../look/palette.tsx'
import { Reading } from '../look/reading.tsx'
import { Remedies } from '../look/remedies.ts'
import { SignIn } from '../look/sign-in.tsx'
import { start } from '../look/start.tsx'
import { ToastPlace } from '../look/toast.tsx'
import { beginSession, forgetSession, sessionKey } from '../wire/queries.ts'
import { type OperatorSession, readSession, signIn, signOut, takeCodesFromAddress } from '../wire/session.ts'
import { NotOffered } from './not-offered.tsx'
import { Operator } from './operator.ts'
import { isOffered, navigationOf, routes } from './pages.ts'
import { DropAnywhere } from './runs/drop-anywhere.tsx'

const code = takeCodesFromAddress()[0]?.code

/** The link printed at the first start signs in. It works once, so a reload uses the session instead. */
async function enter(): Promise<OperatorSession | null> {
  const session = await readSession<OperatorSession>('/console')
  return session ?? (code === undefined ? null : signIn<OperatorSession>('/console', { code }))
}

const fixes = { NOT_FOUND: { says: 'Check the address.', href: '/', label: 'Go to the first page.' } } as const

function Console() {
  const [codeFailed, setCodeFailed] = useState(false)
  const session = useQuery({
    queryKey: sessionKey,
    queryFn: () =>
      enter().catch((failure: unknown) => {
        if (code === undefined) throw failure
        setCodeFailed(true)
        return null
      }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <Reading of={session} what="who is signed in">
      {(operator) => (
        <Entered session={operator} signIn={<SignInPage codeFailed={codeFailed} />}>
          {(entered) => <SignedIn operator={entered} />}
        </Entered>
      )}
    </Reading>
  )
}

function SignedIn({ operator }: { readonly operator: OperatorSession }) {
  const [location] = useLocation()
  const navigation = navigationOf(operator.role)
  const entries = navigation.groups.flatMap(({ entries: ofGroup }) => ofGroup)
  const [first] = entries
  const leave = () => {
    void signOut('/console')
    forgetSession()
  }
  return (
    <Operator value={operator}>
      <Remedies value={fixes}>
        <Layout
          name="Panji console"
          who={`${operator.name} (${operator.role})`}
          isSampleWorld={operator.is_sample_world}
          navigation={navigation}
          palette={
            <Palette
              entries={entries}
              finds={
                operator.role === 'accountant' ? 'an invoice, payment' : 'an account, order, invoice, import, source'
              }
              find={async (typed) => (await import('./find.ts')).find(typed, operator.role)}
            />
          }
          signOut={leave}
        >
          <ToastPlace>
            <DialogPlace>
              {location === '/' && first && first.href !== '/' ? (
                <Redirect to={first.href} replace />
              ) : isOffered(operator.role, location) ? (
                <PageRoutes routes={routes} />
              ) : (
                <NotOffered entries={entries} />
              )}
            </DialogPlace>
            <DropAnywhere />
          </ToastPlace>
        </Layout>
      </Remedies>
    </Operator>
  )
}

function SignInPage({ codeFailed }: { readonly codeFailed: boolean }) {
  const enterWith = async (token: string, totp: string | undefined) => {
    const credentials = { token, ...(totp && { totp }) }
    beginSession(await signIn<OperatorSession>('/console', credentials))
  }
  return (
    <SignIn
      title="Panji console"
      field={{ name: 'token', label: 'Operator token', kind: 'password' }}
      signIn={enterWith}
    >
      {codeFailed && (
        <p className="notice warn">
          The link no longer works: it can be used once, within 15 minutes. Sign in with a token, or restart Panji for a
          new link.
        </p>
      )}
      <p className="faint">
        <code>npx panji operator add NAME --role operator</code> makes a token and shows it once.
      </p>
    </SignIn>
  )
}

start('/console', <Console />)
