/** The one form of SOQL that the connector asks: `SELECT a, b FROM Lead WHERE c IN ('…', '…')`. */
import type { Org } from './org.ts'
import { failure, type Reply } from './reply.ts'

const form = /^SELECT\s+(\w+(?:\s*,\s*\w+)*)\s+FROM\s+(\w+)\s+WHERE\s+(\w+)\s+IN\s+\((.*)\)$/s
const literal = /'((?:[^'\\]|\\.)*)'\s*(?:,\s*|$)/sy

export function query(org: Org, version: string, soql: string): Reply {
  const [, columnText = '', object = '', keyField = '', listText = ''] = form.exec(soql.trim()) ?? []
  const values = readList(listText.trim())
  if (object === '' || values === null) return failure(400, 'MALFORMED_QUERY', `unexpected token in: ${soql}`)
  const fields = org.fields(object)
  if (!fields) return failure(400, 'INVALID_TYPE', `sObject type '${object}' is not supported.`)
  const columns = columnText.split(',').map((column) => column.trim())
  const unknown = [...columns, keyField].find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) {
    return failure(400, 'INVALID_FIELD', `No such column '${unknown}' on entity '${object}'.`)
  }
  const wanted = new Set<unknown>(values)
  const records = org
    .records(object)
    .filter((record) => wanted.has(keyField === 'Id' ? record.id : record.values[keyField]))
    .map((record) => ({
      attributes: { type: object, url: `/services/data/v${version}/sobjects/${object}/${record.id}` },
      ...Object.fromEntries(columns.map((name) => [name, name === 'Id' ? record.id : (record.values[name] ?? null)])),
    }))
  return { status: 200, body: { totalSize: records.length, done: true, records } }
}

/** @returns null when the text is no list of quoted literals. */
function readList(text: string): string[] | null {
  const values: string[] = []
  literal.lastIndex = 0
  while (literal.lastIndex < text.length) {
    const match = literal.exec(text)
    if (!match) return null
    values.push((match[1] ?? '').replaceAll(/\\(.)/g, '$1'))
  }
  return values.length === 0 ? null : values
}
