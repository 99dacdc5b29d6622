/**
 * An empty search suggests which filter to drop and how many records that brings; filters that cannot be counted are
 * offered without a number.
 */
import { useQuery } from '@tanstack/react-query'
import { count } from '../../../look/numbers.ts'
import { metered } from '../../../wire/queries.ts'
import { queryOf, type Term, type Terms } from '../filters/terms.ts'
import { wordsOf } from '../filters/words.ts'
import { search } from '../found.ts'
import type { Kind } from '../language.ts'

/** Each one is a search, which counts against the daily limit. */
const countedMax = 5

interface Way {
  readonly term: Term
  readonly query: string
  readonly records?: number
}

export function NothingFound(props: {
  readonly terms: Terms
  readonly type: Kind
  readonly ask: (query: string) => void
}) {
  const { terms, type, ask } = props
  const without: readonly Way[] =
    terms.length > 1 ? terms.map((term) => ({ term, query: queryOf(terms.filter((each) => each !== term)) })) : []
  const counted = useQuery({
    queryKey: ['without', type, queryOf(terms)],
    queryFn: () => countWays(without, type),
    enabled: without.length > 0 && without.length <= countedMax,
    ...metered,
    retry: false,
  })
  const ways = counted.data ?? without
  const isOneEnough = ways.some(({ records }) => records !== 0)
  return (
    <div className="empty">
      <p>
        No record matches all of this.
        {ways.length > 0 &&
          (isOneEnough
            ? ' Drop one of the filters:'
            : ' Dropping one filter is not enough; drop two, beginning with one of these:')}
      </p>
      <ul>
        {ways.map(({ term, query, records }) => (
          <li key={term.text}>
            <button type="button" className="as-link" onClick={() => ask(query)}>
              {wordsOf(term)}
            </button>
            {isOneEnough && records !== undefined && <span className="faint"> {count(records)} without it</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** One after the other, because a search is an expensive read. @returns the ones with most records first. */
async function countWays(ways: readonly Way[], type: Kind): Promise<readonly Way[]> {
  const counted: Required<Way>[] = []
  for (const way of ways) counted.push({ ...way, records: (await search(way.query, type, 1, 1)).total })
  return counted.toSorted((a, b) => b.records - a.records)
}
