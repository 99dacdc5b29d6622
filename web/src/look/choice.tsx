/** A filter with a few values; the first, empty one means any. */
import { useId } from 'react'

export function Choice(props: {
  readonly label: string
  readonly value: string
  readonly options: readonly string[]
  readonly set: (value: string) => void
}) {
  const { label, value, options, set } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => set(event.target.value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option === '' ? 'any' : option.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    </div>
  )
}
