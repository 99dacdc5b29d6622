/**
 * A value of a query in, the one spelling that its field is compared by out: numbers, days, identifiers, codes and words.
 * What is none of its field's is a QUERY_SYNTAX error that says what would be.
 */
import { isIsoDate } from '../../domain/iso-date.ts'
import { readStateName } from '../../domain/state-name.ts'
import type { AppError } from '../../errors.ts'
import { readCompanyId, readGstin } from '../identifier-input.ts'
import { readWord } from '../words/words.ts'
import type { Literal } from './ast.ts'
import type { Field } from './fields.ts'
import { queryMistake } from './mistake.ts'
import { quoted, writtenAt } from './tokens.ts'
import { amountMeant, dayMeant } from './written-values.ts'

const integerDigitsMax = 15
const valuesShownMax = 60

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
      return asIdentifier(query, field, asText(query, field, literal))
    case 'text':
    case 'list':
      return asWord(query, field, asText(query, field, literal))
    case 'code':
    case 'name':
      return asText(query, field, literal)
    case 'flag':
      return asFlag(query, field, literal)
  }
}

/**
 * A value that is compared whole: a code of another form than its field's is equal to none, while its first digits are a
 * bound like any other.
 * @throws AppError QUERY_SYNTAX
 */
export function checkEqual(query: string, field: Field, literal: Literal): Literal {
  const value = checkValue(query, field, literal)
  const { form } = field
  if (form === undefined || form.shape.test(value.value)) return value
  const compact = value.value.replace(/\s+/g, '')
  const meant = [compact, `0${compact}`].find((each) => form.shape.test(each))
  throw queryMistake(query, {
    at: literal.at,
    message: `${field.name} takes ${form.words}. STARTS_WITH finds by a part of one.`,
    found: writtenAt(query, literal.at),
    expected: [form.words],
    suggestion: meant === undefined ? undefined : quoted(meant),
  })
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

function asFlag(query: string, field: Field, literal: Literal): Literal {
  const value = literal.value.trim().toLowerCase()
  if (['true', 'yes', '1'].includes(value)) return { ...literal, kind: 'text', value: 'true' }
  if (['false', 'no', '0'].includes(value)) return { ...literal, kind: 'text', value: 'false' }
  throw queryMistake(query, {
    at: literal.at,
    message: `${field.name} is true or false.`,
    found: writtenAt(query, literal.at),
    expected: ['true', 'false'],
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

/** Any usual spelling is the state's own name, as in feeds and filters. */
function asState(query: string, field: Field, literal: Literal): Literal {
  const reading = readStateName(literal.value)
  if (reading.ok) return { ...literal, value: reading.name }
  throw noSuchValue(query, field, literal, { meant: reading.suggestion })
}

function asIdentifier(query: string, field: Field, literal: Literal): Literal {
  const reading = field.register === 'company' ? readCompanyId(literal.value) : readGstin(literal.value)
  if (reading.ok) return { ...literal, value: reading.value }
  throw queryMistake(query, {
    at: literal.at,
    message: `${field.name} takes a whole one: ${reading.reason}. STARTS_WITH finds by a part of one.`,
    found: writtenAt(query, literal.at),
    expected: [field.description],
  })
}

/** `007.50` → `7.5`, `-0` → `0`: one spelling per number. */
function canonicalNumber(text: string): string {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const kept = fraction.replace(/(?<!0)0+$/, '')
  const magnitude = `${whole.replace(/^0+(?=\d)/, '')}${kept === '' ? '' : `.${kept}`}`
  return text.startsWith('-') && magnitude !== '0' ? `-${magnitude}` : magnitude
}

/** A value that no record holds, the one that was probably meant, and words that records hold beside those of the field. */
export function noSuchValue(
  query: string,
  field: Field,
  literal: Literal,
  { meant, held = [] }: { readonly meant: string | null | undefined; readonly held?: readonly string[] },
): AppError {
  return queryMistake(query, {
    at: literal.at,
    message: `${field.name} holds no value ${quoted(literal.value)}.`,
    found: quoted(literal.value),
    expected: [...new Set([...field.values, ...held])].slice(0, valuesShownMax).map(quoted),
    suggestion: meant ? quoted(meant) : undefined,
  })
}
