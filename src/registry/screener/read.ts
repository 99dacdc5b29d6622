/** Parses query text into the checked tree, its canonical text and its SQL condition. */
import { indianDayOf } from '../../domain/iso-date.ts'
import type { SoldRegistrations } from '../../domain/scope.ts'
import { compileQuery } from './compile.ts'
import { type FieldKind, fieldNamed, type ResolvedQuery, type ScreenerType, screenerFields } from './fields.ts'
import { invalidDayAt } from './invalid-days.ts'
import { queryMistake } from './mistake.ts'
import { type KnownFields, parseQuery } from './parser.ts'
import type { CompiledQuery } from './pieces.ts'
import { printQuery } from './print.ts'
import { relativeDayAt } from './relative-days.ts'
import { resolveQuery } from './resolve.ts'
import { suggestedValue } from './suggestions.ts'

export interface ReadQuery extends CompiledQuery {
  readonly node: ResolvedQuery
  readonly canonical: string
}

/**
 * @param today the Indian day that `this month` and `last 7 days` are relative to.
 * @throws AppError QUERY_SYNTAX for any text that is not a query over the fields of `type`.
 */
export function readQuery(
  type: ScreenerType,
  query: string,
  sold: SoldRegistrations | null = null,
  today = indianDayOf(new Date()),
): ReadQuery {
  const resolved = resolveQuery(type, query, parseQuery(query, knownFields(type, query, today)))
  if (!resolved.ok) throw queryMistake(query, resolved.mistake)
  return readNode(type, resolved.value, sold)
}

function knownFields(type: ScreenerType, query: string, today: string): KnownFields {
  const kindOf = (name: string): FieldKind | undefined => fieldNamed(type, name)?.kind
  const daysAt = (at: number) => relativeDayAt(query, at, today)
  const holdsDays = screenerFields[type].find(({ kind }) => kind === 'date')?.name
  return {
    suggest: (field, text) => suggestedValue(type, field, text),
    // An unknown name may be meant as a date field; the checker reports which.
    days: (field) => {
      const kind = kindOf(field)
      if (kind === undefined) return daysAt
      return kind === 'date' ? (at) => daysAt(at) ?? invalidDayAt(query, at) : undefined
    },
    heldBy: (field, at) => {
      const kind = kindOf(field)
      return kind === undefined || kind === 'date' || daysAt(at) === undefined ? undefined : holdsDays
    },
    isFlag: (field) => kindOf(field) === 'flag',
  }
}

/** @param values of the statement that this condition becomes part of; its own values follow them. */
export const readNode = (
  type: ScreenerType,
  node: ResolvedQuery,
  sold: SoldRegistrations | null,
  values?: unknown[],
): ReadQuery => ({ node, canonical: printQuery(node), ...compileQuery(type, node, sold, values) })
