/** Connectors that lose columns, or put them where nobody looks for them. */
import { leadsAs, type Mutation } from './wrappers.ts'

export const columnMutations: readonly Mutation[] = [
  ...['HSNCodes', 'NICCode', 'Designations'].map(
    (column): Mutation => ({
      fault: `leaves out ${column}`,
      breaks: 'no column of a lead is lost: each value stands in a field or in a text of the record',
      mutate: leadsAs((lead) => ({ ...lead, row: { ...lead.row, [column]: null } })),
    }),
  ),
  {
    fault: 'writes the state into the city',
    breaks: 'what people look for by its field stands there: name, address, and how to reach somebody',
    mutate: leadsAs((lead) => ({ ...lead, row: { ...lead.row, City: lead.row['State'] ?? null } })),
  },
  {
    fault: 'sends an e-mail once and never again',
    breaks: 'whichever column changes, its new value is sent with the next push',
    mutate: leadsAs((lead) => (lead.lastPushed === null ? lead : { ...lead, row: { ...lead.row, Email: null } })),
  },
]
