/** A screener query as a tree. Offsets (`at`) point into the text and serve messages only; they carry no meaning. */

export const comparisonOperators = ['==', '!=', '>', '>=', '<', '<='] as const
export type ComparisonOperator = (typeof comparisonOperators)[number]

export const matchOperators = ['CONTAINS', 'STARTS_WITH', 'ENDS_WITH'] as const
export type MatchOperator = (typeof matchOperators)[number]

export interface FieldRef {
  readonly name: string
  readonly at: number
}

/** `value` holds the text without quotes, or the digits as written without underscores. */
export interface Literal {
  readonly kind: 'text' | 'number'
  readonly value: string
  readonly at: number
  /** How the query tells this day from today: `this month`. */
  readonly written?: string
}

export type Condition =
  | { readonly kind: 'compare'; readonly field: FieldRef; readonly op: ComparisonOperator; readonly value: Literal }
  | { readonly kind: 'match'; readonly field: FieldRef; readonly op: MatchOperator; readonly value: Literal }
  | { readonly kind: 'in'; readonly field: FieldRef; readonly negated: boolean; readonly values: readonly Literal[] }
  | { readonly kind: 'between'; readonly field: FieldRef; readonly low: Literal; readonly high: Literal }
  | { readonly kind: 'null'; readonly field: FieldRef; readonly negated: boolean }

/** AND and OR hold two terms or more, none of their own kind: `a AND (b AND c)` is one AND of three. */
export type Node =
  | Condition
  | { readonly kind: 'not'; readonly term: Node }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Node[] }

/** No condition at all, which every record meets; no query is written so. */
export const everything: Node = { kind: 'and', terms: [] }

/** The conditions that a record must meet all of, each for itself. */
export const termsIn = (node: Node): readonly Node[] => (node.kind === 'and' ? node.terms : [node])

/** The other way round. */
export function allOf(terms: readonly Node[]): Node {
  const [only] = terms
  return terms.length === 1 && only ? only : { kind: 'and', terms: terms.flatMap(termsIn) }
}

/** Levels of AND, OR and NOT above the deepest condition. */
export function depthOf(node: Node): number {
  switch (node.kind) {
    case 'and':
    case 'or':
      return 1 + Math.max(0, ...node.terms.map(depthOf))
    case 'not':
      return 1 + depthOf(node.term)
    case 'compare':
    case 'match':
    case 'in':
    case 'between':
    case 'null':
      return 0
  }
}
