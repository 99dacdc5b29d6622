/** A filter by day; empty means any. */
import { useId } from 'react'

export function DayChoice(props: {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
}) {
  const { label, value, set } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="date" value={value} onChange={(event) => set(event.target.value)} />
    </div>
  )
}
