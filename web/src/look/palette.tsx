/**
 * Ctrl-K, or the button: a page by a few letters of its name, or one thing by its id or name. Pages show at once; things are
 * asked for when nobody has typed for a moment, so that a word costs one question and not one for each letter. Nothing of another
 * word is offered meanwhile, and who pressed Enter already goes to the first thing once it is there.
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
  /** `account`, `order`: what it is, in a word or two. */
  readonly kind: string
  /** Going there is counted by the day: only who sees it offered goes. */
  readonly isCounted?: true
}

interface PaletteProps {
  readonly entries: readonly NavigationEntry[]
  /** Words of what can be found beside pages. */
  readonly finds: string
  /** Things by id or by name, the likeliest first. */
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
        <DialogHeading>Go to</DialogHeading>
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
  /** The word after which Enter was pressed before anything was offered. */
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
            // What came late may not be marked yet; what is marked is gone to by the list itself.
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

/** What begins with the word is what was meant before what only has it. */
const placeOf = (label: string, word: string): number => label.toLowerCase().indexOf(word.toLowerCase())

/** The text once it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), quietMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
