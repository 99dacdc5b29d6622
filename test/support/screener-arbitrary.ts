/** Random screener trees: any that the parser can produce, and those that also pass the checker. */
import fc from 'fast-check'
import { comparisonOperators, type Literal, matchOperators, type Node } from '../../src/registry/screener/ast.ts'
import { type Field, operatorsOf, type ScreenerType, screenerFields } from '../../src/registry/screener/fields.ts'
import { keywords } from '../../src/registry/screener/tokens.ts'

const at = 0
const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((value) => !value.includes('\0'))
  .map((value): Literal => ({ kind: 'text', value, at }))
const number = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.option(fc.integer({ min: 1, max: 99 })))
  .map(([negative, whole, cents]): Literal => {
    const fraction = cents === null ? '' : `.${cents}`
    return { kind: 'number', value: `${negative ? '-' : ''}${whole}${fraction}`, at }
  })
const reserved = new Set([...keywords.map((word) => word.toLowerCase())])
const word = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/).filter((name) => !reserved.has(name.toLowerCase()))

/** AND and OR of two or more terms, none of the same kind, as the parser builds them. */
export function treesOf(condition: fc.Arbitrary<Node>): fc.Arbitrary<Node> {
  return fc.letrec<{ node: Node }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 3, arbitrary: condition },
      { weight: 1, arbitrary: tie('node').map((term): Node => ({ kind: 'not', term })) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('node'), { minLength: 2, maxLength: 4 }))
          .map(
            ([kind, terms]): Node => ({
              kind,
              terms: terms.flatMap((term) => (term.kind === kind ? term.terms : [term])),
            }),
          ),
      },
    ),
  })).node
}

const literal = fc.oneof(text, number)
const field = word.map((name) => ({ name, at }))
const anyCondition: fc.Arbitrary<Node> = fc.oneof(
  fc.record({ kind: fc.constant('compare'), field, op: fc.constantFrom(...comparisonOperators), value: literal }),
  fc.record({ kind: fc.constant('match'), field, op: fc.constantFrom(...matchOperators), value: literal }),
  fc.record({
    kind: fc.constant('in'),
    field,
    negated: fc.boolean(),
    values: fc.array(literal, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('between'), field, low: literal, high: literal }),
  fc.record({ kind: fc.constant('null'), field, negated: fc.boolean() }),
)

export const anyTree = treesOf(anyCondition)

/** Conditions over real fields whose values are drawn by `valueFor`, so that they meet the rows of a test. */
export function conditionOver(
  type: ScreenerType,
  valueFor: (field: Field) => fc.Arbitrary<Literal>,
): fc.Arbitrary<Node> {
  return fc
    .constantFrom(...screenerFields[type])
    .chain((known) =>
      fc.tuple(
        fc.constant(known),
        fc.constantFrom(...operatorsOf[known.kind]),
        fc.array(valueFor(known), { minLength: 2, maxLength: 3 }),
      ),
    )
    .map(([known, operator, values]) => conditionOf(known.name, operator, values))
}

function conditionOf(name: string, operator: string, values: readonly Literal[]): Node {
  const [first, second] = values
  if (!first || !second) throw new Error('two values are needed')
  const field = { name, at }
  const op = comparisonOperators.find((each) => each === operator)
  if (op) return { kind: 'compare', field, op, value: first }
  const match = matchOperators.find((each) => each === operator)
  const needle = first.value.slice(0, 4)
  // Every value contains an empty text; the query is refused with a request for a non-empty one.
  if (match && needle === '') return { kind: 'null', field, negated: true }
  if (match) return { kind: 'match', field, op: match, value: { ...first, value: needle } }
  if (operator.endsWith('IN')) return { kind: 'in', field, negated: operator === 'NOT IN', values }
  if (operator === 'BETWEEN') {
    const isTurned = first.kind === 'number' ? Number(first.value) > Number(second.value) : first.value > second.value
    return isTurned
      ? { kind: 'between', field, low: second, high: first }
      : { kind: 'between', field, low: first, high: second }
  }
  return { kind: 'null', field, negated: operator === 'IS NOT NULL' }
}

/** The same tree with every offset at 0, to compare trees by meaning. */
export function withoutOffsets<T>(tree: T): T {
  return JSON.parse(JSON.stringify(tree, (key, value: unknown) => (key === 'at' ? 0 : value))) as T
}
