/**
 * Signing in on a CRM's own page: the fields it needs first, the link to the page, and the code that the browser shows
 * after consent. Nothing is stored before that code is entered, so closing the dialog earlier connects nothing.
 */
import { useQueryClient } from '@tanstack/react-query'
import type { Destination } from '../../look/crm/destination-state.tsx'
import { isNoSecret, type Kind, type SignInWay, settingFields, settingsOf } from '../../look/crm/settings-form.ts'
import { Failure } from '../../look/failure.tsx'
import { Field, typedIn } from '../../look/field.tsx'
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { Instant } from '../../look/moment.tsx'
import { useAct } from '../../look/use-act.ts'
import { api, dataOf } from '../../wire/api.ts'
import { isReadAnew } from '../../wire/queries.ts'
import { AccountAct } from '../account-act.tsx'

/** This way to sign in, with the operator's app or, where there is none, with one of the customer's own. */
export function ownPageOf({ label, own_page }: Kind): SignInWay | undefined {
  if (own_page === null) return undefined
  const app = (name: string, text: string, kind: 'text' | 'secret') =>
    ({
      ...{ name, label: text, kind, choices: null, required: true, initial: null },
      hint: `From your own app at ${label}.`,
    }) as const
  const ofTheApp = own_page.has_app
    ? []
    : [app('client_id', 'Client id', 'text'), app('client_secret', 'Client secret', 'secret')]
  return { name: 'own-page', label: `Sign in at ${label}`, fixed: {}, fields: [...own_page.fields, ...ofTheApp] }
}

const wordField = { name: 'word', label: 'Code that the page showed' } as const

interface Begun {
  readonly authorize_url: string
  readonly expires_at: string
}

export function OwnPage(props: {
  readonly label: string
  readonly title: string
  readonly crm: string
  readonly way: SignInWay
  /** Fields besides those of the sign-in way. */
  readonly first?: readonly FieldShape[]
  readonly last?: readonly FieldShape[]
  readonly begin: (typed: Typed, settings: Record<string, unknown>) => Promise<Begun>
  readonly done: (destination: Destination) => void
}) {
  const { label, title, crm, way, first = [], last = [], begin, done } = props
  return (
    <AccountAct
      needs="deliver"
      asAdmin
      label={label}
      title={title}
      tone="main"
      fields={[...first, ...settingFields(way), ...last]}
      keeps={isNoSecret}
      run={(typed) => begin(typed, settingsOf(way, typed))}
      shows={(begun) => <AllowThere crm={crm} begun={begun} done={done} />}
    >
      <p>
        Someone who may authorise apps in {crm} signs in there and allows Panji. No password passes through Panji, and
        the permission can be revoked there.
      </p>
      {way.fields.some(({ name }) => name === 'client_id') && (
        <p>This Panji has no app at {crm}, so it signs in through one of yours: create it there first.</p>
      )}
    </AccountAct>
  )
}

function AllowThere(props: {
  readonly crm: string
  readonly begun: Begun
  readonly done: (destination: Destination) => void
}) {
  const { crm, begun, done } = props
  const cache = useQueryClient()
  const finish = useAct({
    mutationFn: async (word: string) =>
      dataOf(await api.POST('/api/crm/destinations/connect/finish', { body: { word } })),
    onSuccess: async (destination) => {
      done(destination)
      await cache.invalidateQueries({ predicate: isReadAnew })
    },
  })
  if (finish.isSuccess)
    return (
      <p role="status">
        {crm} allowed Panji: {finish.data.name} is connected.
      </p>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        finish.mutate(typedIn(event.currentTarget)['word'] ?? '')
      }}
    >
      <ol>
        <li>
          <a className="button main" href={begun.authorize_url} target="_blank" rel="noreferrer">
            Open {crm}’s page
          </a>{' '}
          and allow Panji there before <Instant at={begun.expires_at} />.
        </li>
        <li>A Panji page then shows a code. Enter it here.</li>
      </ol>
      <Field {...wordField} />
      {finish.isError && <Failure of={finish.error} fields={[wordField]} />}
      <div className="acts">
        <button type="submit" className="main" aria-disabled={finish.isPending}>
          {finish.isPending ? 'Finishing …' : 'Finish'}
        </button>
      </div>
    </form>
  )
}
