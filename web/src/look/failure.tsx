/** A failure in words: the server's sentence, what helps, and what to name when it is reported. */
import { useContext } from 'react'
import { Link } from 'wouter'
import { PanjiApiError } from '../../../client/api-error.ts'
import type { FieldShape } from './field-shape.ts'
import { inLabels } from './in-labels.ts'
import { Mistyped } from './mistyped.ts'
import { Remedies } from './remedies.ts'

export function Failure(props: {
  readonly of: unknown
  readonly again?: (() => void) | undefined
  /** Of the form that failed. */
  readonly fields?: readonly FieldShape[]
}) {
  const { of: failure, again, fields = [] } = props
  const fixes = useContext(Remedies)
  if (failure instanceof PanjiApiError && failure.code === 'CSRF_TOKEN_MISSING') return <SignedInAnew />
  const fix = failure instanceof PanjiApiError ? fixes[failure.code] : undefined
  return (
    <div role="alert" className="failure">
      <p>
        {inLabels(sentenceOf(failure), fields)} {fix && <Link href={fix.href}>{fix.label}</Link>}
      </p>
      {failure instanceof PanjiApiError && failure.requestId !== '' && (
        <p className="faint">
          <a href={`/docs/errors#${failure.code}`}>{failure.code}</a> · request {failure.requestId}
        </p>
      )}
      {again && !endsAlike(failure) && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Each session has a token of its own, and this page has that of the one before. */
function SignedInAnew() {
  return (
    <div role="alert" className="failure">
      <p>Somebody has signed in anew in this browser since this page was opened, perhaps to another account.</p>
      <button type="button" onClick={() => location.reload()}>
        Reload this page
      </button>
    </div>
  )
}

/** Another try of what is not there, or was understood and refused, ends like the one before. */
const endsAlike = (failure: unknown): boolean =>
  failure instanceof PanjiApiError && [400, 403, 404, 422].includes(failure.status)

export function sentenceOf(failure: unknown): string {
  if (failure instanceof PanjiApiError) {
    const { message, body } = failure
    const further = (body.errors ?? []).map((field) => field.message).filter((each) => !message.includes(each))
    const { suggestion } = body
    const hint = typeof suggestion === 'string' && !message.includes(suggestion) ? `Did you mean ${suggestion}?` : []
    return [message, ...further, hint].flat().join(' ')
  }
  if (failure instanceof Mistyped) return failure.message
  return 'Panji does not answer. It may be starting again; what you typed is kept.'
}
