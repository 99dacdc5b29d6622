/**
 * The first pass: resolves a parsed tree to canonical words. Fields are looked up by name, operators and values checked
 * against their fields (resolve-value.ts). What does not fit is an error that says what would.
 */
import { nearest } from '../../domain/nearest.ts'
import type { Condition, FieldRef, Literal, Node } from './ast.ts'
import {
  type FieldKind,
  fieldNamed,
  type KnownField,
  operatorsOf,
  type ResolvedCondition,
  type ResolvedQuery,
  type ScreenerType,
  screenerFields,
} from './fields.ts'
import { allResolved, andThen, type Mistake, mistaken, type Resolved, resolved } from './mistake.ts'
import { asText, resolveEqual, resolveValue } from './resolve-value.ts'
import { suggestedField } from './suggestions.ts'
import { writtenAt } from './tokens.ts'

/** `query` is the text that the tree's offsets refer to. */
export function resolveQuery(type: ScreenerType, query: string, node: Node): Resolved<ResolvedQuery> {
  const walk = (each: Node): Resolved<ResolvedQuery> =>
    'terms' in each
      ? andThen(allResolved(each.terms, walk), (terms) => resolved({ kind: each.kind, terms }))
      : 'term' in each
        ? andThen(walk(each.term), (term) => resolved({ kind: 'not', term }))
        : andThen(resolveField(type, each.field), (field) => resolveCondition(query, each, field))
  return walk(node)
}

type Bounds = readonly [low: Literal, high: Literal]

const bothResolved = (low: Resolved<Literal>, then: () => Resolved<Literal>): Resolved<Bounds> =>
  andThen(low, (first) => andThen(then(), (second) => resolved([first, second] as const)))

function resolveCondition(query: string, condition: Condition, field: KnownField): Resolved<ResolvedCondition> {
  const { known } = field
  const equal = (literal: Literal) => resolveEqual(query, known, literal)
  const ordered = (literal: Literal) => resolveValue(query, known, literal)
  const operator = operatorOf(condition)
  const operators = operatorsOf[known.kind]
  if (!operators.includes(operator)) return mistaken(notTaken(condition.field, operator, known.name, known.kind))
  switch (condition.kind) {
    case 'compare': {
      const value = ['==', '!='].includes(condition.op) ? equal(condition.value) : ordered(condition.value)
      return andThen(value, (value) => resolved({ ...condition, field, value }))
    }
    case 'match':
      return andThen(
        andThen(asText(query, known, condition.value), (value) => notEmpty(query, condition, value)),
        (value) => resolved({ ...condition, field, value }),
      )
    case 'in':
      return andThen(allResolved(condition.values, equal), (values) => resolved({ ...condition, field, values }))
    case 'between':
      return andThen(
        andThen(
          bothResolved(ordered(condition.low), () => ordered(condition.high)),
          (bounds) => inOrder(query, bounds),
        ),
        ([low, high]) => resolved({ ...condition, field, low, high }),
      )
    case 'null':
      return resolved({ ...condition, field })
  }
}

const notTaken = (field: FieldRef, operator: string, name: string, kind: FieldKind): Mistake => ({
  at: field.at,
  message: `${name} is a ${kind} field and does not take ${operator}.`,
  found: `${field.name} ${operator}`,
  expected: operatorsOf[kind],
})

/** Every value contains, begins with and ends with an empty text. */
function notEmpty(
  query: string,
  { field, op }: Condition & { readonly kind: 'match' },
  value: Literal,
): Resolved<Literal> {
  if (value.value !== '') return resolved(value)
  return mistaken({
    at: field.at,
    message: `Every value of ${field.name} ${op} an empty text.`,
    found: query.slice(field.at, value.at + writtenAt(query, value.at).length),
    expected: ['a text of one character at least'],
    suggestion: `${field.name} IS NOT NULL`,
  })
}

/** Nothing is between a value and a smaller one. */
function inOrder(query: string, [low, high]: Bounds): Resolved<Bounds> {
  const isTurned = low.kind === 'number' ? Number(low.value) > Number(high.value) : low.value > high.value
  if (!isTurned) return resolved([low, high])
  const [first, second] = [low.written ?? writtenAt(query, low.at), high.written ?? writtenAt(query, high.at)]
  return mistaken({
    at: low.at,
    message: 'BETWEEN takes the smaller value first.',
    found: query.slice(low.at, high.at + second.length),
    expected: [`${second} AND ${first}`],
    suggestion: `${second} AND ${first}`,
  })
}

const operatorOf = (condition: Condition): string =>
  'op' in condition ? condition.op : condition.kind === 'between' ? 'BETWEEN' : negatable(condition)

const negatable = ({ kind, negated }: Condition & { readonly kind: 'in' | 'null' }): string =>
  ({ in: ['IN', 'NOT IN'], null: ['IS NULL', 'IS NOT NULL'] })[kind][negated ? 1 : 0] ?? ''

function resolveField(type: ScreenerType, field: FieldRef): Resolved<KnownField> {
  const known = fieldNamed(type, field.name)
  if (known) return resolved({ name: known.name, at: field.at, known })
  const names = screenerFields[type].flatMap((each) => [each.name, ...each.aliases])
  const sameLetters = names.find((name) => name.toLowerCase() === field.name.toLowerCase())
  const other = type === 'company' ? 'gst' : 'company'
  const elsewhere = sameLetters === undefined && fieldNamed(other, field.name) ? ` ${other} queries have it.` : ''
  return mistaken({
    at: field.at,
    message: sameLetters
      ? `Field names are case-sensitive: ${field.name} is not a field of ${type}.`
      : `${field.name} is not a field of ${type}.${elsewhere}`,
    found: field.name,
    expected: screenerFields[type].map((each) => each.name),
    suggestion:
      sameLetters ?? suggestedField(type, field.name) ?? nearest(field.name, names, field.name.length < 5 ? 1 : 2),
  })
}
