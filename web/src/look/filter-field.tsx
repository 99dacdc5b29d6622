/** A list filter with its label. */
import { type ReactNode, useId } from 'react'

/** The props of every filter; an empty value means any. */
export interface FilterProps {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
}

export function FilterField(props: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      {props.children(id)}
    </div>
  )
}
