/** A card: a status, its details, and what fixes it. */
import { type ReactNode, useId } from 'react'
import { Badge, type Tone } from './badge.tsx'

export function Card(props: {
  readonly title: string
  readonly tone: Tone
  readonly word: string
  readonly children?: ReactNode
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
