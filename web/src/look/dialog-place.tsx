/**
 * Renders the dialogs of actions at page level instead of in the row whose button opened them. When the list is read
 * again, that row may disappear while somebody types or reads the result; the dialog stays until it is closed or the
 * page is left.
 */
import { Dialog, DialogHeading } from '@ariakit/react'
import {
  createContext,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import { Guard } from './guard.tsx'

interface Content {
  readonly title: string
  readonly children: ReactNode
}

interface Opened extends Content {
  /** Different for each opening, so that no dialog starts with another one's input. */
  readonly opening: number
  readonly isOpen: boolean
}

type Dialogs = ReadonlyMap<string, Opened>

interface Place {
  readonly open: (id: string, content: Content) => void
  /** Its content follows what the page has read; a closed dialog renders nothing. */
  readonly change: (id: string, content: Content) => void
}

const DialogsOfPage = createContext<Place>({ open: () => {}, change: () => {} })

export function useDialog(content: Content): () => void {
  const { open, change } = useContext(DialogsOfPage)
  const id = useId()
  useLayoutEffect(() => change(id, content))
  return () => open(id, content)
}

const Held = createContext<{ current: boolean }>({ current: false })

/** While a request is pending the dialog cannot be closed: its result is shown only once. */
export function useHold(isHeld: boolean): void {
  const held = useContext(Held)
  useLayoutEffect(() => {
    held.current = isHeld
    return () => {
      held.current = false
    }
  })
}

export function DialogPlace({ children }: { readonly children: ReactNode }) {
  const [dialogs, setDialogs] = useState<Dialogs>(new Map())
  const [location] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other dialogs.
  useEffect(() => setDialogs(new Map()), [location])
  const place = useMemo(() => placeOf(setDialogs), [])
  return (
    <DialogsOfPage value={place}>
      {children}
      {[...dialogs].map(([id, opened]) => (
        <Shown key={`${id} ${opened.opening}`} of={opened} close={() => place.close(id)} />
      ))}
    </DialogsOfPage>
  )
}

function Shown({ of: { isOpen, title, children }, close }: { readonly of: Opened; readonly close: () => void }) {
  const held = useRef(false)
  return (
    <Dialog
      open={isOpen}
      onClose={() => {
        if (!held.current) close()
      }}
      className="dialog"
      backdrop={<div className="backdrop" />}
      // A stray press would lose what was typed, or a key that is shown once.
      hideOnInteractOutside={false}
      unmountOnHide
    >
      <DialogHeading>{title}</DialogHeading>
      <Held value={held}>
        <Guard>
          <Suspense fallback={<p role="status">Loading …</p>}>{children}</Suspense>
        </Guard>
      </Held>
    </Dialog>
  )
}

function placeOf(set: (change: (before: Dialogs) => Dialogs) => void) {
  const put = (id: string, next: (before: Opened | undefined) => Opened | undefined) =>
    set((before) => {
      const was = before.get(id)
      const is = next(was)
      return is === undefined || is === was ? before : new Map([...before, [id, is]])
    })
  return {
    open: (id: string, content: Content) =>
      put(id, (before) => ({ ...content, opening: (before?.opening ?? 0) + 1, isOpen: true })),
    change: (id: string, content: Content) =>
      put(id, (before) => (before?.isOpen ? { ...before, ...content } : before)),
    close: (id: string) => put(id, (before) => before && { ...before, isOpen: false }),
  }
}
