/**
 * The COQL queries that the connector uses: `select a, b from Leads where c in ('…','…') limit n`, with conditions in
 * pairs, `((c in (…) or d in (…)) and e is null)`.
 */
import type { WireAnswer } from '../kit.ts'
import { failure } from './replies.ts'
import { type Org, type OrgRecord, shownValue } from './state.ts'
import { maySee, ownerOf } from './users.ts'

const columnsMax = 500
const valuesMax = 100
const limitMax = 2000
const conditionsMax = 25
/** Read token by token, in linear time. */
const token = /\s+|\w+|[(),]|'(?:[^']|'')*'/gy

export function query(org: Org, text: string): WireAnswer {
  const question = read(text)
  if (question === null)
    return failure(400, 'SYNTAX_ERROR', 'error occured while parsing the query', { near: text.slice(0, 40) })
  const { columns, where, limit } = question
  const conditions = conditionsOf(where)
  const known = new Set(org.fields.map((each) => each.api_name))
  const named = [...columns, ...conditions.map(({ field }) => field)]
  const unknown = named.find((name) => !known.has(name) && name !== 'id') ?? conditions.find(isMiscast(org))?.field
  if (unknown !== undefined) return failure(400, 'INVALID_QUERY', 'invalid query formed', { column_name: unknown })
  const isLong = columns.length > columnsMax || conditions.some(({ values }) => (values?.length ?? 0) > valuesMax)
  if (isLong || limit > limitMax || conditions.length > conditionsMax)
    return failure(400, 'LIMIT_EXCEEDED', 'more than the query API allows', { limit: columnsMax })
  const seen = [...held(org, where)].filter((record) => maySee(org, record))
  if (seen.length === 0) return { status: 204 }
  const data = seen.slice(0, limit).map((record) => ({
    ...Object.fromEntries(columns.map((name) => [name, heldBy(org, record, name)])),
    id: record.id,
  }))
  return { status: 200, body: { data, info: { count: data.length, more_records: seen.length > limit } } }
}

interface Condition {
  readonly field: string
  /** Null for `is null`. */
  readonly values: readonly string[] | null
}
type Where = Condition | { readonly pair: 'and' | 'or'; readonly left: Where; readonly right: Where }

const conditionsOf = (where: Where): readonly Condition[] =>
  'pair' in where ? [...conditionsOf(where.left), ...conditionsOf(where.right)] : [where]

/** True if a number field is queried by text, or an encrypted field by a value. */
const isMiscast =
  (org: Org) =>
  ({ field, values }: Condition) =>
    org.fields.some(
      ({ api_name, data_type, crypt }) =>
        api_name === field &&
        values !== null &&
        (crypt !== null || (data_type === 'double' && values.some((value) => !Number.isFinite(Number(value))))),
    )

function held(org: Org, where: Where): ReadonlySet<OrgRecord> {
  if ('pair' in where) {
    const left = held(org, where.left)
    if (where.pair === 'or') return left.union(held(org, where.right))
    return new Set([...left].filter((record) => isMet(record, where.right)))
  }
  const { field, values } = where
  if (values === null) return new Set(org.records().filter((record) => isMet(record, where)))
  const texts = new Set(values.map((value) => value.toLowerCase()))
  return new Set([...texts].flatMap((value) => (field === 'id' ? (org.get(value) ?? []) : org.find(field, value))))
}

function isMet(record: OrgRecord, where: Where): boolean {
  if ('pair' in where) {
    const left = isMet(record, where.left)
    return where.pair === 'or' ? left || isMet(record, where.right) : left && isMet(record, where.right)
  }
  const { field, values } = where
  const value = (field === 'id' ? record.id : (record.values[field] ?? null)) || null
  if (values === null || value === null) return values === value
  return values.some((each) => each.toLowerCase() === String(value).toLowerCase())
}

/** For an owner, queries only return the id. */
const heldBy = (org: Org, record: OrgRecord, name: string) =>
  name === 'Owner' ? { id: ownerOf(record) } : shownValue(org, record, name)

function read(text: string) {
  const words = wordsOf(text)
  if (words === null) return null
  const [from, whereAt, limited] = [words.indexOf('from'), words.indexOf('where'), words.lastIndexOf('limit')]
  const end = limited === -1 ? words.length : limited
  const [limitText = '200', ...more] = words.slice(end + 1)
  const columns = listed(words.slice(1, from))
  const rest = words.slice(whereAt + 1, end)
  const where = whereIn(rest)
  const isForm = words[0] === 'select' && words[from + 1] === 'Leads' && whereAt === from + 2 && more.length === 0
  if (!isForm || !/^\d+$/.test(limitText) || columns === null || where === null || rest.length > 0) return null
  return { columns, where, limit: Number(limitText) }
}

/** Consumes one condition, or a pair in brackets. */
function whereIn(words: string[]): Where | null {
  if (words[1] === 'is') {
    const [field = '', , what] = words.splice(0, 3)
    return what === 'null' ? { field, values: null } : null
  }
  if (words[0] !== '(') {
    const close = words.indexOf(')')
    const [field = '', isIn, open, ...list] = words.splice(0, close + 1)
    const values = listed(list.slice(0, -1))
    if (isIn !== 'in' || open !== '(' || !values?.every((value) => value.startsWith("'"))) return null
    // Two quotation marks in a text stand for one.
    return { field, values: values.map((value) => value.slice(1, -1).replaceAll("''", "'")) }
  }
  words.shift()
  const left = whereIn(words)
  const pair = words.shift()
  if (left === null || (pair !== 'and' && pair !== 'or')) return null
  const right = whereIn(words)
  return right === null || words.shift() !== ')' ? null : { pair, left, right }
}

function wordsOf(text: string): string[] | null {
  const words: string[] = []
  token.lastIndex = 0
  let length = 0
  for (const [word] of text.matchAll(token)) {
    length += word.length
    if (word.trim() !== '') words.push(word)
  }
  return length === text.length ? words : null
}

/** `a , b , c`. @returns null if the commas are misplaced. */
function listed(words: readonly string[]): string[] | null {
  const isList = words.length % 2 === 1 && words.every((word, n) => (word === ',') === (n % 2 === 1))
  return isList ? words.filter((_, n) => n % 2 === 0) : null
}
