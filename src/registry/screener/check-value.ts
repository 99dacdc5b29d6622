/**
 * A value of a query in, the one spelling that its field is compared by out: numbers, days, identifiers, codes and words.
 * What is none of its field's is a QUERY_SYNTAX error that says what would be.
 */
import { parseCompanyId } from '../../domain/company-id.ts'
import { isIsoDate } from '../../domain/iso-date.ts'
import { readStateName } from '../../domain/state-name.ts'
import type { AppError } from '../../errors.ts'
import { readWord } from '../words/words.ts'
import type { Literal } from './ast.ts'
import type { Field } from './fields.ts'
import { queryMistake } from './mistake.ts'
import { quoted, writtenAt } from './tokens.ts'
import { amountMeant, dayMeant } from './written-values.ts'

const integerDigitsMax = 15
/** Anything shorter is as near to one state as to another. */
const stateSlipLengthMin = 4

/** @throws AppError QUERY_SYNTAX for a value that is none of its field's. */
export function checkValue(query: string, field: Field, literal: Literal): Literal {
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
  const meant = amountMeant(literal.value)
  throw queryMistake(query, {
    at: literal.at,
    message: `${field.name} takes a number, written without quotes.`,
    found: quoted(literal.value),
    expected: ['a number'],
    suggestion: meant === undefined ? undefined : canonicalNumber(meant),
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
  const meant = dayMeant(literal.value)
  throw queryMistake(query, {
    at: literal.at,
    message: `${field.name} takes a date that exists, written 'YYYY-MM-DD'.`,
    found: writtenAt(query, literal.at),
    expected: ["a date 'YYYY-MM-DD'"],
    suggestion: meant === undefined ? undefined : quoted(meant),
  })
}

/** Codes are text that looks like a number: both spellings are taken, and lost leading zeros come back. */
export function asText(query: string, field: Field, literal: Literal): Literal {
  if (literal.kind === 'number') {
    const isCode = field.kind === 'code' || field.column.endsWith('_codes')
    if (isCode && /^\d+$/.test(literal.value)) {
      return { ...literal, kind: 'text', value: literal.value.padStart(field.digits ?? 0, '0') }
    }
    const written = writtenAt(query, literal.at)
    throw queryMistake(query, {
      at: literal.at,
      message: `${field.name} takes text in single quotes.`,
      found: written,
      expected: ['text in single quotes'],
      suggestion: quoted(written),
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
