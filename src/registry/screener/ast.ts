/** A screener query as a tree. Offsets (`at`) point into the text, for messages only; they carry no meaning. */

export const comparisonOperators = ['==', '!=', '>', '>=', '<', '<='] as const
export type ComparisonOperator = (typeof comparisonOperators)[number]

export const matchOperators = ['CONTAINS', 'STARTS_WITH', 'ENDS_WITH'] as const
export type MatchOperator = (typeof matchOperators)[number]

export interface FieldRef {
  readonly name: string
  readonly at: number
}

/** `value` is the text without quotes, or the digits without underscores. */
export interface Literal {
  readonly kind: 'text' | 'number'
  readonly value: string
  readonly at: number
  /** The relative form of this day in the query: `this month`. */
  readonly written?: string
}

/** `F` is a field as written, or as resolve.ts resolved it. */
export type Condition<F extends FieldRef = FieldRef> =
  | { readonly kind: 'compare'; readonly field: F; readonly op: ComparisonOperator; readonly value: Literal }
  | { readonly kind: 'match'; readonly field: F; readonly op: MatchOperator; readonly value: Literal }
  | { readonly kind: 'in'; readonly field: F; readonly negated: boolean; readonly values: readonly Literal[] }
  | { readonly kind: 'between'; readonly field: F; readonly low: Literal; readonly high: Literal }
  | { readonly kind: 'null'; readonly field: F; readonly negated: boolean }

/** AND and OR have at least two terms, none of their own kind: `a AND (b AND c)` is one AND of three. */
export type Node<F extends FieldRef = FieldRef> =
  | Condition<F>
  | { readonly kind: 'not'; readonly term: Node<F> }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Node<F>[] }

/** No condition at all, which every record meets; it has no query text. */
export const everything: Node<never> = { kind: 'and', terms: [] }

/** The conditions that a record must all meet, one by one. */
export const termsIn = <F extends FieldRef>(node: Node<F>): readonly Node<F>[] =>
  node.kind === 'and' ? node.terms : [node]

/** The inverse. */
export function allOf<F extends FieldRef>(terms: readonly Node<F>[]): Node<F> {
  const [only] = terms
  return terms.length === 1 && only ? only : { kind: 'and', terms: terms.flatMap(termsIn) }
}

/** All its conditions, however they are joined or negated. */
export const conditionsIn = <F extends FieldRef>(node: Node<F>): readonly Condition<F>[] =>
  'terms' in node ? node.terms.flatMap(conditionsIn) : 'term' in node ? conditionsIn(node.term) : [node]

/** Levels of AND, OR and NOT above the deepest condition. */
export const depthOf = (node: Node): number =>
  'terms' in node ? 1 + Math.max(0, ...node.terms.map(depthOf)) : 'term' in node ? 1 + depthOf(node.term) : 0
