/** The one form of SOQL that the connector asks: `SELECT a, b FROM Lead WHERE c IN ('…', '…')`. */
import type { WireAnswer } from '../../sandbox-kit.ts'
import { failure } from './replies.ts'
import type { Org } from './state.ts'

/** One word of the language: names, commas, brackets, quoted literals, and the white space between them. */
const token = /\s+|\w+|[(),]|'(?:[^'\\]|\\.)*'/sy

interface Question {
  readonly columns: readonly string[]
  readonly object: string
  readonly keyField: string
  readonly values: readonly string[]
}

export function query(org: Org, version: string, soql: string): WireAnswer {
  const question = read(soql)
  if (question === null) return failure(400, 'MALFORMED_QUERY', `unexpected token in: ${soql}`)
  const { columns, object, keyField, values } = question
  const fields = org.fields(object)
  if (!fields) return failure(400, 'INVALID_TYPE', `sObject type '${object}' is not supported.`)
  const unknown = [...columns, keyField].find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) {
    return failure(400, 'INVALID_FIELD', `No such column '${unknown}' on entity '${object}'.`)
  }
  const records = [...new Set(values)]
    .flatMap((value) => org.find(object, keyField, value))
    .map((record) => ({
      attributes: { type: object, url: `/services/data/v${version}/sobjects/${object}/${record.id}` },
      ...Object.fromEntries(columns.map((name) => [name, name === 'Id' ? record.id : (record.values[name] ?? null)])),
    }))
  return { status: 200, body: { totalSize: records.length, done: true, records } }
}

/** Reads word by word, so the time is that of the text's length. @returns null when it is no such question. */
function read(soql: string): Question | null {
  const words = wordsOf(soql)
  if (words === null) return null
  const from = words.indexOf('FROM')
  const [object = '', where, keyField = '', isIn, ...list] = words.slice(from + 1)
  const columns = listed(words.slice(1, from))
  const values = list[0] === '(' && list.at(-1) === ')' ? listed(list.slice(1, -1)) : null
  const isForm = words[0] === 'SELECT' && from > 0 && where === 'WHERE' && isIn === 'IN'
  if (!isForm || columns === null || values === null || !values.every((value) => value.startsWith("'"))) return null
  return {
    columns,
    object,
    keyField,
    values: values.map((value) => value.slice(1, -1).replaceAll(/\\(.)/gs, '$1')),
  }
}

function wordsOf(text: string): string[] | null {
  const words: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const word = token.exec(text)?.[0]
    if (word === undefined) return null
    if (word.trim() !== '') words.push(word)
  }
  return words
}

/** `a , b , c`. @returns null when the commas do not stand between. */
function listed(words: readonly string[]): string[] | null {
  const items = words.filter((_, n) => n % 2 === 0)
  const isList = words.length % 2 === 1 && words.every((word, n) => (word === ',') === (n % 2 === 1))
  return isList ? items : null
}
