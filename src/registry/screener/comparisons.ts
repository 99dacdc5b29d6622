/**
 * Estimates the comparisons per row that a query reads, in units of one plain text search. OR tests all its terms on a
 * row that matches none; AND stops at the first that fails, so each further term counts half.
 */
import { legalFormAsked } from '../names/legal-forms.ts'
import type { ResolvedQuery } from './fields.ts'

export function comparisonsOf(node: ResolvedQuery): number {
  switch (node.kind) {
    case 'or':
      return node.terms.reduce((sum, term) => sum + comparisonsOf(term), 0)
    case 'and': {
      const costs = node.terms.map((term) => comparisonsOf(term)).sort((a, b) => a - b)
      return costs.reduce((sum, cost, index) => sum + cost / 2 ** index, 0)
    }
    case 'not':
      return comparisonsOf(node.term)
    case 'match':
      return asksForm(node) ? formCost : (matchCosts[node.field.known.kind] ?? 1)
    case 'compare':
    case 'in':
    case 'between':
    case 'null':
      return node.field.known.cost ?? simple
  }
}

const simple = 0.3
/** The key of a name, and the pattern for the name as written. */
const formCost = 3
const asksForm = ({ field, op, value }: Extract<ResolvedQuery, { kind: 'match' }>): boolean =>
  field.known.written !== undefined && legalFormAsked(op, value.value) !== undefined
/** Free text is lowercased first and a list is unnested; names, identifiers and codes are compared as they are. */
const matchCosts: Readonly<Record<string, number>> = { text: 2, list: 4 }
