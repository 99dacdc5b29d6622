/** How what was found spreads over states, statuses and kinds; a press narrows the query to one of them. */
import { useQuery } from '@tanstack/react-query'
import { count } from '../../look/numbers.ts'
import { Reading } from '../../look/reading.tsx'
import { api, dataOf } from '../../wire/api.ts'
import type { Kind } from './language.ts'

/** What a buyer calls the fields; the query language has names of its own. */
const headings: Readonly<Record<string, string>> = {
  State: 'State',
  state: 'State',
  llpStatus: 'Status',
  Status: 'Status',
  companyType: 'Kind',
  classOfCompany: 'Class',
  TaxpayerType: 'Type of taxpayer',
  ConstitutionBusiness: 'Constitution',
}

/** Shown at once; the others unfold. */
const firstMax = 6

interface FacetValue {
  readonly value: string | null
  readonly records: number
}

export function Facets(props: {
  readonly query: string
  readonly type: Kind
  readonly narrow: (query: string) => void
}) {
  const { query, type, narrow } = props
  const facets = useQuery({
    queryKey: ['facets', type, query],
    queryFn: async () => dataOf(await api.POST('/api/screener/facets', { body: { query, type } })),
    staleTime: 60_000,
  })
  return (
    <Reading of={facets} what="how they spread">
      {({ facets: fields }) => (
        <section className="facets" aria-label="Narrow it">
          {fields
            .filter(({ values }) => values.length > 1)
            .map(({ field, values }) => {
              const choose = ({ value }: FacetValue) => narrow(`(${query}) AND ${conditionOn(field, value)}`)
              return (
                <div key={field}>
                  <h3>{headings[field] ?? field}</h3>
                  <Values of={values.slice(0, firstMax)} choose={choose} />
                  {values.length > firstMax && (
                    <details>
                      <summary>{values.length - firstMax} more</summary>
                      <Values of={values.slice(firstMax)} choose={choose} />
                    </details>
                  )}
                </div>
              )
            })}
        </section>
      )}
    </Reading>
  )
}

function Values({
  of: values,
  choose,
}: {
  readonly of: readonly FacetValue[]
  readonly choose: (of: FacetValue) => void
}) {
  return (
    <ul>
      {values.map((each) => (
        <li key={each.value ?? ''}>
          <button type="button" className="as-link" onClick={() => choose(each)}>
            {each.value ?? 'not told'}
          </button>{' '}
          <span className="faint">{count(each.records)}</span>
        </li>
      ))}
    </ul>
  )
}

function conditionOn(field: string, value: string | null): string {
  if (value === null) return `${field} IS NULL`
  return value.includes("'") ? `${field} == "${value}"` : `${field} == '${value}'`
}
