/** The columns that a query uses, and the days that it compares with. */
import type { CodeAsked } from '../counts/counted-industries.ts'
import type { Edge } from '../counts/periods.ts'
import { allOf, type ComparisonOperator, conditionsIn, termsIn } from './ast.ts'
import type { Field, ResolvedCondition, ResolvedQuery } from './fields.ts'

/** The fields that are compared, without duplicates. */
export const fieldsOf = (node: ResolvedQuery): ReadonlySet<Field> =>
  new Set(conditionsIn(node).map(({ field }) => field.known))

/** Without duplicates; a field compared by its key appears as the key. */
export const columnsOf = (node: ResolvedQuery): ReadonlySet<string> => new Set([...fieldsOf(node)].map(nameOfColumn))

export const nameOfColumn = ({ column }: Field): string => column.replace(/^r\./, '')

/** The state, if the query only finds records of one state. */
export function stateOf(node: ResolvedQuery): string | undefined {
  for (const term of termsIn(node)) {
    if (term.kind === 'compare' && term.op === '==' && nameOfColumn(term.field.known) === 'state')
      return term.value.value
  }
  return undefined
}

/** The HSN code, if the query only finds records with one, and the other columns that it uses. */
export function codeAsked(
  node: ResolvedQuery,
): { readonly asked: CodeAsked; readonly further: ReadonlySet<string> } | undefined {
  const terms = termsIn(node)
  for (const term of terms) {
    if (!('field' in term) || nameOfColumn(term.field.known) !== 'hsn_codes') continue
    const further = columnsOf(allOf(terms.filter((each) => each !== term)))
    if (term.kind === 'compare' && term.op === '==')
      return { asked: { code: term.value.value, isBeginning: false }, further }
    if (term.kind === 'match' && term.op === 'STARTS_WITH')
      return { asked: { code: term.value.value, isBeginning: true }, further }
  }
  return undefined
}

/** The days at which the result of its date conditions changes. */
export const edgesOf = (node: ResolvedQuery): Edge[] =>
  conditionsIn(node)
    .filter(({ field }) => field.known.kind === 'date')
    .flatMap(edgesOfCondition)

function edgesOfCondition(condition: ResolvedCondition): Edge[] {
  switch (condition.kind) {
    case 'compare':
      return edgesOfComparison(condition.op, condition.value.value)
    case 'in':
      return condition.values.flatMap(({ value }) => edgesOfComparison('==', value))
    case 'between':
      return [before(condition.low.value), after(condition.high.value)]
    case 'match':
    case 'null':
      return []
  }
}

function edgesOfComparison(op: ComparisonOperator, day: string): Edge[] {
  switch (op) {
    case '>=':
    case '<':
      return [before(day)]
    case '>':
    case '<=':
      return [after(day)]
    case '==':
    case '!=':
      return [before(day), after(day)]
  }
}

const before = (day: string): Edge => ({ day, side: 'before' })
const after = (day: string): Edge => ({ day, side: 'after' })
