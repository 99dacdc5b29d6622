/** A failure in words: the server's sentence, what helps, and what to name when it is reported. */
import { useContext } from 'react'
import { Link } from 'wouter'
import { PanjiApiError } from '../../../client/api-error.ts'
import { Remedies } from './remedies.ts'

export function Failure({ of: failure, again }: { readonly of: unknown; readonly again?: (() => void) | undefined }) {
  const fixes = useContext(Remedies)
  const fix = failure instanceof PanjiApiError ? fixes[failure.code] : undefined
  return (
    <div role="alert" className="failure">
      <p>
        {sentenceOf(failure)} {fix && <Link href={fix.href}>{fix.label}</Link>}
      </p>
      {failure instanceof PanjiApiError && failure.requestId !== '' && (
        <p className="faint">
          <a href={`/docs/errors#${failure.code}`}>{failure.code}</a> · request {failure.requestId}
        </p>
      )}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

export function sentenceOf(failure: unknown): string {
  if (failure instanceof PanjiApiError) {
    const [field] = failure.body.errors ?? []
    const hint = typeof failure.body.suggestion === 'string' ? ` Did you mean ${failure.body.suggestion}?` : ''
    return field ? `${failure.message} ${JSON.stringify(field)}` : failure.message + hint
  }
  return 'Panji does not answer. It may be starting again; what you typed is kept.'
}
