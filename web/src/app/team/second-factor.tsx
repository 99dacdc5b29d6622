/** The second factor of the signed-in person: set up with a secret and a first code, removed with a code. */
import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Failure } from '../../look/failure.tsx'
import { Field, typedIn } from '../../look/field.tsx'
import { lazyPart } from '../../look/lazy-part.tsx'
import { useAct } from '../../look/use-act.ts'
import { api, dataOf } from '../../wire/api.ts'
import { sessionKey } from '../../wire/queries.ts'
import { AccountAct } from '../account-act.tsx'

/** Loaded only when a second factor is added. */
const QrCode = lazyPart(() => import('../../look/qr-code.tsx'))

export function SecondFactor({ isOn }: { readonly isOn: boolean }) {
  return (
    <section>
      <h2>Your second factor</h2>
      {isOn ? (
        <>
          <p>A link signs you in only with a code from your authenticator or a recovery code.</p>
          <RemoveFactor />
        </>
      ) : (
        <>
          <p>
            With one, nobody can sign in as you with a link alone. You need an authenticator on your phone or computer.
          </p>
          <AddFactor />
        </>
      )}
    </section>
  )
}

export function AddFactor() {
  return (
    <AccountAct
      needs="read"
      label="Add a second factor"
      title="Add a second factor"
      tone="main"
      calls={() => api.POST('/api/second-factor', { body: {} })}
      shows={({ secret, url }) => <Confirm secret={secret} url={url} />}
    >
      <p>You get a secret for your authenticator, and then type the code that it shows.</p>
    </AccountAct>
  )
}

function Confirm({ secret, url }: { readonly secret: string; readonly url: string }) {
  const cache = useQueryClient()
  const act = useAct({
    mutationFn: async (totp: string) => dataOf(await api.POST('/api/second-factor/confirm', { body: { totp } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: sessionKey }),
  })
  if (act.isSuccess) {
    return <RecoveryCodes codes={act.data.recovery_codes} />
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        act.mutate(typedIn(event.currentTarget)['totp'] ?? '')
      }}
    >
      <p>
        Scan this with your authenticator, or <a href={url}>open it there</a>:
      </p>
      <Suspense>
        <QrCode text={url} label="QR code of your secret" />
      </Suspense>
      <p>If you cannot scan it, type this secret:</p>
      <output>
        <code>{secret}</code>
      </output>
      <Field name="totp" label="Code that it shows" fills="one-time-code" />
      {act.isError && <Failure of={act.error} />}
      <div className="acts">
        <button type="submit" className="main" aria-disabled={act.isPending}>
          Confirm
        </button>
      </div>
    </form>
  )
}

function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <>
      <p>
        Your second factor is active. Each recovery code signs you in once without the authenticator. They are shown
        only once: save them now.
      </p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </>
  )
}

function RemoveFactor() {
  return (
    <AccountAct
      needs="read"
      label="Remove second factor"
      title="Remove your second factor?"
      says={() => 'Your second factor is removed.'}
      tone="danger"
      fields={[
        {
          ...{ name: 'totp', label: 'Code of the authenticator', fills: 'one-time-code' },
          hint: 'Or one of your recovery codes.',
        },
      ]}
      calls={({ totp = '' }) => api.DELETE('/api/second-factor', { body: { totp } })}
    >
      <p>From then on a link alone signs you in.</p>
    </AccountAct>
  )
}
