/**
 * A button that changes something. It opens a dialog that explains the action, asks for what it needs, and stays open
 * with the server's error if it is refused. Each opening has one idempotency key, so a second press does not repeat the
 * action. Afterwards a toast confirms it, and everything shown is read again: nothing is shown as done before the
 * server says so. A result to show is awaited until the dialog is closed.
 */
import { DialogDismiss, useDialogContext } from '@ariakit/react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Answer } from '../../../client/api-error.ts'
import { dataOf, newIdempotencyKey } from '../wire/api.ts'
import { isReadAnew } from '../wire/queries.ts'
import { useDialog, useHold } from './dialog-place.tsx'
import { EditConflict } from './edit-conflict.tsx'
import { Failure, sentenceOfAct } from './failure.tsx'
import { typedIn } from './field.tsx'
import type { FieldShape, Typed } from './field-shape.ts'
import { Fields } from './fields.tsx'
import { focusOnPage } from './focus-on-page.ts'
import { useKeptForm } from './kept-form.ts'
import { type Happened, useToast } from './toast.tsx'
import { useAct } from './use-act.ts'
import { begunWith, isOvertaken, openedWith, type WholeForm } from './whole-form.ts'

export type ActProps<Result> = ActAsked & ActDone<Result> & ActSaid<Result>

interface ActAsked {
  readonly label: string
  /** The label of the dialog's button, where `label` is no verb. */
  readonly confirms?: string
  readonly title: string
  readonly tone?: 'danger' | 'main'
  readonly fields?: readonly FieldShape[]
  /**
   * Instead of fields, for a resource that is saved whole. Changes that somebody else made are shown before they could
   * be overwritten.
   */
  readonly whole?: WholeForm & {
    /** In the middle of a sentence. */
    readonly what: string
  }
  /** Of a field: what is typed into it outlasts a reload and a way back, until it is saved or dropped. Never of a secret. */
  readonly keeps?: (field: FieldShape) => boolean
  readonly disabled?: boolean
  readonly children?: ReactNode
}

/** @param revision the one that a whole form was opened with. */
type Run<Result> = (typed: Typed, idempotencyKey: string, revision: string) => Promise<Result>

/** It makes one call of the API, or does more. */
type ActDone<Result> = { readonly done?: (result: Result) => void } & (
  | { readonly calls: Run<Answer<Result>>; readonly run?: never }
  | { readonly run: Run<Result>; readonly calls?: never }
)

/** Every action ends with a toast or a result. */
type ActSaid<Result> =
  /** The text of the toast. */
  | { readonly says: (result: Result) => string | Happened; readonly shows?: never; readonly closed?: never }
  /** A result shown once in the dialog, such as a new key. */
  | {
      readonly shows: (result: Result) => ReactNode
      readonly says?: never
      /** Runs after the dialog is closed, instead of reading everything again. */
      readonly closed?: () => void
    }

export function Act<Result>(props: ActProps<Result>) {
  const { label, title, tone, disabled = false } = props
  const open = useDialog({ title, children: <ActForm {...props} /> })
  const button = useFocusHandedOn()
  return (
    <button ref={button} type="button" className={tone} disabled={disabled} onClick={open}>
      {label}
    </button>
  )
}

