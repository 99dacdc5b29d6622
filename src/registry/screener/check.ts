/**
 * A parsed tree in, the same tree in canonical words out: field names resolved, operators and values fit their
 * fields (check-value.ts). What does not fit is a QUERY_SYNTAX error that says what would.
 */
import { nearest } from '../../domain/nearest.ts'
import { fieldMeant } from './advice.ts'
import type { Condition, FieldRef, Literal, Node } from './ast.ts'
import { asText, checkEqual, checkValue } from './check-value.ts'
import { type Field, fieldNamed, operatorsOf, type ScreenerType, screenerFields } from './fields.ts'
import { queryMistake } from './mistake.ts'
import { writtenAt } from './tokens.ts'

/** `query` is the text that the tree's offsets point into. */
export function checkQuery(type: ScreenerType, query: string, node: Node): Node {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, terms: node.terms.map((term) => checkQuery(type, query, term)) }
    case 'not':
      return { kind: 'not', term: checkQuery(type, query, node.term) }
    case 'compare':
    case 'match':
    case 'in':
    case 'between':
    case 'null':
      return checkCondition(query, node, resolve(type, query, node.field))
  }
}

function checkCondition(query: string, condition: Condition, known: Field): Condition {
  const written = operatorOf(condition)
  if (!operatorsOf[known.kind].includes(written)) {
    throw queryMistake(query, {
      at: condition.field.at,
      message: `${known.name} is a ${known.kind} field and does not take ${written}.`,
      found: `${condition.field.name} ${written}`,
      expected: operatorsOf[known.kind],
    })
  }
  const field: FieldRef = { name: known.name, at: condition.field.at }
  switch (condition.kind) {
    case 'compare': {
      const check = condition.op === '==' || condition.op === '!=' ? checkEqual : checkValue
      return { ...condition, field, value: check(query, known, condition.value) }
    }
    case 'match': {
      const value = asText(query, known, condition.value)
      refuseEmpty(query, condition, value)
      return { ...condition, field, value }
    }
    case 'in':
      return { ...condition, field, values: condition.values.map((value) => checkEqual(query, known, value)) }
    case 'between': {
      const low = checkValue(query, known, condition.low)
      const high = checkValue(query, known, condition.high)
      refuseTurned(query, low, high)
      return { ...condition, field, low, high }
    }
    case 'null':
      return { ...condition, field }
  }
}

/** An empty text is in every value, at its beginning and at its end. */
function refuseEmpty(query: string, { field, op }: Condition & { readonly kind: 'match' }, value: Literal): void {
  if (value.value !== '') return
  const found = query.slice(field.at, value.at + writtenAt(query, value.at).length)
  throw queryMistake(query, {
    at: field.at,
    message: `Every value of ${field.name} ${op} an empty text.`,
    found,
    expected: ['a text of one character at least'],
    suggestion: `${field.name} IS NOT NULL`,
  })
}

/** Nothing lies between a value and a smaller one. */
function refuseTurned(query: string, low: Literal, high: Literal): void {
  const isTurned = low.kind === 'number' ? Number(low.value) > Number(high.value) : low.value > high.value
  if (!isTurned) return
  const [first, second] = [low.written ?? writtenAt(query, low.at), high.written ?? writtenAt(query, high.at)]
  throw queryMistake(query, {
    at: low.at,
    message: 'BETWEEN takes the smaller value first.',
    found: query.slice(low.at, high.at + second.length),
    expected: [`${second} AND ${first}`],
    suggestion: `${second} AND ${first}`,
  })
}

function operatorOf(condition: Condition): string {
  switch (condition.kind) {
    case 'compare':
    case 'match':
      return condition.op
    case 'in':
      return condition.negated ? 'NOT IN' : 'IN'
    case 'between':
      return 'BETWEEN'
    case 'null':
      return condition.negated ? 'IS NOT NULL' : 'IS NULL'
  }
}

function resolve(type: ScreenerType, query: string, field: FieldRef): Field {
  const known = fieldNamed(type, field.name)
  if (known) return known
  const names = screenerFields[type].flatMap((each) => [each.name, ...each.aliases])
  const sameLetters = names.find((name) => name.toLowerCase() === field.name.toLowerCase())
  const other = type === 'company' ? 'gst' : 'company'
  const elsewhere = sameLetters === undefined && fieldNamed(other, field.name) ? ` ${other} queries have it.` : ''
  throw queryMistake(query, {
    at: field.at,
    message: sameLetters
      ? `Field names are case-sensitive: ${field.name} is not a field of ${type}.`
      : `${field.name} is not a field of ${type}.${elsewhere}`,
    found: field.name,
    expected: screenerFields[type].map((each) => each.name),
    suggestion:
      sameLetters ?? fieldMeant(type, field.name) ?? nearest(field.name, names, field.name.length < 5 ? 1 : 2),
  })
}
