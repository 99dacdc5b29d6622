/** Parts of a whole as one bar; the legend below says the same in words and numbers. */
import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'

export interface BarPart {
  readonly name: string
  readonly amount: number
  readonly tone: Tone | 'main' | 'faint'
  /** The formatted amount, such as `1,200` or `2.1 s`. */
  readonly display: ReactNode
}

export function Bar({ label, parts }: { readonly label: string; readonly parts: readonly BarPart[] }) {
  const shown = parts.filter(({ amount }) => amount > 0)
  return (
    <figure className="counts" aria-label={label}>
      <div className="bar" aria-hidden="true">
        {shown.map(({ name, amount, tone }) => (
          <span key={name} className={`part ${tone}`} style={{ flexGrow: amount }} />
        ))}
      </div>
      <ul>
        {parts.map(({ name, display, tone }) => (
          <li key={name}>
            <span className={`swatch ${tone}`} aria-hidden="true" /> {name} <strong>{display}</strong>
          </li>
        ))}
      </ul>
    </figure>
  )
}
