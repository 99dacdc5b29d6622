/**
 * The order of a table's rows. It stands in the address, so that a link shows the same: `name`, or `name-` for descending. A list that
 * is whole on the page is sorted here, under a parameter of its own; one of which the page holds a part is sorted by its operation,
 * which reads `sort`.
 */
/** What a column says of it. */
export interface Sorting<Row> {
  readonly head: string
  /** What rows are sorted by, in a list that is whole on the page. */
  readonly by?: (row: Row) => string | number | null | undefined
  /** What the operation calls it that sorts a list of which the page holds a part. */
  readonly sortedAs?: string | undefined
}

export interface Order {
  readonly by: string
  readonly isDescending: boolean
}

/** @param text of the address; empty is the order in which the list came. */
export const orderOf = (text: string): Order | undefined =>
  text === '' ? undefined : { by: text.replace(/-$/, ''), isDescending: text.endsWith('-') }

const slugOf = (words: string): string =>
  words
    .toLowerCase()
    .match(/[\da-z]+/g)
    ?.join('-') ?? ''

/** The parameter of the address that holds it. */
export const parameterOf = <Row>(caption: string, columns: readonly Sorting<Row>[]): string =>
  columns.some(({ sortedAs }) => sortedAs !== undefined) ? 'sort' : `sort-${slugOf(caption)}`

/** What the address calls a column. @returns undefined where nothing sorts by it. */
export const sortNameOf = <Row>({ head, by, sortedAs }: Sorting<Row>): string | undefined =>
  sortedAs ?? (by && slugOf(head))

/** What a press of a head asks for: ascending, then descending, then the order in which the list came. */
export function nextOrder(name: string, order: Order | undefined): string {
  if (order?.by !== name) return name
  return order.isDescending ? '' : `${name}-`
}

const words = new Intl.Collator('en-IN', { numeric: true, sensitivity: 'base' })

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b))
}

/** Those of which nothing is known come last in either direction. */
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
