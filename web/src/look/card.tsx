/** One thing at a glance: its state in a word, what is known of it, and what fixes it where it is not well. */
import { type ReactNode, useId } from 'react'
import { Badge, type Tone } from './badge.tsx'

export function Card(props: {
  readonly title: string
  readonly tone: Tone
  readonly word: string
  readonly children?: ReactNode
  /** The ways to fix it. */
  readonly acts?: ReactNode
}) {
  const { title, tone, word, children, acts } = props
  const id = useId()
  return (
    <section className={`card ${tone}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>
        <Badge tone={tone}>{word}</Badge>
      </p>
      {children}
      {acts && <div className="acts">{acts}</div>}
    </section>
  )
}
