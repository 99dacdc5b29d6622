/** An error in words: the server's message, what helps, and the request id to report. */
import { useContext, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { PanjiApiError } from '../../../client/api-error.ts'
import { isUnanswered } from '../wire/answers.ts'
import type { FieldShape } from './field-shape.ts'
import { inLabels } from './in-labels.ts'
import { Mistyped } from './mistyped.ts'
import { Remedies } from './remedies.ts'

export function Failure(props: {
  readonly of: unknown
  readonly again?: (() => void) | undefined
  /** The fields of the form that failed. */
  readonly fields?: readonly FieldShape[]
  /** The labels that the error should use for them. */
  readonly id?: string
  /** It was a write. */
  readonly isAct?: boolean
}) {
  const { of: failure, again, fields = [], id, isAct = false } = props
  const fixes = useContext(Remedies)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [])
  if (failure instanceof PanjiApiError && failure.code === 'CSRF_TOKEN_MISSING') return <SignedInAnew />
  const offered = failure instanceof PanjiApiError ? fixes[failure.code] : undefined
  const fix = isAct && offered?.says !== undefined ? undefined : offered
  return (
    <div ref={place} id={id} role="alert" className="failure">
      <p>
        {inLabels(isAct ? sentenceOfAct(failure) : sentenceOf(failure), fields)} {fix?.says}{' '}
        {fix && <Link href={fix.href}>{fix.label}</Link>}
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

/** Each session has its own token, and this page still has the previous one. */
function SignedInAnew() {
  return (
    <div role="alert" className="failure">
      <p>Someone has signed in again in this browser since this page was opened, perhaps to another account.</p>
      <button type="button" onClick={() => location.reload()}>
        Reload this page
      </button>
    </div>
  )
}

/** Retrying what does not exist, or what was understood and refused, gives the same result. */
const endsAlike = (failure: unknown): boolean =>
  failure instanceof PanjiApiError && [400, 403, 404, 422].includes(failure.status)

/** The network failed, or a proxy in front of Panji answered instead. */
const isLost = (failure: unknown): boolean =>
  isUnanswered(failure) && !(failure instanceof PanjiApiError && failure.requestId !== '')

/** The server's message for this error is for programs. */
const isSignedOut = (failure: unknown): boolean =>
  failure instanceof PanjiApiError && failure.code === 'UNAUTHENTICATED'

/** An unknown outcome is not reported as a failure. */
export const sentenceOfAct = (failure: unknown): string =>
  isLost(failure)
    ? 'Panji does not answer. This may or may not have happened. What you typed is kept: check before you do it again.'
    : isSignedOut(failure)
      ? 'Your session had ended, so nothing was done. What you typed is kept: press the button again.'
      : sentenceOf(failure)

export function sentenceOf(failure: unknown): string {
  if (failure instanceof PanjiApiError) {
    const { message, body } = failure
    const further = (body.errors ?? []).map((field) => field.message).filter((each) => !message.includes(each))
    const { suggestion } = body
    const hint = typeof suggestion === 'string' && !message.includes(suggestion) ? `Did you mean ${suggestion}?` : []
    return [message, ...further, hint].flat().join(' ')
  }
  if (failure instanceof Mistyped) return failure.message
  return 'Panji does not answer. It may be restarting; what you typed is kept.'
}
