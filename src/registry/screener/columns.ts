/** The columns of the register that a query asks, each once; what is compared through a key is named by the key. */
import type { Node } from './ast.ts'
import { fieldNamed, type ScreenerType } from './fields.ts'

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
