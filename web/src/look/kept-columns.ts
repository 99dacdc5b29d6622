/** The columns chosen for a list, stored in this browser; the default choice is not stored. */
import { useState } from 'react'

const application = () => location.pathname.split('/')[1] ?? ''
const keyOf = (list: string) => `panji-columns ${application()} ${list}`

/** @returns the stored columns, empty for the default, and a setter. */
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
