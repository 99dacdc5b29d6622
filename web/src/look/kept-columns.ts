/** Which columns somebody chose for a list. It stays in this browser; the usual choice leaves no trace. */
import { useState } from 'react'

const application = () => location.pathname.split('/')[1] ?? ''
const keyOf = (list: string) => `panji-columns ${application()} ${list}`

/** @returns what was kept, none where nothing was chosen, and how to keep another choice. */
export function useKeptColumns(list: string): readonly [readonly string[], (columns: readonly string[]) => void] {
  const key = keyOf(list)
  const [kept, setKept] = useState(() => localStorage.getItem(key) ?? '')
  const keep = (columns: readonly string[]) => {
    const text = columns.join('\n')
    if (text === '') localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    setKept(text)
  }
  return [kept === '' ? [] : kept.split('\n'), keep]
}
