/**
 * A search as a list of filters, and the edits that the panel makes to it. The API parses a query into this list; its
 * texts joined by AND are the query again, so panel, chips and query language always agree.
 */
import type { components } from '../../../../../client/api-types.ts'

export type Term = components['schemas']['ScreenerTerm']
export type Terms = readonly Term[]

export const queryOf = (terms: readonly Pick<Term, 'text'>[]): string => terms.map(({ text }) => text).join(' AND ')

export const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** The selected values of a field, combined with OR. null selects records without a value. */
export function tickedIn(terms: Terms, field: string): readonly (string | null)[] {
  return terms.flatMap((term) => {
    if (term.field !== field) return []
    if (term.operator === 'IS NULL') return [null]
    return isTick(term) ? term.values : []
  })
}

const isTick = ({ operator }: Term): boolean => operator === '==' || operator === 'IN'

/** Adds the value, or removes it if it was selected. "No value" is always selected alone. */
export function toggled(terms: Terms, field: string, value: string | null): Terms {
  const before = tickedIn(terms, field)
  const others = before.filter((each) => each !== value)
  const after = before.includes(value)
    ? others
    : value === null
      ? [null]
      : [...others.filter((each) => each !== null), value]
  const isGiven = (term: Term) => isTick(term) || term.operator === 'IS NULL'
  return replaced(terms, field, isGiven, after.length === 0 ? undefined : anyOf(field, after))
}

function anyOf(field: string, ticked: readonly (string | null)[]): Term {
  const values = ticked.filter((value) => value !== null)
  const [only = ''] = values
  if (values.length === 0) return { field, operator: 'IS NULL', values, text: `${field} IS NULL` }
  if (values.length === 1) return { field, operator: '==', values, text: `${field} == ${quoted(only)}` }
  return { field, operator: 'IN', values, text: `${field} IN [${values.map(quoted).join(', ')}]` }
}

/**
 * Replaces every term of the field with the condition, at the place of the first one.
 * @param said the parts of the condition, where the panel must know them before the API has parsed the query.
 */
export const bounded = (
  terms: Terms,
  field: string,
  text: string | undefined,
  said: Pick<Term, 'operator' | 'values'> = { operator: '', values: [] },
): Terms => replaced(terms, field, () => true, text === undefined ? undefined : { field, ...said, text })

function replaced(terms: Terms, field: string, gives: (term: Term) => boolean, by: Term | undefined): Terms {
  const isReplaced = (term: Term) => term.field === field && gives(term)
  const at = terms.findIndex(isReplaced)
  const rest = terms.filter((term) => !isReplaced(term))
  return by === undefined ? rest : rest.toSpliced(at === -1 ? rest.length : at, 0, by)
}

/** A range; either bound may be left open, and without both there is no condition. */
export function between(field: string, from: string, to: string): string | undefined {
  if (from !== '' && to !== '') return `${field} BETWEEN ${from} AND ${to}`
  if (from !== '') return `${field} >= ${from}`
  return to === '' ? undefined : `${field} <= ${to}`
}
