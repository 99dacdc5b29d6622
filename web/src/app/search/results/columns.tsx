/** The columns of the results: the chosen ones, and those that the search filters by. */
import type { ReactNode } from 'react'
import type { Column } from '../../../look/column.ts'
import { Day } from '../../../look/moment.tsx'
import type { Terms } from '../filters/terms.ts'
import { headingOf, isAmount, isDay, shownValue } from '../filters/words.ts'
import type { Hit } from '../found.ts'
import type { Kind } from '../language.ts'

export const offered: Readonly<Record<Kind, readonly string[]>> = {
  company: [
    ...['dateOfIncorporation', 'paidUpCapital', 'City', 'State', 'District', 'Pincode', 'llpStatus', 'classOfCompany'],
    ...['companyType', 'companyCategory', 'authorisedCapital', 'NICDesc', 'NICCode', 'boardSize', 'Listed', 'ROCCode'],
  ],
  gst: [
    ...['DateOfRegistration', 'state', 'District', 'Pincode', 'Status', 'TaxpayerType', 'ConstitutionBusiness'],
    ...['BusinessActivities', 'hsncd', 'saccd'],
  ],
}

const first: Readonly<Record<Kind, readonly string[]>> = {
  company: ['dateOfIncorporation', 'paidUpCapital', 'City', 'llpStatus'],
  gst: ['DateOfRegistration', 'state', 'TaxpayerType', 'Status'],
}

/** In display order. @param chosen empty for the default columns. */
export function columnsShown(kind: Kind, chosen: readonly string[], terms: Terms): readonly string[] {
  const wanted = new Set([...(chosen.length === 0 ? first[kind] : chosen), ...terms.map(({ field }) => field)])
  return offered[kind].filter((field) => wanted.has(field))
}

/** Columns with several values for a record, or stored in a second table: they cannot be sorted by. */
const unsorted = new Set(['boardSize', 'BusinessActivities', 'hsncd', 'saccd'])

export const columnOf = (field: string): Column<Hit> => ({
  head: headingOf(field),
  cell: ({ shown }) => cellOf(field, shown[field]),
  number: isAmount(field) || field === 'boardSize',
  sortedAs: unsorted.has(field) ? undefined : field,
})

function cellOf(field: string, value: Hit['shown'][string] | undefined): ReactNode {
  if (value === null || value === undefined || value === '') return <span className="faint">–</span>
  if (Array.isArray(value)) return value.join(', ')
  return isDay(field) ? <Day on={String(value)} /> : shownValue(field, String(value))
}
