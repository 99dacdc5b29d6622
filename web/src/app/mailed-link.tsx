/**
 * Signing in without a key: a link is requested by e-mail, and its code is used only when the person presses the
 * button. A person of several accounts has a code for each and chooses one. The second factor is asked for once the
 * server requires it.
 */
import { PanjiApiError } from '../../../client/api-error.ts'
import { Failure } from '../look/failure.tsx'
import { Field, typedIn } from '../look/field.tsx'
import { useAct } from '../look/use-act.ts'
import { beginSession } from '../wire/queries.ts'
import { type AccountSession, mailSignInLink, type SignInCode, signIn } from '../wire/session.ts'

export function LinkForm() {
  const act = useAct({ mutationFn: mailSignInLink })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        act.mutate(typedIn(event.currentTarget)['email'] ?? '')
      }}
    >
      <Field name="email" label="Or your e-mail address" kind="email" fills="email" />
      {act.isError && <Failure of={act.error} />}
      {act.isSuccess && <p className="notice">{act.data}</p>}
      <div className="acts">
        <button type="submit" aria-disabled={act.isPending}>
          E-mail me a link
        </button>
      </div>
    </form>
  )
}

/** Mail scanners open links, too; a code works once, so it waits for a press. */
export function MailedLink({ codes }: { readonly codes: readonly SignInCode[] }) {
  const act = useAct({
    mutationFn: async (credentials: { readonly code: string; readonly totp?: string }) => {
      beginSession(await signIn<AccountSession>('/app', credentials))
    },
  })
  const [first, ...others] = codes
  if (first === undefined) return null
  const asksForCode = act.error instanceof PanjiApiError && act.error.body.error_code === 'SECOND_FACTOR_REQUIRED'
  // A request for the second factor is no failure; a wrong code is.
  const isFirstAsked = asksForCode && act.variables?.totp === undefined
  return (
    <form
      aria-label="Sign in with the link"
      onSubmit={(event) => {
        event.preventDefault()
        const { totp, code = first.code } = typedIn(event.currentTarget)
        act.mutate({ code, ...(totp !== undefined && { totp }) })
      }}
    >
      {others.length > 0 && (
        <Field
          {...{ name: 'code', label: 'Account' }}
          options={codes.map(({ code, account }) => ({ value: code, label: account ?? 'not named' }))}
          hint="You belong to several accounts. The one you last signed in to comes first."
        />
      )}
      {asksForCode && (
        <Field
          {...{ name: 'totp', label: 'Code of your authenticator', fills: 'one-time-code' }}
          hint="Or one of your recovery codes."
        />
      )}
      {act.isError && !isFirstAsked && <Failure of={act.error} />}
      <div className="acts">
        <button type="submit" className="main" aria-disabled={act.isPending}>
          {others.length > 0 ? 'Sign in to this account' : 'Sign in with the link'}
        </button>
      </div>
    </form>
  )
}
