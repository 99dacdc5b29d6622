/** Ranges of days, amounts and numbers: presets with the records each would leave, and custom bounds. */
import { type FormEvent, useId } from 'react'
import { DayInput } from '../../../look/day-input.tsx'
import { typedIn } from '../../../look/field.tsx'
import { count } from '../../../look/numbers.ts'
import type { FacetValue } from './read-filters.ts'
import { between, bounded, quoted, type Terms } from './terms.ts'
import { boundOf } from './words.ts'

/** What is entered: days, numbers, or amounts in lakh and crore. */
export type Measure = 'day' | 'number' | 'amount'

export function FilterBounds(props: {
  readonly field: string
  readonly values: readonly FacetValue[]
  readonly measure: Measure
  readonly terms: Terms
  readonly change: (terms: Terms) => void
}) {
  const { field, values, measure, terms, change } = props
  const id = useId()
  const own = terms.filter((term) => term.field === field)
  return (
    <>
      <ul>
        {values.map(({ value, records, condition }) => {
          const isChosen = own.some(({ text }) => text === condition)
          return (
            <li key={condition}>
              <label className={records === 0 && !isChosen ? 'faint' : undefined}>
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={records === 0 && !isChosen}
                  onChange={() => change(bounded(terms, field, isChosen ? undefined : condition))}
                />
                <span>{boundOf(field, value ?? '')}</span>
                <span className="faint number">{count(records)}</span>
              </label>
            </li>
          )
        })}
      </ul>
      <form className="bounds" onSubmit={(event) => change(bounded(terms, field, typedBounds(event, field, measure)))}>
        {(['from', 'to'] as const).map((name) => (
          <div key={name}>
            <label htmlFor={`${id}-${name}`}>{name}</label>
            {measure === 'day' ? (
              <DayInput id={`${id}-${name}`} name={name} day="" />
            ) : (
              <input id={`${id}-${name}`} name={name} {...shapes[measure]} />
            )}
          </div>
        ))}
        {measure === 'amount' && (
          <select name="unit" aria-label="Unit">
            <option>lakh</option>
            <option>crore</option>
          </select>
        )}
        <button type="submit">Set</button>
      </form>
    </>
  )
}

const shapes = {
  number: { type: 'number', min: 0, step: 1 },
  amount: { type: 'number', min: 0, step: 'any' },
} as const

function typedBounds(event: FormEvent<HTMLFormElement>, field: string, measure: Measure): string | undefined {
  event.preventDefault()
  const { from = '', to = '', unit = '' } = typedIn(event.currentTarget)
  const written = (value: string) => {
    if (value === '') return ''
    if (measure === 'day') return quoted(value)
    return measure === 'amount' ? `${value} ${unit}` : value
  }
  return between(field, written(from), written(to))
}
