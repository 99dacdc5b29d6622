/** A mistake in a query, as an error that teaches: where it is, what stands there, what could, and what to write. */
import { AppError } from '../../errors.ts'

export interface Mistake {
  /** Offset in UTF-16 units from the start of the query. */
  readonly at: number
  readonly message: string
  readonly found: string
  readonly expected?: readonly string[]
  /** What to write in place of `found`. */
  readonly suggestion?: string | undefined
}

const foundMax = 60

/** @returns the QUERY_SYNTAX error of a mistake; line and column count from 1, `position` from 0. */
export function queryMistake(query: string, mistake: Mistake): AppError {
  const before = query.slice(0, mistake.at)
  const line = before.split('\n').length
  const column = mistake.at - before.lastIndexOf('\n')
  const found = mistake.found.length > foundMax ? `${mistake.found.slice(0, foundMax - 1)}…` : mistake.found
  const hint = mistake.suggestion === undefined ? '' : ` Write ${mistake.suggestion} instead.`
  return new AppError('QUERY_SYNTAX', `Line ${line}, column ${column}: ${mistake.message}${hint}`, {
    extra: {
      position: mistake.at,
      line,
      column,
      found,
      expected: mistake.expected ?? [],
      suggestion: mistake.suggestion ?? null,
    },
  })
}
