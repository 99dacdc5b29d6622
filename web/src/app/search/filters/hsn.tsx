/**
 * Goods by words: HSN headings that the results have, and headings that match the words, each with the records it would
 * leave.
 */
import { useState } from 'react'
import { count } from '../../../look/numbers.ts'
import { SearchBox } from '../../../look/search-box.tsx'
import { api } from '../../../wire/api.ts'
import { useRead } from '../../../wire/use-read.ts'
import type { FacetValue } from './read-filters.ts'
import { bounded, quoted, type Terms } from './terms.ts'

const field = 'hsncd'
/** Only the most frequent ones are counted; beyond these, a missing count means nothing. */
const countedMax = 50
const shownMax = 12

interface Heading {
  readonly code: string
  readonly words: string | null
  readonly records: number | undefined
}

export function HsnFilter(props: {
  readonly values: readonly FacetValue[] | undefined
  readonly terms: Terms
  readonly change: (terms: Terms) => void
}) {
  const { values, terms, change } = props
  const [words, setWords] = useState('')
  const codes = useRead(
    ['hsn', words],
    () => api.GET('/api/reference/hsn', { params: { query: { search: words, limit: shownMax } } }),
    { enabled: words.length > 2, staleTime: 600_000 },
  )
  const own = terms.find((term) => term.field === field)
  const described = codes.data?.data.map(({ code, description }) => ({
    ...{ code, words: description },
    records: recordsOf(code, values),
  }))
  const held = values?.slice(0, shownMax).map(({ value, ...of }) => ({ code: value ?? '', ...of }))
  const shown: readonly Heading[] = (words.length > 2 ? described : held) ?? []
  return (
    <>
      <SearchBox label="Goods in words" value={words} set={setWords} act="Find" />
      <ul>
        {shown.map(({ code, words: description, records }) => {
          const condition = `${field} STARTS_WITH ${quoted(code)}`
          const isChosen = own?.text === condition
          const leadsNowhere = records === 0 && !isChosen
          return (
            <li key={code}>
              <label className={leadsNowhere ? 'faint' : undefined}>
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={leadsNowhere}
                  onChange={() => change(bounded(terms, field, isChosen ? undefined : condition))}
                />
                <span className="clamped">
                  {code} {description}
                </span>
                {records !== undefined && <span className="faint number">{count(records)}</span>}
              </label>
            </li>
          )
        })}
      </ul>
      {described?.length === 0 && <p className="hint">No HSN code matches these words.</p>}
    </>
  )
}

/** Headings have four digits; other codes are not counted, unless their heading has no record at all. */
function recordsOf(code: string, values: readonly FacetValue[] | undefined): number | undefined {
  if (values === undefined || code.length < 4) return undefined
  const heading = values.find(({ value }) => value === code.slice(0, 4))
  if (heading === undefined) return values.length < countedMax ? 0 : undefined
  return code.length === 4 ? heading.records : undefined
}
