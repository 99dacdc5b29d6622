/**
 * The search endpoint: filters, a query text, sorting, pages of 200 up to 10,000. Here it reads the records
 * themselves, without an index that lags.
 */
import { z } from 'zod'
import type { WireAnswer } from '../kit.ts'
import { shown } from './records.ts'
import { validationError } from './replies.ts'
import { propertyOf, type SandboxState, type StoredRecord } from './state.ts'

const pageMax = 200
const totalMax = 10_000
const searchedByWord = ['name', 'domain', 'phone', 'firstname', 'lastname', 'email', 'website']

const operators = [
  'EQ',
  'NEQ',
  'LT',
  'LTE',
  'GT',
  'GTE',
  'BETWEEN',
  'IN',
  'NOT_IN',
  'HAS_PROPERTY',
  'NOT_HAS_PROPERTY',
  'CONTAINS_TOKEN',
  'NOT_CONTAINS_TOKEN',
] as const
const Filter = z.object({
  propertyName: z.string(),
  operator: z.enum(operators),
  value: z.string().optional(),
  highValue: z.string().optional(),
  values: z.array(z.string()).optional(),
})
const Sort = z.union([
  z.string().transform((text) => ({
    propertyName: text.replace(/^-/, ''),
    direction: text.startsWith('-') ? 'DESCENDING' : 'ASCENDING',
  })),
  z.object({ propertyName: z.string(), direction: z.enum(['ASCENDING', 'DESCENDING']).default('ASCENDING') }),
])
const Body = z.object({
  filterGroups: z
    .array(z.object({ filters: z.array(Filter).max(6) }))
    .max(5)
    .default([]),
  query: z.string().default(''),
  sorts: z.array(Sort).max(1).default([]),
  properties: z.array(z.string()).default([]),
  limit: z.int().min(0).max(pageMax).default(10),
  after: z.union([z.string(), z.number()]).default('0'),
})

export function search(state: SandboxState, object: string, body: unknown): WireAnswer {
  const parsed = Body.safeParse(body)
  if (!parsed.success) return validationError(`Invalid input JSON: ${z.prettifyError(parsed.error)}`)
  const { filterGroups, query, sorts, properties, limit, after } = parsed.data
  const known = new Set(state.properties[object]?.map(({ name }) => name))
  const unknown = filterGroups.flatMap(({ filters }) => filters).find(({ propertyName }) => !known.has(propertyName))
  if (unknown) return validationError(`There was a problem with the request: ${unknown.propertyName} is no property`)
  const from = Number(after)
  if (from + limit > totalMax) return validationError(`The search returns ${totalMax} records at most`)
  const isFound = (record: StoredRecord) =>
    (filterGroups.length === 0 || filterGroups.some(({ filters }) => filters.every((each) => matches(record, each)))) &&
    hasWord(record, query.toLowerCase())
  const [order] = sorts
  const found = [...state.records.of(object)].filter(isFound)
  if (order) found.sort((a, b) => compare(a, b, order.propertyName) * (order.direction === 'DESCENDING' ? -1 : 1))
  const page = found.slice(from, from + limit).map((record) => shown(record, properties))
  const next = from + limit
  const paging = found.length > next ? { paging: { next: { after: String(next) } } } : {}
  return { status: 200, body: { total: found.length, results: page, ...paging } }
}

function matches(
  record: StoredRecord,
  { propertyName, operator, value = '', highValue = '', values = [] }: z.output<typeof Filter>,
) {
  const held = propertyOf(record, propertyName)?.toLowerCase()
  const wanted = value.toLowerCase()
  const isAmong = values.some((each) => each.toLowerCase() === held)
  switch (operator) {
    case 'EQ':
      return held === wanted
    case 'NEQ':
      return held !== wanted
    case 'IN':
      return isAmong
    case 'NOT_IN':
      return held !== undefined && !isAmong
    case 'HAS_PROPERTY':
      return held !== undefined
    case 'NOT_HAS_PROPERTY':
      return held === undefined
    case 'CONTAINS_TOKEN':
      return wordsOf(held).includes(wanted)
    case 'NOT_CONTAINS_TOKEN':
      return !wordsOf(held).includes(wanted)
    default:
      return held !== undefined && isInRange(operator, held, wanted, highValue.toLowerCase())
  }
}

function isInRange(operator: string, held: string, low: string, high: string): boolean {
  const order = inOrder(held, low)
  if (operator === 'LT') return order < 0
  if (operator === 'LTE') return order <= 0
  if (operator === 'GT') return order > 0
  if (operator === 'GTE') return order >= 0
  return order >= 0 && inOrder(held, high) <= 0
}

const wordsOf = (text: string | undefined): string[] => (text ?? '').split(/[\s@.,;-]+/)

function hasWord(record: StoredRecord, word: string): boolean {
  return word === '' || searchedByWord.some((name) => propertyOf(record, name)?.toLowerCase().includes(word))
}

function compare(a: StoredRecord, b: StoredRecord, name: string): number {
  return inOrder(propertyOf(a, name) ?? '', propertyOf(b, name) ?? '')
}

/** Compares numbers as numbers, everything else as text. */
function inOrder(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)]
  if (a !== '' && b !== '' && !Number.isNaN(x) && !Number.isNaN(y)) return x - y
  return a < b ? -1 : a > b ? 1 : 0
}
