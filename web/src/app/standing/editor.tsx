/**
 * The editor of a standing order, new or existing, with a preview. Nothing is stored before it is saved, and a preview
 * costs a search, so it runs only on request.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { EditConflict } from '../../look/edit-conflict.tsx'
import { Failure } from '../../look/failure.tsx'
import { typedIn } from '../../look/field.tsx'
import type { Typed } from '../../look/field-shape.ts'
import { Fields } from '../../look/fields.tsx'
import { useKeptDraft } from '../../look/kept-draft.ts'
import { Page } from '../../look/page.tsx'
import { useToast } from '../../look/toast.tsx'
import { useAct } from '../../look/use-act.ts'
import { begunWith, type Draft, isOvertaken, openedWith } from '../../look/whole-form.ts'
import { api, dataOf } from '../../wire/api.ts'
import { isReadAnew } from '../../wire/queries.ts'
import { Needs } from '../needs.tsx'
import { PreviewDays } from './preview-days.tsx'
import { type Begun, standingFields } from './standing-fields.ts'
import type { StandingOrder } from './standing-shape.ts'
import { previewTyped, typeIn } from './standing-typed.ts'

interface Editing {
  /** Unique for each standing order that is edited; also the key of its editor. */
  readonly draftName: string
  readonly begun: Begun
  readonly title: string
  readonly says: string
  /** Where "Not now" leads. */
  readonly back: string
  /** @param revision the one that was edited. @returns the id of the saved order. */
  readonly save: (typed: Typed, revision: string) => Promise<string>
  readonly readAnew?: () => Promise<StandingOrder>
}

const begunOf = (begun: Begun) => ({ fields: standingFields(begun), revision: begun.known?.revision ?? '' })

export function Editor({ draftName, begun, title, says, back, save, readAnew }: Editing) {
  const [draft, setDraft] = useKeptDraft<Draft>(`form of standing order ${draftName}`)
  const [left] = useState(draft)
  const [opened, setOpened] = useState(() => openedWith(begunOf(begun), left))
  const { from, revision } = opened
  const keep = (typed: Typed) => setDraft({ typed, from, revision })
  const typed = draft?.typed ?? opened.typed
  const fields = begunWith(opened.typed, standingFields(begun.known ? begun : { ...begun, type: typeIn(typed) }))
  const [looked, setLooked] = useState<Typed | undefined>(begun.known || begun.query !== '' ? typed : undefined)
  const [, go] = useLocation()
  const faultId = useId()
  const [cache, toast] = [useQueryClient(), useToast()]
  const isMerged = opened.changed.length > 0
  const saving = useAct({
    mutationFn: (typed: Typed) => save(typed, revision),
    onError: async (failure, typed) => {
      if (!readAnew || !isOvertaken(failure)) return
      const now = begunOf({ ...begun, known: await readAnew() })
      const next = openedWith(now, { typed, from, revision }, opened.opening + 1)
      setDraft({ typed: next.typed, from: next.from, revision: next.revision })
      setOpened(next)
    },
    onSuccess: async (id) => {
      toast({ says })
      setDraft(undefined)
      await cache.invalidateQueries({ predicate: isReadAnew })
      go(`/standing-orders/${id}`)
    },
  })
  return (
    <Page title={title} lead={leadOf(begun.known)}>
      <Needs scope="order">
        <div className="side-by-side">
          <form
            onChange={({ currentTarget }) => keep(typedIn(currentTarget))}
            onSubmit={(event) => {
              event.preventDefault()
              saving.mutate(typedIn(event.currentTarget))
            }}
          >
            {left && <p className="notice">You started this and did not save it; “Not now” discards it.</p>}
            {isMerged && <EditConflict what="this standing order" press="Save" changed={opened.changed} />}
            <Fields
              key={opened.opening}
              of={fields}
              typed={typed}
              fault={saving.isError && { failure: saving.error, id: faultId }}
            />
            {saving.isError && !(isMerged && isOvertaken(saving.error)) && (
              <Failure of={saving.error} fields={fields} id={faultId} isAct />
            )}
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
