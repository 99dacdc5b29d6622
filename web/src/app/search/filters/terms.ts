/**
 * A search as a list of filters, and what a press on the panel makes of it. The API reads a query as such a list; joined by AND again
 * its texts are the query, so that panel, chips and query language say the same.
 */
import type { components } from '../../../../../client/api-types.ts'

export type Term = components['schemas']['ScreenerTerm']
export type Terms = readonly Term[]

export const queryOf = (terms: readonly Pick<Term, 'text'>[]): string => terms.map(({ text }) => text).join(' AND ')

export const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** The values of a field that are ticked: any of them will do. null stands for records of which the register tells none. */
export function tickedIn(terms: Terms, field: string): readonly (string | null)[] {
  return terms.flatMap((term) => {
    if (term.field !== field) return []
    if (term.operator === 'IS NULL') return [null]
    return isTick(term) ? term.values : []
  })
}

const isTick = ({ operator }: Term): boolean => operator === '==' || operator === 'IN'

/** With the value, or without it where it was ticked. Records without a value are asked for alone. */
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
 * Everything that is said of the field gives way to the condition, which takes the place of the first of it.
 * @param said what its parts are, where the panel must know them before the API has read the query.
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

/** From one bound to another; either may be left open, both make none. */
export function between(field: string, from: string, to: string): string | undefined {
  if (from !== '' && to !== '') return `${field} BETWEEN ${from} AND ${to}`
  if (from !== '') return `${field} >= ${from}`
  return to === '' ? undefined : `${field} <= ${to}`
}
