/** The checkbox column by which rows are selected. */
import type { Column } from './column.ts'

export function chooseColumn<Row>(of: {
  readonly idOf: (row: Row) => string
  readonly nameOf: (row: Row) => string
  readonly chosen: ReadonlySet<string>
  readonly choose: (chosen: ReadonlySet<string>) => void
}): Column<Row> {
  const { idOf, nameOf, chosen, choose } = of
  return {
    head: 'Choose',
    isFixed: true,
    cell: (row) => {
      const id = idOf(row)
      const toggle = () => choose(chosen.symmetricDifference(new Set([id])))
      return <input type="checkbox" aria-label={`Choose ${nameOf(row)}`} checked={chosen.has(id)} onChange={toggle} />
    },
  }
}
