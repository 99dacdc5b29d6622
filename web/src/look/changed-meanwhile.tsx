/** What somebody else changed of that which a form was begun with, and what of it would be changed back. */
import type { ChangedThere } from './taken-over.ts'

export function ChangedMeanwhile(props: {
  /** What was changed, in the middle of a sentence. */
  readonly what: string
  /** The button that saves. */
  readonly press: string
  readonly changed: readonly ChangedThere[]
}) {
  const { what, press, changed } = props
  const elsewhere = changed.length === 0 ? ', though nothing that stands here' : ''
  return (
    <div className="notice" role="alert">
      <p>
        Somebody changed {what} while this was open{elsewhere}. Nothing is saved yet: look, and press “{press}”.
      </p>
      {changed.length > 0 && (
        <ul>
          {changed.map(({ label, was, is, here }) => (
            <li key={label}>
              {label}: {was} → {is}
              {here !== undefined && `; yours is ${here}, and would take its place`}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
