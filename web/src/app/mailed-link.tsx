/** Signing in without a key: a link is asked for by e-mail, and its code is taken when the person presses the button. */
import { useMutation } from '@tanstack/react-query'
import { Failure } from '../look/failure.tsx'
import { Field, typedIn } from '../look/field.tsx'
import { queries, sessionKey } from '../wire/queries.ts'
import { type AccountSession, mailSignInLink, signIn } from '../wire/session.ts'

export function LinkForm() {
  const act = useMutation({ mutationFn: mailSignInLink })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        act.mutate(typedIn(event.currentTarget)['email'] ?? '')
      }}
    >
      <Field name="email" label="Or your e-mail address" kind="email" />
      {act.isError && <Failure of={act.error} />}
      {act.isSuccess && <p className="notice">{act.data}</p>}
      <div className="acts">
        <button type="submit" disabled={act.isPending}>
          Mail me a link
        </button>
      </div>
    </form>
  )
}

/** Programs that look at mails open links, too; a code is good once, so it waits for a person. */
export function MailedLink({ code }: { readonly code: string | undefined }) {
  const act = useMutation({
    mutationFn: async (given: string) => {
      queries.setQueryData(sessionKey, await signIn<AccountSession>('/app', { code: given }))
    },
  })
  if (code === undefined) return null
  return (
    <div className="door">
      {act.isError && <Failure of={act.error} />}
      <div className="acts">
        <button type="button" className="main" disabled={act.isPending} onClick={() => act.mutate(code)}>
          Sign in with the link
        </button>
      </div>
    </div>
  )
}
