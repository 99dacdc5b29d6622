/** The door: one credential, typed or pasted, and the server's sentence where it is refused. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Failure } from './failure.tsx'
import { Field, type FieldShape, typedIn } from './field.tsx'

export function SignIn(props: {
  readonly title: string
  readonly field: FieldShape
  readonly signIn: (credential: string) => Promise<void>
  readonly children: ReactNode
}) {
  const { title, field, signIn, children } = props
  const act = useMutation({ mutationFn: signIn })
  useEffect(() => {
    document.title = `${title} · Panji`
  }, [title])
  return (
    <main className="door">
      <h1>{title}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          act.mutate(typedIn(event.currentTarget)[field.name] ?? '')
        }}
      >
        <Field {...field} />
        {act.isError && <Failure of={act.error} />}
        <div className="acts">
          <button type="submit" className="main" disabled={act.isPending}>
            {act.isPending ? 'Signing in …' : 'Sign in'}
          </button>
        </div>
      </form>
      {children}
    </main>
  )
}
