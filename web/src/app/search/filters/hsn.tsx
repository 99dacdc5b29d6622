/** Goods by words: the HSN codes that these words describe, of which one is chosen. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchBox } from '../../../look/search-box.tsx'
import { api, dataOf } from '../../../wire/api.ts'
import { bounded, quoted, type Terms } from './terms.ts'

const field = 'hsncd'

export function HsnFilter({ terms, change }: { readonly terms: Terms; readonly change: (terms: Terms) => void }) {
  const [words, setWords] = useState('')
  const codes = useQuery({
    queryKey: ['hsn', words],
    queryFn: async () =>
      dataOf(await api.GET('/api/reference/hsn', { params: { query: { search: words, limit: 12 } } })),
    enabled: words.length > 2,
    staleTime: 600_000,
  })
  const own = terms.find((term) => term.field === field)
  return (
    <>
      <SearchBox label="Goods in words" value={words} set={setWords} act="Find" />
      <ul>
        {codes.data?.data.map(({ code, description }) => {
          const condition = `${field} STARTS_WITH ${quoted(code)}`
          const isChosen = own?.text === condition
          return (
            <li key={code}>
              <label title={description}>
                <input
                  type="checkbox"
                  checked={isChosen}
                  onChange={() => change(bounded(terms, field, isChosen ? undefined : condition))}
                />
                <span>
                  {code} {description}
                </span>
              </label>
            </li>
          )
        })}
      </ul>
      {codes.data?.data.length === 0 && <p className="hint">No HSN code is described by these words.</p>}
    </>
  )
}