function ActForm<Result>(props: ActProps<Result>) {
  const { label, confirms = label, tone = 'main', children, whole, calls, run, shows, says, done, closed } = props
  const kept = useKeptForm(props.title, props.fields ?? [], props.keeps)
  const [left] = useState(kept.left)
  const asks = props.fields ?? []
  const begun = whole ?? { fields: left ? begunWith(left, asks) : asks, revision: '' }
  const faultId = useId()
  const isClosed = useIsClosed()
  const [key] = useState(newIdempotencyKey)
  const [opened, setOpened] = useState(() => openedWith(begun))
  // Compares the initial values, since labels that contain the time would always differ.
  const [asked] = useState(whole)
  const [typed, setTyped] = useState(opened.typed)
  const isBegunAnew = opened.opening > 0
  const fields = isBegunAnew ? begunWith(opened.typed, begun.fields) : begun.fields
  const cache = useQueryClient()
  const dialog = useDialogContext()
  const toast = useToast()
  const onceClosed = useOnceClosed()
  const readAnew = () => cache.invalidateQueries({ predicate: isReadAnew })
  const act = useAct({
    mutationFn: async (typed: Typed) =>
      calls ? dataOf(await calls(typed, key, opened.revision)) : run(typed, key, opened.revision),
    onSuccess: async (result) => {
      kept.drop()
      done?.(result)
      if (shows) {
        onceClosed(closed ?? readAnew)
        return
      }
      dialog?.hide()
      const said = says(result)
      toast(typeof said === 'string' ? { says: said } : said)
      await readAnew()
      requestAnimationFrame(focusOnPage)
    },
    // The refusal may mean that somebody else has changed what is shown.
    onError: async (failure, typed) => {
      if (isClosed()) {
        toast({ says: `${label}: ${sentenceOfAct(failure)}`, stays: true })
        await readAnew()
        return
      }
      onceClosed(readAnew)
      if (asked && isOvertaken(failure)) {
        const { changed = [], ...now } = await asked.readAnew()
        const next = openedWith(now, { ...opened, typed }, opened.opening + 1)
        setTyped(next.typed)
        setOpened({ ...next, changed: [...next.changed, ...changed] })
      }
      requestAnimationFrame(focusOnPage)
    },
  })
  useHold(act.isPending && shows !== undefined)
  if (act.isSuccess && shows) {
    return <Shown>{shows(act.data)}</Shown>
  }
  return (
    <form
      onChange={({ currentTarget }) => {
        const next = typedIn(currentTarget)
        setTyped(next)
        kept.keep(next)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        act.mutate(typedIn(event.currentTarget))
      }}
    >
      {children}
      {left && <p className="notice">You began this and did not save it; “Not now” drops it.</p>}
      {whole && isBegunAnew && <EditConflict what={whole.what} press={confirms} changed={opened.changed} />}
      <Fields
        key={opened.opening}
        of={fields}
        typed={typed}
        fault={act.isError && { failure: act.error, id: faultId }}
      />
      {act.isError && !(isBegunAnew && isOvertaken(act.error)) && (
        <Failure of={act.error} fields={fields} id={faultId} isAct />
      )}
      <div className="acts">
        <DialogDismiss type="button" onClick={kept.drop}>
          Not now
        </DialogDismiss>
        <button type="submit" className={tone} aria-disabled={act.isPending}>
          {act.isPending ? `${confirms} …` : confirms}
        </button>
      </div>
    </form>
  )
}

/** For a button that may disappear while it has the focus, for example once its dialog is closed. */
function useFocusHandedOn() {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const { current } = button
    return () => {
      if (document.activeElement === current) requestAnimationFrame(focusOnPage)
    }
  }, [])
  return button
}

/** @returns whether the dialog was closed while its request was pending. */
function useIsClosed(): () => boolean {
  const isClosed = useRef(false)
  useEffect(() => {
    isClosed.current = false
    return () => {
      isClosed.current = true
    }
  }, [])
  return () => isClosed.current
}

function Shown({ children }: { readonly children: ReactNode }) {
  // The focused field was removed with the form, however late the answer was rendered.
  useEffect(focusOnPage, [])
  return (
    <>
      {children}
      <div className="acts">
        <DialogDismiss className="main">Close</DialogDismiss>
      </div>
    </>
  )
}

/**
 * @returns a function that defers something until the dialog is closed. After an account is erased its reads would be
 * refused, and the result would disappear with the session.
 */
function useOnceClosed(): (act: () => unknown) => void {
  const kept = useRef<() => unknown>(undefined)
  useEffect(
    () => () => {
      if (!kept.current) return
      void kept.current()
      requestAnimationFrame(focusOnPage)
    },
    [],
  )
  return (act) => {
    kept.current = act
  }
}
