/** A file of a source goes in; out come its rows by identifier, in maps, and which of its lines are rejected for what. */
import type { ColumnRule, DateOrder, Source } from '../../../config/sources/source.ts'
import {
  type Filling,
  type Following,
  type Piecemeal,
  type Removing,
  type Row,
  read,
  type Said,
  type Value,
} from './cells.ts'
import { ordersOf } from './days.ts'
import { readTable } from './header.ts'
import { type Named, namedIn } from './named.ts'
import { Rejected } from './texts.ts'

export interface ReadRow {
  readonly line: number
  readonly id: string
  readonly said: ReadonlyMap<string, Said>
}
export interface Reading {
  readonly rowsRead: number
  readonly rows: readonly ReadRow[]
  readonly rejects: readonly { readonly line: number; readonly code: string }[]
  /** Whether the file has a column for a field. */
  has(field: string): boolean
  /** Records that rejected rows name, by their identifier or by parts of it: they were seen, and close nothing. */
  readonly alsoSeen: readonly (string | Named)[]
}

export function readFile(source: Source, bytes: Uint8Array): Reading {
  const { at, width, dateOrder, records } = readTable(source, bytes)
  const rejects: { line: number; code: string }[] = []
  const alsoSeen: (string | Named)[] = []
  const rowOf = (cells: readonly string[], orders: ReadonlyMap<string, DateOrder | undefined>): Row => ({
    source,
    has: (field) => field !== undefined && at.has(field),
    cell: (field) => (field === undefined ? undefined : cells[at.get(field) ?? -1]),
    order: (field) => orders.get(field),
  })
  const whole = records.flatMap(({ line, cells }) => {
    if (cells.length >= width && cells.slice(width).every((cell) => cell.trim() === '')) return [{ line, cells }]
    rejects.push({ line, code: 'column_count' })
    alsoSeen.push(...seenIn(source, rowOf(cells, new Map())), namedIn(source, cells))
    return []
  })
  const dateFields = Object.values(source.columns).flatMap((rule) => (rule.kind === 'date' ? [rule.from] : []))
  const columns = dateFields
    .filter((field) => at.has(field))
    .map((field): [string, (string | undefined)[]] => [field, whole.map(({ cells }) => cells[at.get(field) ?? -1])])
  const orders = ordersOf(new Map(columns), dateOrder)

  const byId = new Map<string, ReadRow>()
  for (const { line, cells } of whole) {
    const row = rowOf(cells, orders)
    try {
      const said = new Map(Object.entries(source.columns).map(([column, rule]) => [column, read(rule, row)]))
      const id = keyOf(source, said, row)
      const earlier = byId.get(id)
      if (earlier) rejects.push({ line: earlier.line, code: 'duplicate_in_file' })
      byId.set(id, { line, id, said: said.set(source.key, id) })
    } catch (fault) {
      if (!(fault instanceof Rejected)) throw fault
      rejects.push({ line, code: fault.code })
      alsoSeen.push(...seenIn(source, row), namedIn(source, cells))
    }
  }
  const byLine = rejects.toSorted((one, other) => one.line - other.line)
  return {
    rowsRead: records.length,
    rows: [...byId.values()],
    rejects: byLine,
    alsoSeen,
    has: (field) => at.has(field),
  }
}

export const isFilling = (said: Said): said is Filling => typeof said === 'object' && said !== null && 'fills' in said

export const isPiecemeal = (said: Said): said is Piecemeal =>
  typeof said === 'object' && said !== null && 'pieces' in said

export const isFollowing = (said: Said): said is Following =>
  typeof said === 'object' && said !== null && 'follows' in said

export const isRemoving = (said: Said): said is Removing =>
  typeof said === 'object' && said !== null && 'removedBy' in said

/** The value that a row gives by itself, without a register before it. */
export function valueIn(said: Said | undefined): Value {
  if (said === undefined || isRemoving(said)) return null
  if (isPiecemeal(said)) return said.pieces
  return isFilling(said) ? said.fills : isFollowing(said) ? said.value : said
}

/** The key of the row's record, put together where its source declares parts. */
function keyOf(source: Source, said: ReadonlyMap<string, Said>, row: Row): string {
  const rule = source.columns[source.key]
  const of = (column: string) => String(valueIn(said.get(column)) ?? '')
  if (rule?.kind !== 'joined') return of(source.key)
  // Only what the file has a column for.
  const named = (column: string) => {
    const from = source.columns[column]
    return from?.kind === 'text' && row.has(from.from) ? of(column) : ''
  }
  const others = (rule.optional ?? []).map((column) => named(column).slice(0, 60)).filter((part) => part !== '')
  return [...rule.columns.map(of), ...others].join(rule.separator)
}

/** The identifier of a row that is rejected for another cell. A day in it that cannot be read may as well be none. */
function seenIn(source: Source, row: Row): string[] {
  const rule = source.columns[source.key]
  try {
    const parts = rule?.kind === 'joined' ? [...rule.columns, ...(rule.optional ?? [])] : [source.key]
    const said = parts.flatMap((column): [string, Said][] => {
      const of = source.columns[column]
      return of ? [[column, of.kind === 'date' ? dayOrNone(of, row) : read(of, row)]] : []
    })
    return [keyOf(source, new Map(said), row)]
  } catch {
    return []
  }
}

function dayOrNone(rule: ColumnRule, row: Row): Said {
  try {
    return read(rule, row)
  } catch {
    return null
  }
}
