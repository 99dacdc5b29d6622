/**
 * Resolves a value of a query to the canonical spelling for its field: numbers, days, identifiers, codes and words. An
 * invalid value is an error that says what is valid.
 */
import { asciiForm } from '../../domain/ascii-form.ts'
import { isIsoDate } from '../../domain/iso-date.ts'
import { readStateName } from '../../domain/state-name.ts'
import { readCompanyId, readGstin } from '../identifier-input.ts'
import { readWord } from '../words/words.ts'
import type { Literal } from './ast.ts'
import type { Field, FieldKind } from './fields.ts'
import { andThen, type Mistake, mistaken, type Resolved, resolved } from './mistake.ts'
import { quoted, writtenAt } from './tokens.ts'
import { amountMeant, dayMeant } from './written-values.ts'

const integerDigitsMax = 15
const valuesShownMax = 60

type Resolve = (query: string, field: Field, literal: Literal) => Resolved<Literal>

export const resolveValue: Resolve = (query, field, literal) => byKind[field.kind](query, field, literal)

/**
 * For values that are compared as a whole: a code of another form than the field's equals none. As a bound, the first
 * digits of a code are valid.
 */
export const resolveEqual: Resolve = (query, field, literal) =>
  andThen(resolveValue(query, field, literal), (value) => {
    const { form } = field
    if (isListOfCodes(field)) return resolved({ ...value, value: asListed(field, value.value) })
    if (form === undefined || form.shape.test(value.value)) return resolved(value)
    const compact = value.value.replace(/\s+/g, '')
    const meant = [compact, `0${compact}`].find((each) => form.shape.test(each))
    return mistaken({
      at: literal.at,
      message: `${field.name} takes ${form.words}. Use STARTS_WITH for a part of one.`,
      found: writtenAt(query, literal.at),
      expected: [form.words],
      suggestion: meant === undefined ? undefined : quoted(meant),
    })
  })

/** HSN and SAC codes. */
const isListOfCodes = (field: Field): boolean => field.column.endsWith('_codes')

/** As the import stores them: without blanks, and for goods with the zero that a spreadsheet dropped from the front. */
function asListed({ column }: Field, code: string): string {
  const digits = asciiForm(code).replace(/\s+/g, '')
  if (!/^\d{1,8}$/.test(digits)) return code
  return column === 'r.hsn_codes' ? digits.replace(/^[1-9](?:\d{2}){0,3}$/, '0$&') : digits
}

const asNumber: Resolve = (_query, field, literal) => {
  if (literal.kind === 'number') return resolved({ ...literal, value: canonicalNumber(literal.value) })
  const meant = amountMeant(literal.value)
  return mistaken({
    at: literal.at,
    message: `${field.name} takes a number, written without quotes.`,
    found: quoted(literal.value),
    expected: ['a number'],
    suggestion: meant === undefined ? undefined : canonicalNumber(meant),
  })
}

const asInteger: Resolve = (query, field, literal) =>
  andThen(asNumber(query, field, literal), (number) =>
    new RegExp(`^-?\\d{1,${integerDigitsMax}}$`).test(number.value)
      ? resolved(number)
      : mistaken({
          at: literal.at,
          message: `${field.name} takes a whole number of at most ${integerDigitsMax} digits.`,
          found: literal.value,
          expected: ['a whole number'],
        }),
  )

const asDate: Resolve = (query, field, literal) => {
  if (literal.kind === 'text' && isIsoDate(literal.value)) return resolved(literal)
  const meant = dayMeant(literal.value)
  return mistaken({
    at: literal.at,
    message: `${field.name} takes a date that exists, written 'YYYY-MM-DD'.`,
    found: writtenAt(query, literal.at),
    expected: ["a date 'YYYY-MM-DD'"],
    suggestion: meant === undefined ? undefined : quoted(meant),
  })
}

const flagWords: Readonly<Record<string, string>> = {
  ...{ true: 'true', yes: 'true', 1: 'true' },
  ...{ false: 'false', no: 'false', 0: 'false' },
}

const asFlag: Resolve = (query, field, literal) => {
  const word = literal.value.trim().toLowerCase()
  const value = Object.hasOwn(flagWords, word) ? flagWords[word] : undefined
  if (value !== undefined) return resolved({ ...literal, kind: 'text', value })
  return mistaken({
    at: literal.at,
    message: `${field.name} is true or false.`,
    found: writtenAt(query, literal.at),
    expected: ['true', 'false'],
  })
}

/** Codes are text that looks like a number: both spellings are accepted, and missing leading zeros are restored. */
export const asText: Resolve = (query, field, literal) => {
  if (literal.kind === 'text') return resolved(literal)
  const isCode = field.kind === 'code' || isListOfCodes(field)
  if (isCode && /^\d+$/.test(literal.value))
    return resolved({ ...literal, kind: 'text', value: literal.value.padStart(field.digits ?? 0, '0') })
  const written = writtenAt(query, literal.at)
  return mistaken({
    at: literal.at,
    message: `${field.name} takes text in single quotes.`,
    found: written,
    expected: ['text in single quotes'],
    suggestion: quoted(written),
  })
}

/** The API's spelling; a word outside the vocabulary is kept, since the register may contain it. */
const asWord: Resolve = (query, field, literal) =>
  andThen(asText(query, field, literal), (text) => {
    const { vocabulary } = field
    if (vocabulary === undefined) return resolved(text)
    if (vocabulary === 'state') return asState(field, text)
    return resolved({ ...text, value: readWord(vocabulary, text.value) ?? text.value })
  })

/** Any common spelling becomes the state's own name, as in feeds and filters. */
function asState(field: Field, literal: Literal): Resolved<Literal> {
  const reading = readStateName(literal.value)
  return reading.ok
    ? resolved({ ...literal, value: reading.name })
    : mistaken(noSuchValue(field, literal, { meant: reading.suggestion }))
}

const asIdentifier: Resolve = (query, field, literal) =>
  andThen(asText(query, field, literal), (text) => {
    const reading = field.register === 'company' ? readCompanyId(text.value) : readGstin(text.value)
    if (reading.ok) return resolved({ ...text, value: reading.value })
    return mistaken({
      at: literal.at,
      message: `${field.name} needs a complete value: ${reading.reason}. Use STARTS_WITH for a part of one.`,
      found: writtenAt(query, literal.at),
      expected: [field.description],
    })
  })

const byKind: Readonly<Record<FieldKind, Resolve>> = {
  number: asNumber,
  integer: asInteger,
  date: asDate,
  identifier: asIdentifier,
  text: asWord,
  list: asWord,
  code: asText,
  name: asText,
  flag: asFlag,
}

/** `007.50` → `7.5`, `-0` → `0`: one spelling per number. */
function canonicalNumber(text: string): string {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const kept = fraction.replace(/(?<!0)0+$/, '')
  const magnitude = `${whole.replace(/^0+(?=\d)/, '')}${kept === '' ? '' : `.${kept}`}`
  return text.startsWith('-') && magnitude !== '0' ? `-${magnitude}` : magnitude
}

/** The error for a value that no record has, with a suggestion and further words that occur in records. */
export const noSuchValue = (
  field: Field,
  literal: Literal,
  { meant, held = [] }: { readonly meant: string | null | undefined; readonly held?: readonly string[] },
): Mistake => ({
  at: literal.at,
  message: `${field.name} holds no value ${quoted(literal.value)}.`,
  found: quoted(literal.value),
  expected: [...new Set([...field.values, ...held])].slice(0, valuesShownMax).map(quoted),
  suggestion: meant ? quoted(meant) : undefined,
})
