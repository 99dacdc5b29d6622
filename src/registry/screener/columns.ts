/** What a query asks of the register: its columns, and the days that the query compares with. */
import type { Edge } from '../counts/periods.ts'
import type { ComparisonOperator, FieldRef, Node } from './ast.ts'
import { type Field, fieldNamed, type ScreenerType } from './fields.ts'

/** The fields that are compared, each once. */
export function fieldsOf(type: ScreenerType, node: Node): ReadonlySet<Field> {
  switch (node.kind) {
    case 'and':
    case 'or':
      return new Set(node.terms.flatMap((term) => [...fieldsOf(type, term)]))
    case 'not':
      return fieldsOf(type, node.term)
    case 'compare':
    case 'match':
    case 'in':
    case 'between':
    case 'null': {
      const field = fieldNamed(type, node.field.name)
      return new Set(field ? [field] : [])
    }
  }
}

/** Each once; what is compared through a key is named by the key. */
export const columnsOf = (type: ScreenerType, node: Node): ReadonlySet<string> =>
  new Set([...fieldsOf(type, node)].map(nameOfColumn))

export const nameOfColumn = ({ column }: Field): string => column.replace(/^r\./, '')

/** The days at which the answer of the conditions on dates changes. */
export function edgesOf(type: ScreenerType, node: Node): Edge[] {
  const isDate = (field: FieldRef) => fieldNamed(type, field.name)?.kind === 'date'
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.terms.flatMap((term) => edgesOf(type, term))
    case 'not':
      return edgesOf(type, node.term)
    case 'compare':
      return isDate(node.field) ? edgesOfComparison(node.op, node.value.value) : []
    case 'in':
      return isDate(node.field) ? node.values.flatMap(({ value }) => edgesOfComparison('==', value)) : []
    case 'between':
      return isDate(node.field) ? [before(node.low.value), after(node.high.value)] : []
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
