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
  const elsewhere = changed.length === 0 ? ', but nothing shown here' : ''
  return (
    <div className="notice" role="alert">
      <p>
        Someone changed {what} while this was open{elsewhere}. Nothing is saved yet: check the values, then press “
        {press}”.
      </p>
      {changed.length > 0 && (
        <ul>
          {changed.map(({ label, was, is, here }) => (
            <li key={label}>
              {label}: {was} → {is}
              {here !== undefined && `; yours is ${here} and would replace it`}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
