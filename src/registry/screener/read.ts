/** Query text in; the checked tree, its canonical text and its SQL condition out. */
import type { SoldRegistrations } from '../../domain/scope.ts'
import { valueMeant } from './advice.ts'
import type { Node } from './ast.ts'
import { checkQuery } from './check.ts'
import { compileQuery } from './compile.ts'
import type { ScreenerType } from './fields.ts'
import { parseQuery } from './parser.ts'
import type { CompiledQuery } from './pieces.ts'
import { printQuery } from './print.ts'

export interface ReadQuery extends CompiledQuery {
  readonly node: Node
  readonly canonical: string
}

/** @throws AppError QUERY_SYNTAX for any text that is not a query over the fields of `type`. */
export function readQuery(type: ScreenerType, query: string, sold: SoldRegistrations | null = null): ReadQuery {
  const node = checkQuery(
    type,
    query,
    parseQuery(query, (field, text) => valueMeant(type, field, text)),
  )
  return { node, canonical: printQuery(node), ...compileQuery(type, node, sold) }
}
