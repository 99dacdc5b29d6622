/**
 * What somebody began and has not kept yet lies in this tab of the browser, so that a reload and a way back find it again. It goes
 * when it is kept or dropped, with the tab, and when somebody signs out.
 */
import { useState } from 'react'

/** @param name of the one thing that it is a draft of; of another, use it in another component. */
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
