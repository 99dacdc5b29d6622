/**
 * A button that changes something: it opens a dialog that says what will happen, asks what it must know, and stays open
 * with the server's sentence when that is refused. One opening has one idempotency key, so a second press does not do it
 * twice. Afterwards a toast says what happened, and all that is shown is read anew: nothing is shown as done before the server says so. Where a result is
 * shown that waits until it is closed, since the button that it hangs on may go with the reading.
 */
import { Dialog, DialogDismiss, DialogHeading, useDialogStore } from '@ariakit/react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { newIdempotencyKey } from '../wire/api.ts'
import { isReadAnew } from '../wire/queries.ts'
import { Failure } from './failure.tsx'
import { typedIn } from './field.tsx'
import type { FieldShape, Typed } from './field-shape.ts'
import { Fields, initialOf } from './fields.tsx'
import { type Happened, useTell } from './toast.tsx'
import { useAct } from './use-act.ts'

export type ActProps<Result> = ActAsked<Result> & ActSaid<Result>

interface ActAsked<Result> {
  readonly label: string
  /** Of the button that does it, where that of the dialog names no act. */
  readonly confirms?: string
  readonly title: string
  readonly tone?: 'danger' | 'main'
  readonly fields?: readonly FieldShape[]
  readonly disabled?: boolean
  readonly children?: ReactNode
  readonly run: (typed: Typed, idempotencyKey: string) => Promise<Result>
  readonly done?: (result: Result) => void
}

/** No act ends in silence. */
type ActSaid<Result> =
  /** What happened, for a toast. */
  | { readonly says: (result: Result) => string | Happened; readonly shows?: never }
  /** What came back and is shown this once in the dialog, such as a new key. */
  | { readonly shows: (result: Result) => ReactNode; readonly says?: never }

export function Act<Result>(props: ActProps<Result>) {
  const { label, title, tone, disabled = false } = props
  const dialog = useDialogStore()
  const [opened, setOpened] = useState(0)
  const button = useFocusHandedOn()
  const open = () => {
    setOpened((times) => times + 1)
    dialog.show()
  }
  return (
    <>
      <button ref={button} type="button" className={tone} disabled={disabled} onClick={open}>
        {label}
      </button>
      <Dialog store={dialog} className="dialog" backdrop={<div className="backdrop" />} unmountOnHide>
        <DialogHeading>{title}</DialogHeading>
        <ActForm key={opened} {...props} close={dialog.hide} />
      </Dialog>
    </>
  )
}

function ActForm<Result>(props: ActProps<Result> & { readonly close: () => void }) {
  const { label, confirms = label, tone = 'main', fields = [], children, run, shows, says, done, close } = props
  const [key] = useState(newIdempotencyKey)
  const [typed, setTyped] = useState(() => initialOf(fields))
  const cache = useQueryClient()
  const tell = useTell()
  const act = useAct({
    mutationFn: (typed: Typed) => run(typed, key),
    onSuccess: async (result) => {
      done?.(result)
      if (shows) return
      close()
      const said = says(result)
      tell(typeof said === 'string' ? { says: said } : said)
      await cache.invalidateQueries({ predicate: isReadAnew })
      requestAnimationFrame(focusOnPage)
    },
  })
  if (act.isSuccess && shows) {
    return <Shown>{shows(act.data)}</Shown>
  }
  return (
    <form
      onChange={({ currentTarget }) => setTyped(typedIn(currentTarget))}
      onSubmit={(event) => {
        event.preventDefault()
        act.mutate(typedIn(event.currentTarget))
      }}
    >
      {children}
      <Fields of={fields} typed={typed} />
      {act.isError && <Refused of={act.error} fields={fields} />}
      <div className="acts">
        <DialogDismiss type="button">Not now</DialogDismiss>
        <button type="submit" className={tone} disabled={act.isPending}>
          {act.isPending ? `${confirms} …` : confirms}
        </button>
      </div>
    </form>
  )
}

/** Of a button that may go while it has the focus, as when its dialog was closed and what it did is read. */
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

/** Where the button has gone with what it did, whoever goes by keyboard would begin at the top again. */
function focusOnPage(): void {
  if (document.activeElement === document.body) document.getElementById('page')?.focus({ preventScroll: true })
}

/** What is shown may be what somebody else has changed meanwhile, which is why it was refused. */
function Refused(props: { readonly of: unknown; readonly fields: readonly FieldShape[] }) {
  useReadAnewAfter()
  return <Failure {...props} />
}

function Shown({ children }: { readonly children: ReactNode }) {
  useReadAnewAfter()
  return (
    <>
      {children}
      <div className="acts">
        <DialogDismiss className="main">Close</DialogDismiss>
      </div>
    </>
  )
}

/** Not before the dialog is closed: the button that it hangs on may go with the reading. */
function useReadAnewAfter(): void {
  const cache = useQueryClient()
  useEffect(() => () => void cache.invalidateQueries({ predicate: isReadAnew }), [cache])
}
