/** A part of a name, searched for once typing pauses, so that not every letter is a search. */
import { useId, useRef, useState } from 'react'
import { bounded, quoted, type Terms } from './terms.ts'

const restMs = 500
/** Shorter texts are part of nearly every name. */
const lettersMin = 3

export function NameFilter(props: {
  readonly field: string
  readonly terms: Terms
  readonly change: (terms: Terms) => void
}) {
  const { field, terms, change } = props
  const id = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const current = terms.find((term) => term.field === field && term.operator === 'CONTAINS')
  const asked = current?.values[0] ?? ''
  const [text, setText] = useState({ asked, typed: asked })
  if (text.asked !== asked) {
    // A name set elsewhere replaces the text; a name typed here stays.
    setText({ asked, typed: text.typed.trim() === asked ? text.typed : asked })
  }
  const type = (typed: string) => {
    setText({ asked, typed })
    clearTimeout(timer.current)
    const letters = typed.trim()
    if (letters !== '' && letters.length < lettersMin) return
    const condition = letters === '' ? undefined : `${field} CONTAINS ${quoted(letters)}`
    const said = { operator: 'CONTAINS', values: [letters] }
    timer.current = setTimeout(() => change(bounded(terms, field, condition, said)), restMs)
  }
  return (
    <div className="find-value">
      <label htmlFor={id}>Name has</label>
      <input id={id} type="search" value={text.typed} onChange={(event) => type(event.target.value)} />
    </div>
  )
}
