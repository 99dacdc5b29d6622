/** The values of a field with the records each would leave; several can be selected. */
import { useId, useState } from 'react'
import { count } from '../../../look/numbers.ts'
import type { FacetValue } from './read-filters.ts'
import { bounded, quoted, type Terms, tickedIn, toggled } from './terms.ts'

/** Shown at first; the others unfold, with a box to search them. */
const firstMax = 6

export function FilterValues(props: {
  readonly field: string
  readonly values: readonly FacetValue[]
  readonly terms: Terms
  readonly change: (terms: Terms) => void
  /** For free text: the typed text can be searched as a part of the value. */
  readonly isText?: boolean
}) {
  const { field, terms, change, isText = false } = props
  const id = useId()
  const [isUnfolded, setUnfolded] = useState(false)
  const [typed, setTyped] = useState('')
  const ticked = tickedIn(terms, field)
  // Selected values come first, also those that the facet does not list.
  const recordsOf = new Map(props.values.map(({ value, records }) => [value, records]))
  const values = [...new Set([...ticked, ...recordsOf.keys()])].map((value) => ({
    value,
    records: recordsOf.get(value),
  }))
  const words = typed.trim().toLowerCase()
  const found = values.filter(({ value }) => (value ?? 'not known').toLowerCase().includes(words))
  const hasBox = isText || values.length > firstMax
  const shown = isUnfolded || words !== '' ? found : found.slice(0, firstMax)
  return (
    <>
      {hasBox && (isUnfolded || isText) && (
        <div className="find-value">
          <label htmlFor={id} className="unseen">{`Find a value`}</label>
          <input
            id={id}
            type="search"
            value={typed}
            placeholder="Find …"
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      )}
      {isText && words.length > 2 && (
        <button
          type="button"
          className="as-link"
          onClick={() => change(bounded(terms, field, `${field} CONTAINS ${quoted(words)}`))}
        >
          {`Any with “${words}”`}
        </button>
      )}
      <ul>
        {shown.map(({ value, records }) => {
          const isTicked = ticked.includes(value)
          return (
            <li key={value ?? ''}>
              <label className={records === 0 && !isTicked ? 'faint' : undefined}>
                <input
                  type="checkbox"
                  checked={isTicked}
                  disabled={records === 0 && !isTicked}
                  onChange={() => change(toggled(terms, field, value))}
                />
                <span>{value ?? 'not known'}</span>
                {records !== undefined && <span className="faint number">{count(records)}</span>}
              </label>
            </li>
          )
        })}
      </ul>
      {words === '' && values.length > firstMax && (
        <button type="button" className="as-link" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? 'Fewer' : `${count(values.length - firstMax)} more`}
        </button>
      )}
    </>
  )
}
