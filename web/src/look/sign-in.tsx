/**
 * The sign-in page: one credential, and the server's error if it is refused. The second factor is asked for once the
 * server requires it.
 */
import { type ReactNode, useEffect, useId } from 'react'
import { PanjiApiError } from '../../../client/api-error.ts'
import { hasSessionEnded } from '../wire/csrf.ts'
import { Failure } from './failure.tsx'
import { Field, typedIn } from './field.tsx'
import type { FieldShape } from './field-shape.ts'
import { useAct } from './use-act.ts'

export function SignIn(props: {
  readonly title: string
  readonly field: FieldShape
  readonly signIn: (credential: string, code: string | undefined) => Promise<void>
  /** Other ways to sign in, shown before the credential. */
  readonly before?: ReactNode
  readonly children: ReactNode
}) {
  const { title, field, signIn, before, children } = props
  const act = useAct({
    mutationFn: ({ credential, code }: { credential: string; code: string | undefined }) => signIn(credential, code),
  })
  const asksForCode = act.error instanceof PanjiApiError && act.error.body.error_code === 'SECOND_FACTOR_REQUIRED'
  const isRefused = act.error instanceof PanjiApiError && act.error.status < 500 && !asksForCode
  const faultId = useId()
  useEffect(() => {
    const before = document.title
    document.title = `Sign in · ${title}`
    // The page to return to may be below it.
    return () => {
      document.title = before
    }
  }, [title])
  return (
    <div className="sign-in">
      <h1>{title}</h1>
      {hasSessionEnded() && (
        <p role="status" className="notice warn">
          Your session has ended. Sign in again to return to this page.
        </p>
      )}
      {before}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const typed = typedIn(event.currentTarget)
          act.mutate({ credential: typed[field.name] ?? '', code: typed['totp'] })
        }}
      >
        <Field fills="current-password" {...field} faultId={isRefused ? faultId : undefined} />
        {asksForCode && <Field name="totp" label="Code of the authenticator" fills="one-time-code" />}
        {act.isError && <Failure of={act.error} id={faultId} />}
        <div className="acts">
          <button type="submit" className="main" aria-disabled={act.isPending}>
            {act.isPending ? 'Signing in …' : 'Sign in'}
          </button>
        </div>
      </form>
      {children}
    </div>
  )
}
