/** One part of what is searched for, which can be taken out again. */
import type { ReactNode } from 'react'

export function Chip(props: {
  /** What it is called where it is taken out. */
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
