/**
 * Warns that somebody else changed the resource a form was opened with, and shows which changes saving would overwrite.
 */
import type { ChangeByOthers } from './rebase-form.ts'

export function EditConflict(props: {
  /** The resource, in the middle of a sentence. */
  readonly what: string
  readonly press: string
  readonly changed: readonly ChangeByOthers[]
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
