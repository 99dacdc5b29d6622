/**
 * The sort order of a table, kept in the address so that links reproduce it: `name`, or `name-` for descending. A
 * complete list is sorted here, under its own parameter; a paged list is sorted by its operation, which takes `sort`.
 */
export interface Sorting<Row> {
  readonly head: string
  /** The sort key, for a complete list. */
  readonly by?: (row: Row) => string | number | null | undefined
  /** The operation's name for it, for a paged list. */
  readonly sortedAs?: string | undefined
}

export interface Order {
  readonly by: string
  readonly isDescending: boolean
}

/** @param text from the address; empty for the list's own order. */
export const orderOf = (text: string): Order | undefined =>
  text === '' ? undefined : { by: text.replace(/-$/, ''), isDescending: text.endsWith('-') }

const slugOf = (words: string): string =>
  words
    .toLowerCase()
    .match(/[\da-z]+/g)
    ?.join('-') ?? ''

/** The address parameter that holds it. */
export const parameterOf = <Row>(caption: string, columns: readonly Sorting<Row>[]): string =>
  columns.some(({ sortedAs }) => sortedAs !== undefined) ? 'sort' : `sort-${slugOf(caption)}`

/** A column's name in the address. @returns undefined for a column that cannot be sorted by. */
export const sortNameOf = <Row>({ head, by, sortedAs }: Sorting<Row>): string | undefined =>
  sortedAs ?? (by && slugOf(head))

/** Pressing a header cycles through ascending, descending, and the list's own order. */
export function nextOrder(name: string, order: Order | undefined): string {
  if (order?.by !== name) return name
  return order.isDescending ? '' : `${name}-`
}

const words = new Intl.Collator('en-IN', { numeric: true, sensitivity: 'base' })

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b))
}

/** Rows without a value come last in either direction. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Sorting<Row>[], order: Order | undefined) {
  const by = columns.find((column) => sortNameOf(column) === order?.by)?.by
  if (!order || !by) return rows
  const sign = order.isDescending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [by(one) ?? '', by(other) ?? '']
    if (a === '' || b === '') return Number(a === '') - Number(b === '')
    return sign * compare(a, b)
  })
}
