/** A syntax error in a query, with its position, what was found, what was expected, and a suggestion. */
import { AppError } from '../../errors.ts'

export interface Mistake {
  /** Offset in UTF-16 units from the start of the query. */
  readonly at: number
  readonly message: string
  readonly found: string
  readonly expected?: readonly string[]
  /** What to write instead of `found`. */
  readonly suggestion?: string | undefined
}

/** The resolved meaning of a piece of a query, or the error in it. */
export type Resolved<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly mistake: Mistake }

export const resolved = <T>(value: T): Resolved<T> => ({ ok: true, value })
export const mistaken = (mistake: Mistake): Resolved<never> => ({ ok: false, mistake })

export const andThen = <A, B>(first: Resolved<A>, next: (value: A) => Resolved<B>): Resolved<B> =>
  first.ok ? next(first.value) : first

/** All of them, or the first error. */
export function allResolved<A, B>(pieces: readonly A[], resolve: (piece: A) => Resolved<B>): Resolved<readonly B[]> {
  const values: B[] = []
  for (const piece of pieces) {
    const each = resolve(piece)
    if (!each.ok) return each
    values.push(each.value)
  }
  return resolved(values)
}

const foundMax = 60

/** @returns the QUERY_SYNTAX error; line and column count from 1, `position` from 0. */
export function queryMistake(query: string, mistake: Mistake): AppError {
  const before = query.slice(0, mistake.at)
  const line = before.split('\n').length
  const column = mistake.at - before.lastIndexOf('\n')
  const { suggestion } = mistake
  // Text that is to be replaced is shown in full.
  const isShown = suggestion !== undefined || mistake.found.length <= foundMax
  const found = isShown ? mistake.found : `${mistake.found.slice(0, foundMax - 1)}…`
  const hint = suggestion === undefined ? '' : ` Write ${suggestion} instead.`
  return new AppError('QUERY_SYNTAX', `Line ${line}, column ${column}: ${mistake.message}${hint}`, {
    extra: {
      position: mistake.at,
      line,
      column,
      found,
      expected: mistake.expected ?? [],
      suggestion: suggestion === undefined ? null : apart(query, mistake, suggestion),
    },
  })
}

/** Adds spaces if the suggestion would otherwise merge with an adjacent word. */
function apart(query: string, { at, found }: Mistake, suggestion: string): string {
  const isWord = (character: string): boolean => /\w/.test(character)
  const after = query.charAt(at + found.length)
  const before = isWord(suggestion.charAt(0)) && isWord(query.charAt(at - 1)) ? ' ' : ''
  return `${before}${suggestion}${isWord(suggestion.charAt(suggestion.length - 1)) && isWord(after) ? ' ' : ''}`
}
