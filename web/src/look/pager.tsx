/** Pages through a list. If the list shrinks, a reader past its end is moved to the last page. */
import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { useAddressChange, usePage } from './address-state.ts'
import { lastPageOf } from './last-page.ts'
import { count, counted } from './numbers.ts'

export function Pager(props: {
  readonly total: number
  readonly limit: number
  readonly one: string
  /** The creation time of the first row, for a list that grows at its start: new rows do not shift later pages. */
  readonly newest?: string | undefined
  /** Rows that its pages reach, where those are not all. */
  readonly reach?: number
}) {
  const { total, limit, one, newest, reach } = props
  const [page] = usePage()
  const change = useAddressChange()
  const last = lastPageOf(total, limit, reach)
  const [parameters, setParameters] = useSearchParams()
  // While a read is pending the total may be that of another list.
  const isKnown = useIsFetching() === 0
  // In another order new rows may appear anywhere.
  const isBound = newest !== undefined && isKnown && !parameters.has('sort')
  const setPage = (next: number) => {
    const until = next === 1 ? { until: '' } : isBound && page === 1 ? { until: newest } : {}
    change({ page: next === 1 ? '' : String(next), ...until })
  }
  const isBehind = isKnown && total > 0 && page > last
  useEffect(() => {
    if (!isBehind) return
    const there = new URLSearchParams(location.search)
    there.set('page', String(last))
    setParameters(there, { replace: true })
  }, [isBehind, last, setParameters])
  if (total === 0) return null
  // A disabled button would lose the focus.
  return (
    <nav className="pager" aria-label="Pages">
      {last > 2 && (
        <button type="button" aria-disabled={page <= 1} onClick={() => page > 1 && setPage(1)}>
          First
        </button>
      )}
      <button type="button" aria-disabled={page <= 1} onClick={() => page > 1 && setPage(Math.min(page - 1, last))}>
        Previous
      </button>
      <span>
        Page {count(page)} of {count(last)} ·{' '}
        {counted(total, one, one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`)}
      </span>
      <button type="button" aria-disabled={page >= last} onClick={() => page < last && setPage(page + 1)}>
        Next
      </button>
      {last > 2 && (
        <button type="button" aria-disabled={page >= last} onClick={() => page < last && setPage(last)}>
          Last
        </button>
      )}
      {reach !== undefined && total > reach && (
        <span className="faint">Pages end at {counted(reach, one)}; narrow the search to see others.</span>
      )}
    </nav>
  )
}
