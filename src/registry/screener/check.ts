/**
 * A parsed tree in, the same tree in canonical words out: field names resolved, operators and values fit their
 * fields, numbers and identifiers in one spelling. What does not fit is a QUERY_SYNTAX error that says what would.
 */
import { parseCompanyId } from '../../domain/company-id.ts'
import { isIsoDate } from '../../domain/iso-date.ts'
import { nearest } from '../../domain/nearest.ts'
import { readStateName } from '../../domain/state-name.ts'
import type { AppError } from '../../errors.ts'
import { readWord } from '../words/words.ts'
import { fieldMeant } from './advice.ts'
import type { Condition, FieldRef, Literal, Node } from './ast.ts'
import { type Field, fieldNamed, operatorsOf, type ScreenerType, screenerFields } from './fields.ts'
import { queryMistake } from './mistake.ts'
import { quoted } from './tokens.ts'

const integerDigitsMax = 15
/** Anything shorter is as near to one state as to another. */
const stateSlipLengthMin = 4

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
    case 'compare':
      return { ...condition, field, value: checkValue(query, known, condition.value) }
    case 'match':
      return { ...condition, field, value: asText(query, known, condition.value) }
    case 'in':
      return { ...condition, field, values: condition.values.map((value) => checkValue(query, known, value)) }
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

/** Nothing lies between a value and a smaller one. */
function refuseTurned(query: string, low: Literal, high: Literal): void {
  const isTurned = low.kind === 'number' ? Number(low.value) > Number(high.value) : low.value > high.value
  if (!isTurned) return
  const [first, second] = [low, high].map(({ kind, value }) => (kind === 'text' ? quoted(value) : value))
  throw queryMistake(query, {
    at: low.at,
    message: 'BETWEEN takes the smaller value first.',
    found: `${first} AND ${second}`,
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

function checkValue(query: string, field: Field, literal: Literal): Literal {
  switch (field.kind) {
    case 'number':
      return asNumber(query, field, literal)
    case 'integer':
      return asInteger(query, field, literal)
    case 'date':
      return asDate(query, field, literal)
    case 'identifier':
      return asIdentifier(asText(query, field, literal))
    case 'text':
    case 'list':
      return asWord(query, field, asText(query, field, literal))
    case 'code':
    case 'name':
      return asText(query, field, literal)
  }
}

function asNumber(query: string, field: Field, literal: Literal): Literal {
  if (literal.kind === 'number') return { ...literal, value: canonicalNumber(literal.value) }
  const digits = literal.value.replaceAll(/[,_\s₹]/g, '').replace(/^rs\.?/i, '')
  throw queryMistake(query, {
    at: literal.at,
    message: `${field.name} takes a number, written without quotes.`,
    found: quoted(literal.value),
    expected: ['a number'],
    suggestion: /^-?\d+(\.\d+)?$/.test(digits) ? canonicalNumber(digits) : undefined,
  })
}

function asInteger(query: string, field: Field, literal: Literal): Literal {
  const number = asNumber(query, field, literal)
  if (new RegExp(`^-?\\d{1,${integerDigitsMax}}$`).test(number.value)) return number
  throw queryMistake(query, {
    at: literal.at,
    message: `${field.name} takes a whole number of at most ${integerDigitsMax} digits.`,
    found: literal.value,
    expected: ['a whole number'],
  })
}

function asDate(query: string, field: Field, literal: Literal): Literal {
  if (literal.kind === 'text' && isIsoDate(literal.value)) return literal
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(literal.value) ?? []
  const turned = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  throw queryMistake(query, {
    at: literal.at,
    message: `${field.name} takes a date that exists, written 'YYYY-MM-DD'.`,
    found: literal.kind === 'text' ? quoted(literal.value) : literal.value,
    expected: ["a date 'YYYY-MM-DD'"],
    suggestion: isIsoDate(turned) ? quoted(turned) : undefined,
  })
}

/** Codes are text that looks like a number: both spellings are taken, and lost leading zeros come back. */
function asText(query: string, field: Field, literal: Literal): Literal {
  if (literal.kind === 'number') {
    const isCode = field.kind === 'code' || field.column.endsWith('_codes')
    if (isCode && /^\d+$/.test(literal.value)) {
      return { ...literal, kind: 'text', value: literal.value.padStart(field.digits ?? 0, '0') }
    }
    throw queryMistake(query, {
      at: literal.at,
      message: `${field.name} takes text in single quotes.`,
      found: literal.value,
      expected: ['text in single quotes'],
      suggestion: quoted(literal.value),
    })
  }
  return literal
}

/** The spelling that the API answers with; what no vocabulary knows stays, and may be a word that the register holds. */
function asWord(query: string, field: Field, literal: Literal): Literal {
  if (field.vocabulary === undefined) return literal
  if (field.vocabulary === 'state') return asState(query, field, literal)
  return { ...literal, value: readWord(field.vocabulary, literal.value) ?? literal.value }
}

/** Any usual spelling is the state's own name, as in feeds and filters; a near miss of one is a slip. */
function asState(query: string, field: Field, literal: Literal): Literal {
  const reading = readStateName(literal.value)
  if (reading.ok) return { ...literal, value: reading.name }
  if (reading.suggestion === null || literal.value.trim().length < stateSlipLengthMin) return literal
  throw noSuchValue(query, field, literal, reading.suggestion)
}

function asIdentifier(literal: Literal): Literal {
  const value = parseCompanyId(literal.value)?.value ?? literal.value.trim().toUpperCase()
  return { ...literal, value }
}

/** `007.50` → `7.5`, `-0` → `0`: one spelling per number. */
function canonicalNumber(text: string): string {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const kept = fraction.replace(/(?<!0)0+$/, '')
  const magnitude = `${whole.replace(/^0+(?=\d)/, '')}${kept === '' ? '' : `.${kept}`}`
  return text.startsWith('-') && magnitude !== '0' ? `-${magnitude}` : magnitude
}

/** A value that no record holds, and the one that was probably meant. */
export function noSuchValue(query: string, field: Field, literal: Literal, meant: string): AppError {
  return queryMistake(query, {
    at: literal.at,
    message: `${field.name} holds no value ${quoted(literal.value)}.`,
    found: quoted(literal.value),
    expected: field.values.map(quoted),
    suggestion: quoted(meant),
  })
}
