/** Ctrl-K, or the button: any page by a few letters of its name. */
import {
  Combobox,
  ComboboxItem,
  ComboboxList,
  ComboboxProvider,
  Dialog,
  DialogHeading,
  useDialogStore,
} from '@ariakit/react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { NavigationEntry } from './layout.tsx'

export function Palette({ entries }: { readonly entries: readonly NavigationEntry[] }) {
  const dialog = useDialogStore()
  const [, go] = useLocation()
  const [typed, setTyped] = useState('')
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      dialog.show()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [dialog])
  const found = entries.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()))
  return (
    <>
      <button type="button" onClick={dialog.show} title="Ctrl-K">
        Go to …
      </button>
      <Dialog store={dialog} className="dialog palette" backdrop={<div className="backdrop" />} unmountOnHide>
        <DialogHeading>Go to a page</DialogHeading>
        <ComboboxProvider setValue={setTyped} open>
          <Combobox autoSelect placeholder="orders" aria-label="Name of a page" />
          <ComboboxList aria-label="Pages">
            {found.map(({ href, label }) => (
              <ComboboxItem
                key={href}
                value={label}
                setValueOnClick={false}
                onClick={() => {
                  go(href)
                  dialog.hide()
                }}
              >
                {label}
              </ComboboxItem>
            ))}
          </ComboboxList>
        </ComboboxProvider>
        {found.length === 0 && <p>No page is called that.</p>}
      </Dialog>
    </>
  )
}
