/** The filters next to the results, each with the records it would leave. A filter that leads to none is disabled. */

import { type ReactNode, useState } from 'react'
import { PanjiApiError } from '../../../../../client/api-error.ts'
import { count } from '../../../look/numbers.ts'
import type { Kind } from '../language.ts'
import { FilterBounds, type Measure } from './bounds.tsx'
import { HsnFilter } from './hsn.tsx'
import { NameFilter } from './name.tsx'
import { type Facet, type FacetValue, useFacets, type useTerms } from './read-filters.ts'
import { bounded, queryOf, type Terms } from './terms.ts'
import { FilterValues } from './values.tsx'
import { flagOf, headingOf } from './words.ts'

interface Group {
  readonly field: string
  readonly measure?: Measure
  readonly isText?: boolean
  readonly isOpen?: boolean
}

const groups: Readonly<Record<Kind, readonly Group[]>> = {
  company: [
    { field: 'State', isOpen: true },
    { field: 'District' },
    { field: 'dateOfIncorporation', measure: 'day', isOpen: true },
    { field: 'paidUpCapital', measure: 'amount', isOpen: true },
    { field: 'NICDesc', isText: true },
    { field: 'classOfCompany' },
    { field: 'llpStatus' },
    { field: 'companyType' },
    { field: 'boardSize', measure: 'number' },
  ],
  gst: [
    { field: 'state', isOpen: true },
    { field: 'District' },
    { field: 'DateOfRegistration', measure: 'day', isOpen: true },
    { field: 'hsncd' },
    { field: 'Status', isOpen: true },
    { field: 'TaxpayerType' },
    { field: 'ConstitutionBusiness' },
  ],
}

const notCounted = 'Without numbers: too many records to count by this. Narrow the search, and they appear.'

const flags = ['has_mobile', 'has_email', 'has_website', 'owned']

interface PanelProps {
  readonly query: string
  readonly type: Kind
  readonly read: ReturnType<typeof useTerms>
  readonly ask: (query: string) => void
}

export function FilterPanel({ query, type, read, ask }: PanelProps) {
  // A press shows at once, before the API has parsed the resulting query.
  const [pressed, setPressed] = useState<{ readonly query: string; readonly terms: Terms }>()
  const terms = !read.isRead && pressed?.query === query ? pressed.terms : read.terms
  const { data, error } = useFacets(query, type)
  // Errors in a query are shown next to it.
  const isTooMany = error !== null && !(error instanceof PanjiApiError && error.code === 'QUERY_SYNTAX')
  const facets = new Map(data?.facets.map((facet) => [facet.field, facet.values]))
  const change = (changed: Terms) => {
    setPressed({ query: queryOf(changed), terms: changed })
    ask(queryOf(changed))
  }
  return (
    <section className="panel" aria-label="Filters">
      {isTooMany && <p className="hint">Too many records to count. The filters work all the same.</p>}
      <NameFilter field={type === 'company' ? 'company' : 'TradeName'} terms={terms} change={change} />
      <Flags facets={facets} terms={terms} change={change} />
      {groups[type].map(({ field, measure, isText, isOpen = false }) => {
        const own = { field, values: facets.get(field) ?? [], terms, change }
        const isChosen = terms.some((term) => term.field === field)
        return (
          <Fold key={field} title={headingOf(field)} isOpen={isOpen || isChosen}>
            {data && !facets.has(field) && <p className="hint">{notCounted}</p>}
            {field === 'hsncd' ? (
              <HsnFilter values={facets.get(field)} terms={terms} change={change} />
            ) : measure ? (
              <FilterBounds {...own} measure={measure} />
            ) : (
              <FilterValues {...own} {...(isText && { isText })} />
            )}
          </Fold>
        )
      })}
    </section>
  )
}

function Fold(props: { readonly title: string; readonly isOpen: boolean; readonly children: ReactNode }) {
  return (
    <details open={props.isOpen}>
      <summary>{props.title}</summary>
      {props.children}
    </details>
  )
}

/** Yes-or-no properties of a record. */
function Flags(props: {
  readonly facets: ReadonlyMap<string, Facet['values']>
  readonly terms: Terms
  readonly change: (terms: Terms) => void
}) {
  const { facets, terms, change } = props
  return (
    <ul className="flags">
      {flags.map((field) => {
        const condition = field === 'owned' ? 'NOT owned' : field
        const counted: FacetValue | undefined = facets.get(field)?.[0]
        const isChosen = terms.some(({ text }) => text === condition)
        return (
          <li key={field}>
            <label className={counted?.records === 0 && !isChosen ? 'faint' : undefined}>
              <input
                type="checkbox"
                checked={isChosen}
                disabled={counted?.records === 0 && !isChosen}
                onChange={() => change(bounded(terms, field, isChosen ? undefined : condition))}
              />
              <span>{flagOf(field)}</span>
              {counted && <span className="faint number">{count(counted.records)}</span>}
            </label>
          </li>
        )
      })}
    </ul>
  )
}
