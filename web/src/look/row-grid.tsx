/**
 * A virtual table: only visible rows are rendered. Rows are requested by index, and one that is not loaded yet says so;
 * on narrow screens its columns are stacked. All rows have the same height, so the index follows from the scroll
 * position.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { useAddressState } from './address-state.ts'
import { sortHead } from './sort-head.tsx'
import { parameterOf, type Sorting } from './sorting.ts'
import { useColumns } from './table-columns.tsx'

export interface GridColumn<Row> extends Pick<Sorting<Row>, 'head' | 'sortedAs'> {
  /** Its width as a CSS grid track, such as `6rem` or `1fr`. */
  readonly width: string
  readonly cell: (row: Row) => ReactNode
}

/** In rem. */
const lineHeight = 1.75
const aroundHeight = 0.8
/** @param lines the number of stacked columns. */
const rowPixelsOf = (lines: number): number => Math.ceil((lines * lineHeight + aroundHeight) * remInPixels())
const remInPixels = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
const isTooNarrow = '(max-width: 60em)'
const beyondSight = 12

export function RowGrid<Row>(props: {
  readonly caption: string
  readonly total: number
  readonly columns: readonly GridColumn<Row>[]
  /** @returns undefined for a row that is not loaded yet. */
  readonly rowAt: (index: number) => Row | undefined
  /** Called with the first and last visible row. */
  readonly onSight: (first: number, last: number) => void
}) {
  const { caption, total, rowAt, onSight } = props
  const [columns, menu] = useColumns(caption, props.columns, true)
  const [sort, setSort] = useAddressState(parameterOf(caption, props.columns))
  const frame = useRef<HTMLElement>(null)
  const isNarrow = useNarrow()
  const rowPixels = rowPixelsOf(isNarrow ? columns.length : 1)
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPixels,
    overscan: beyondSight,
  })
  const shown = rows.getVirtualItems()
  const [first, last] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0]
  useEffect(() => onSight(first, last), [first, last, onSight])
  // Rows measured at the previous height are measured again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is done when they change.
  useEffect(() => rows.measure(), [rows, rowPixels])
  const sortFromTop = (order: string) => {
    setSort(order)
    rows.scrollToOffset(0)
  }
  const tracks = isNarrow ? undefined : columns.map(({ width }) => width).join(' ')
  return (
    <div className="grid-with-menu">
      {menu}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section ref={frame} className="grid-frame" aria-label={caption} tabIndex={0}>
        {/* An HTML table cannot leave rows out; these roles give it the same semantics. */}
        {/* biome-ignore-start lint/a11y/useSemanticElements: see above. */}
        {/* biome-ignore-start lint/a11y/useFocusableInteractive: rows are read, not operated. */}
        <div role="table" aria-label={caption} aria-rowcount={total + 1}>
          <div role="row" className="grid-row grid-head" style={{ gridTemplateColumns: tracks }}>
            {columns.map((column) => {
              const { words, direction } = sortHead(column, sort, sortFromTop)
              return (
                <div key={column.head} role="columnheader" aria-sort={direction}>
                  {words}
                </div>
              )
            })}
          </div>
          <div role="rowgroup" className="grid-body" style={{ height: rows.getTotalSize() }}>
            {shown.map(({ index, start }) => {
              const row = rowAt(index)
              return (
                <div
                  key={index}
                  role="row"
                  aria-rowindex={index + 2}
                  className="grid-row"
                  style={{ gridTemplateColumns: tracks, height: rowPixels, transform: `translateY(${start}px)` }}
                >
                  {columns.map(({ head, cell }, place) => (
                    <div key={head} role="cell">
                      {row === undefined ? place === 0 && 'reading …' : cell(row)}
                    </div>
                  ))}
                </div>
              )
            })}
          </div>
        </div>
        {/* biome-ignore-end lint/a11y/useFocusableInteractive: rows are read, not operated. */}
        {/* biome-ignore-end lint/a11y/useSemanticElements: see above. */}
      </section>
    </div>
  )
}

/** Updated when the window is resized or rotated. */
function useNarrow(): boolean {
  return useSyncExternalStore(
    (notify) => {
      const query = matchMedia(isTooNarrow)
      query.addEventListener('change', notify)
      return () => query.removeEventListener('change', notify)
    },
    () => matchMedia(isTooNarrow).matches,
  )
}
