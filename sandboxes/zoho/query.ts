/** The one form of COQL that the connector asks: `select a, b from Leads where c in ('…','…') limit n`. */
import type { WireAnswer } from '../kit.ts'
import { failure } from './replies.ts'
import type { Org, OrgRecord } from './state.ts'
import { maySee, ownerOf } from './users.ts'

const columnsMax = 500
const valuesMax = 100
const limitMax = 2000
/** Read word by word, so that the time is that of the text's length. */
const token = /\s+|\w+|[(),]|'[^']*'/gy

export function query(org: Org, text: string): WireAnswer {
  const question = read(text)
  if (question === null)
    return failure(400, 'SYNTAX_ERROR', 'error occured while parsing the query', { near: text.slice(0, 40) })
  const { columns, field, values, limit } = question
  const known = new Set(org.fields.map((each) => each.api_name))
  const unknown = [...columns, field].find((name) => !known.has(name) && name !== 'id')
  if (unknown !== undefined) return failure(400, 'INVALID_QUERY', 'invalid query formed', { column_name: unknown })
  const numbers = org.fields.some(({ api_name, data_type }) => api_name === field && data_type === 'double')
  if (numbers && values.some((value) => !Number.isFinite(Number(value))))
    return failure(400, 'INVALID_QUERY', 'invalid query formed', { column_name: field })
  if (columns.length > columnsMax || values.length > valuesMax || limit > limitMax)
    return failure(400, 'LIMIT_EXCEEDED', 'more than the query API allows', { limit: columnsMax })
  const found = [...new Set(values.map((value) => value.toLowerCase()))].flatMap((value) =>
    field === 'id' ? (org.get(value) ?? []) : org.find(field, value),
  )
  const seen = found.filter((record) => maySee(org, record))
  if (seen.length === 0) return { status: 204 }
  const data = seen.slice(0, limit).map((record) => ({
    ...Object.fromEntries(columns.map((name) => [name, heldBy(record, name)])),
    id: record.id,
  }))
  return { status: 200, body: { data, info: { count: data.length, more_records: seen.length > limit } } }
}

/** Of a person a question tells the id alone. */
const heldBy = (record: OrgRecord, name: string) =>
  name === 'Owner' ? { id: ownerOf(record) } : (record.values[name] ?? null)

function read(text: string) {
  const words = wordsOf(text)
  if (words === null) return null
  const [from, where] = [words.indexOf('from'), words.indexOf('where')]
  const [object, field = '', isIn, open] = [words[from + 1], words[where + 1], words[where + 2], words[where + 3]]
  const close = words.indexOf(')')
  const [limitWord, limitText = '200'] = words.slice(close + 1)
  const columns = listed(words.slice(1, from))
  const values = listed(words.slice(where + 4, close))
  const isForm = words[0] === 'select' && object === 'Leads' && where === from + 2 && isIn === 'in' && open === '('
  const isLimited = limitWord === undefined || (limitWord === 'limit' && /^\d+$/.test(limitText))
  if (!isForm || !isLimited || columns === null || !values?.every((value) => value.startsWith("'"))) return null
  return { columns, field, values: values.map((value) => value.slice(1, -1)), limit: Number(limitText) }
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

/** `a , b , c`. @returns null when the commas do not stand between. */
function listed(words: readonly string[]): string[] | null {
  const isList = words.length % 2 === 1 && words.every((word, n) => (word === ',') === (n % 2 === 1))
  return isList ? words.filter((_, n) => n % 2 === 0) : null
}
