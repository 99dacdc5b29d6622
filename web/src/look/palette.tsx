/**
 * Ctrl-K, or the button: jumps to a page by a few letters of its name, or to a thing by id or name. Pages show at once;
 * things are searched once typing pauses, so that a word costs one request. Results of a previous text are never
 * offered, and after Enter the first result opens as soon as it is there.
 */
import {
  Combobox,
  ComboboxItem,
  ComboboxList,
  ComboboxProvider,
  Dialog,
  DialogHeading,
  useComboboxStore,
  useDialogStore,
} from '@ariakit/react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { Failure } from './failure.tsx'
import type { NavigationEntry } from './navigation.tsx'

export interface Thing extends NavigationEntry {
  /** `account`, `order`: its kind, in a word or two. */
  readonly kind: string
  /** Opening it counts against the daily limit, so it opens only when it is chosen from the list. */
  readonly isCounted?: true
}

interface PaletteProps {
  readonly entries: readonly NavigationEntry[]
  /** What can be found besides pages. */
  readonly finds: string
  /** Things by id or by name, most likely first. */
  readonly find: (typed: string) => Promise<readonly Thing[]>
}

const quietMs = 250
const lettersMin = 2

export function Palette(props: PaletteProps) {
  const dialog = useDialogStore()
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      dialog.show()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [dialog])
  return (
    <>
      <button type="button" onClick={dialog.show} aria-keyshortcuts="Control+K">
        Search or jump to… <kbd>Ctrl K</kbd>
      </button>
      <Dialog store={dialog} className="dialog palette" backdrop={<div className="backdrop" />} unmountOnHide>
        <DialogHeading>Search or jump to</DialogHeading>
        <Choices {...props} close={dialog.hide} />
      </Dialog>
    </>
  )
}

function Choices({ entries, finds, find, close }: PaletteProps & { readonly close: () => void }) {
  const [, go] = useLocation()
  const [typed, setTyped] = useState('')
  const combobox = useComboboxStore({ setValue: setTyped, open: true })
  const word = typed.trim()
  const asked = useSettled(word)
  /** The text for which Enter was pressed before there were results. */
  const [awaited, setAwaited] = useState<string>()
  const things = useQuery({
    queryKey: ['palette', asked],
    queryFn: () => find(asked),
    enabled: asked.length >= lettersMin,
    staleTime: 30_000,
  })
  const pages = entries
    .filter(({ label }) => placeOf(label, word) >= 0)
    .toSorted((a, b) => Math.sign(placeOf(a.label, word)) - Math.sign(placeOf(b.label, word)))
    .map((entry): Thing => ({ ...entry, kind: 'page' }))
  const isAsking = word.length >= lettersMin && (asked !== word || things.isPending)
  const found = [...pages, ...(isAsking || word.length < lettersMin ? [] : (things.data ?? []))]
  const [first] = found
  const goTo = ({ href }: Thing) => {
    go(href)
    close()
  }
  useEffect(() => {
    if (awaited !== word || isAsking) return
    setAwaited(undefined)
    if (first && !first.isCounted) goTo(first)
  })
  return (
    <>
      <ComboboxProvider store={combobox}>
        <Combobox
          autoSelect
          placeholder={finds}
          aria-label={`A page, or ${finds}`}
          onKeyDown={({ key }) => {
            setAwaited(key === 'Enter' && isAsking && !first ? word : undefined)
            // Late results may not be highlighted yet; a highlighted one is opened by the list itself.
            if (key === 'Enter' && first && !combobox.item(combobox.getState().activeId)) goTo(first)
          }}
        />
        <ComboboxList aria-label="Pages and things">
          {found.map((thing) => (
            <ComboboxItem
              key={`${thing.kind} ${thing.href}`}
              value={thing.label}
              setValueOnClick={false}
              onClick={() => goTo(thing)}
            >
              <span>{thing.label}</span> <span className="faint">{thing.kind}</span>
            </ComboboxItem>
          ))}
        </ComboboxList>
      </ComboboxProvider>
      {things.isError && <Failure of={things.error} />}
      <p role="status" className="faint">
        {isAsking ? 'Looking …' : found.length === 0 ? 'No results.' : ''}
      </p>
    </>
  )
}

/** Entries that begin with the text come before those that only contain it. */
const placeOf = (label: string, word: string): number => label.toLowerCase().indexOf(word.toLowerCase())

/** The text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), quietMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
