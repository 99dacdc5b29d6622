/**
 * A second implementation of the screener language, in plain JavaScript over plain rows: the tests compare PostgreSQL
 * with it. Three truth values: `undefined` is a condition on a missing value, and NOT leaves it unchanged.
 */
import { vocabularies } from '../../config/vocabularies.ts'
import type { Condition, Literal, Node } from '../../src/registry/screener/ast.ts'
import { type Field, fieldNamed, type ScreenerType } from '../../src/registry/screener/fields.ts'

export type Values = Readonly<Record<string, string | number | readonly string[] | null>>
/** registry.name_key as a function; the test reads the keys from the database. */
export type NameKey = (name: string) => string

export function holds(type: ScreenerType, node: Node, row: Values, nameKey: NameKey): boolean {
  return truthOf(type, node, row, nameKey) === true
}

function truthOf(type: ScreenerType, node: Node, row: Values, nameKey: NameKey): boolean | undefined {
  if (node.kind === 'not') {
    const inner = truthOf(type, node.term, row, nameKey)
    return inner === undefined ? undefined : !inner
  }
  if ('terms' in node) {
    const truths = node.terms.map((term) => truthOf(type, term, row, nameKey))
    const decisive = node.kind === 'or'
    if (truths.includes(decisive)) return decisive
    return truths.includes(undefined) ? undefined : !decisive
  }
  const field = fieldNamed(type, node.field.name)
  if (!field) throw new Error(node.field.name)
  const value = row[field.name]
  const missing = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
  if (node.kind === 'null') return missing !== node.negated
  if (missing) return undefined
  if (!Array.isArray(value)) return test(field, node, value as string | number, nameKey)
  const members = value as readonly string[]
  const meant = (word: string) => meaning(field, word)
  if (node.kind === 'compare' && node.op === '!=')
    return !members.some((each) => meant(each) === meant(node.value.value))
  if (node.kind === 'in' && node.negated)
    return !members.some((each) => node.values.some((literal) => meant(literal.value) === meant(each)))
  return members.some((each) => test(field, node, each, nameKey))
}

/** The normal form of a word: its letters and digits, and for a word of the vocabulary its first spelling. */
function meaning(field: Field, text: string): string {
  if (field.vocabulary === undefined || field.vocabulary === 'state') return text
  const letters = (word: string) =>
    word
      .toLowerCase()
      .replaceAll('&', 'and')
      .replaceAll(/[ .,\-_()'/]/g, '')
  const words = Object.entries<readonly string[]>(vocabularies[field.vocabulary])
  const known = words.find(([word, others]) => [word, ...others].some((each) => letters(each) === letters(text)))
  return letters(known?.[0] ?? text)
}

/** A name in normal form, including its legal form. */
const withForm = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f']/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9\u0080-\uffff]+/g, ' ')
    .replaceAll(/\b(?:and|the)\b/g, ' ')
    .replaceAll(/\bpvt\b/g, 'private')
    .replaceAll(/\bltd\b/g, 'limited')
    .replaceAll(/ +/g, ' ')
    .trim()

/** Turns `acme pr` into `acme private`: the last of several words may be the start of a legal form. */
function withLastWordWhole(text: string): string[] {
  const [, others, last = ''] = /^(.+ )(\S+)$/.exec(text) ?? []
  if (others === undefined) return []
  const forms = ['private', 'pvt', 'limited', 'ltd', 'llp', 'opc']
  return forms.filter((form) => form !== last && form.startsWith(last)).map((form) => withForm(others + form))
}

/** The name of a place as imports write it. */
const placeName = (text: string) =>
  text.toLowerCase().replaceAll(/(?<![\p{L}\p{M}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase())

function test(field: Field, condition: Condition, stored: string | number, nameKey: NameKey): boolean {
  if (field.isPlace && (condition.kind === 'compare' || condition.kind === 'in')) {
    const values = condition.kind === 'in' ? condition.values : [condition.value]
    const isNegated = condition.kind === 'in' ? condition.negated : condition.op === '!='
    return values.some(({ value }) => value === stored || placeName(value) === stored) !== isNegated
  }
  // A text whose key is empty is compared with the name as written.
  if (field.kind === 'name' && field.fold !== 'lower') {
    if (condition.kind === 'in') {
      const one = (value: Literal): Condition => ({ kind: 'compare', field: condition.field, op: '==', value })
      return condition.values.some((value) => test(field, one(value), stored, nameKey)) !== condition.negated
    }
    if ('value' in condition && nameKey(condition.value.value) === '') {
      return test({ ...field, fold: 'lower' }, condition, stored, nameKey)
    }
    if (condition.kind === 'match') {
      const asked = withForm(condition.value.value)
      const wholes = condition.op === 'ENDS_WITH' ? [] : withLastWordWhole(asked)
      if (wholes.length > 0 || /\b(?:private|limited|llp|opc)\b/.test(asked)) {
        return [asked, ...wholes].some((text) => {
          const value = { ...condition.value, value: text }
          return test({ ...field, fold: 'lower' }, { ...condition, value }, withForm(String(stored)), nameKey)
        })
      }
    }
  }
  const fold = (text: string) => {
    if (field.kind === 'name') return field.fold === 'lower' ? text.toLowerCase() : nameKey(text)
    if (condition.kind !== 'match') return meaning(field, text)
    return field.kind === 'text' || field.kind === 'list' ? text.toLowerCase() : text
  }
  const given = (literal: Literal) => (typeof stored === 'number' ? Number(literal.value) : fold(literal.value))
  const value = typeof stored === 'number' ? stored : fold(stored)
  switch (condition.kind) {
    case 'compare': {
      const other = given(condition.value)
      const outcomes = {
        '==': value === other,
        '!=': value !== other,
        '>': value > other,
        '>=': value >= other,
        '<': value < other,
        '<=': value <= other,
      }
      return outcomes[condition.op]
    }
    case 'match': {
      const needle = String(given(condition.value))
      const outcomes = {
        CONTAINS: String(value).includes(needle),
        STARTS_WITH: String(value).startsWith(needle),
        ENDS_WITH: String(value).endsWith(needle),
      }
      return outcomes[condition.op]
    }
    case 'in':
      return condition.values.some((literal) => given(literal) === value) !== condition.negated
    case 'between':
      return value >= given(condition.low) && value <= given(condition.high)
    case 'null':
      throw new Error('answered before')
  }
}
