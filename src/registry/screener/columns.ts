/** What a query asks of the register: its columns, and the days that the query compares with. */
import type { Edge } from '../counts/periods.ts'
import type { ComparisonOperator, FieldRef, Node } from './ast.ts'
import { fieldNamed, type ScreenerType } from './fields.ts'

/** Each once; what is compared through a key is named by the key. */
export function columnsOf(type: ScreenerType, node: Node): ReadonlySet<string> {
  switch (node.kind) {
    case 'and':
    case 'or':
      return new Set(node.terms.flatMap((term) => [...columnsOf(type, term)]))
    case 'not':
      return columnsOf(type, node.term)
    case 'compare':
    case 'match':
    case 'in':
    case 'between':
    case 'null':
      return new Set([fieldNamed(type, node.field.name)?.column.replace(/^r\./, '') ?? ''])
  }
}

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
