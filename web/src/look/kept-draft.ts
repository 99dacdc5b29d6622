/**
 * A draft that is not saved yet, kept in the browser tab so that it survives a reload and going back. It is removed
 * when it is saved or discarded, with the tab, and on sign-out.
 */
import { useState } from 'react'

/** @param name identifies the thing being drafted; use one component per name. */
export function useKeptDraft<T>(name: string): readonly [T | undefined, (draft: T | undefined) => void] {
  const place = `panji-draft ${name}`
  const [draft, setDraft] = useState(() => {
    const kept = sessionStorage.getItem(place)
    return kept === null ? undefined : (JSON.parse(kept) as T)
  })
  const change = (next: T | undefined) => {
    if (next === undefined) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(next))
    setDraft(next)
  }
  return [draft, change]
}
