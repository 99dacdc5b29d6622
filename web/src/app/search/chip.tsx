/** One part of a search, which can be removed. */
import type { ReactNode } from 'react'

export function Chip(props: {
  /** Its name in the label of the remove button. */
  readonly name: string
  readonly remove: () => void
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <li className={props.className}>
      {props.children}
      <button type="button" aria-label={`Without ${props.name}`} onClick={props.remove}>
        ×
      </button>
    </li>
  )
}
