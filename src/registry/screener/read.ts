/** Query text in; the checked tree, its canonical text and its SQL condition out. */
import { indianDayOf } from '../../domain/iso-date.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import { valueMeant } from './advice.ts'
import type { Node } from './ast.ts'
import { checkQuery } from './check.ts'
import { compileQuery } from './compile.ts'
import { type FieldKind, fieldNamed, type ScreenerType } from './fields.ts'
import { parseQuery } from './parser.ts'
import type { CompiledQuery } from './pieces.ts'
import { printQuery } from './print.ts'
import { relativeDayAt } from './relative-days.ts'

export interface ReadQuery extends CompiledQuery {
  readonly node: Node
  readonly canonical: string
}

/**
 * @param today the Indian day that `this month` and `last 7 days` are told from.
 * @throws AppError QUERY_SYNTAX for any text that is not a query over the fields of `type`.
 */
export function readQuery(
  type: ScreenerType,
  query: string,
  sold: SoldRegistrations | null = null,
  today = indianDayOf(new Date()),
): ReadQuery {
  const isOf = (name: string, kind: FieldKind) => fieldNamed(type, name)?.kind === kind
  const parsed = parseQuery(query, {
    advise: (field, text) => valueMeant(type, field, text),
    days: (field) => (isOf(field, 'date') ? (at) => relativeDayAt(query, at, today) : undefined),
    isFlag: (field) => isOf(field, 'flag'),
  })
  return readNode(type, checkQuery(type, query, parsed), sold)
}

/** @param values of statements that this condition becomes a part of; its own follow them. */
export const readNode = (
  type: ScreenerType,
  node: Node,
  sold: SoldRegistrations | null,
  values?: unknown[],
): ReadQuery => ({ node, canonical: printQuery(node), ...compileQuery(type, node, sold, values) })
