/**
 * A standing order is written here, with what it would have found beside it: before it is made, and whenever it is changed. Nothing
 * is kept before it is saved, and a preview costs a search, so it is asked for by a press.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Failure } from '../../look/failure.tsx'
import { typedIn } from '../../look/field.tsx'
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { Fields, initialOf } from '../../look/fields.tsx'
import { useKeptDraft } from '../../look/kept-draft.ts'
import { Page } from '../../look/page.tsx'
import { useTell } from '../../look/toast.tsx'
import { useAct } from '../../look/use-act.ts'
import { api, dataOf } from '../../wire/api.ts'
import { isReadAnew } from '../../wire/queries.ts'
import { Needs } from '../needs.tsx'
import { PreviewDays } from './preview-days.tsx'
import { type Begun, standingFields } from './standing-fields.ts'
import type { StandingOrder } from './standing-shape.ts'
import { previewTyped, typeIn } from './standing-typed.ts'

interface Editing {
  /** Another for each standing order that is written; also the key of its editor. */
  readonly draftName: string
  readonly begun: Begun
  readonly title: string
  readonly says: string
  /** Where "Not now" leads. */
  readonly back: string
  /** @returns the id of what was saved. */
  readonly save: (typed: Typed) => Promise<string>
}

export function Editor({ draftName, begun, title, says, back, save }: Editing) {
  const [draft, setDraft] = useKeptDraft<Typed>(`standing order ${draftName}`)
  const [left] = useState(draft)
  const typed = draft ?? initialOf(standingFields(begun))
  const fields = begunWith(left, standingFields(begun.known ? begun : { ...begun, type: typeIn(typed) }))
  const [looked, setLooked] = useState<Typed | undefined>(begun.known || begun.query !== '' ? typed : undefined)
  const [, go] = useLocation()
  const faultId = useId()
  const [cache, tell] = [useQueryClient(), useTell()]
  const saving = useAct({
    mutationFn: save,
    onSuccess: async (id) => {
      tell({ says })
      setDraft(undefined)
      await cache.invalidateQueries({ predicate: isReadAnew })
      go(`/standing-orders/${id}`)
    },
  })
  return (
    <Page title={title} lead={leadOf(begun.known)}>
      <Needs scope="order">
        <div className="beside">
          <form
            onChange={({ currentTarget }) => setDraft(typedIn(currentTarget))}
            onSubmit={(event) => {
              event.preventDefault()
              saving.mutate(typedIn(event.currentTarget))
            }}
          >
            {left && <p className="notice">You began this and did not save it; “Not now” drops it.</p>}
            <Fields of={fields} typed={typed} fault={saving.isError && { failure: saving.error, id: faultId }} />
            {saving.isError && <Failure of={saving.error} fields={fields} id={faultId} isAct />}
            <div className="acts">
              <Link href={back} onClick={() => setDraft(undefined)}>
                Not now
              </Link>
              <button
                type="button"
                onClick={() => {
                  saving.reset()
                  setLooked(typed)
                }}
              >
                Preview
              </button>
              <button type="submit" className="main" aria-disabled={saving.isPending}>
                Save
              </button>
            </div>
          </form>
          <section aria-label="Preview">
            <h2>The last 30 days</h2>
            {looked ? (
              <Previewed typed={looked} {...(begun.known && { known: begun.known })} />
            ) : (
              <p>
                Preview shows what it would have found
                {begun.known?.buys !== false && ', and what the budgets would have left out'}.
              </p>
            )}
          </section>
        </div>
      </Needs>
    </Page>
  )
}

/** What was left half-written, in place of what the form would begin with. */
const begunWith = (left: Typed | undefined, fields: readonly FieldShape[]): readonly FieldShape[] =>
  left ? fields.map((field) => ({ ...field, initial: left[field.name] ?? '' })) : fields

function leadOf(known: StandingOrder | undefined): string {
  if (known?.buys !== false) return 'It buys what begins to match with each import, and never more than its credits.'
  const what = known.source === 'watchlist' ? 'changes on the watchlist' : 'begins to match'
  return `It notifies you of what ${what}, and buys nothing.`
}

function Previewed({ typed, known }: { readonly typed: Typed; readonly known?: StandingOrder }) {
  const body = previewTyped(typed, known)
  const ask = async (day: string | undefined) =>
    dataOf(await api.POST('/api/standing-orders/preview', { body: { ...body, ...(day !== undefined && { day }) } }))
  return <PreviewDays of={[body]} type={body.type} ask={ask} />
}
