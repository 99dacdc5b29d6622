/** Answers SOQL queries, page by page. Records that are queried by a field's values are found without a scan. */
import type { WireAnswer } from '../kit.ts'
import type { SandboxField } from './fields.ts'
import { failure } from './replies.ts'
import { type Condition, type Literal, type Question, readSoql } from './soql.ts'
import { heldBy, type Org, type OrgRecord } from './state.ts'
import { maySee, systemRecords } from './system.ts'

const malformed = (soql: string) => failure(400, 'MALFORMED_QUERY', `unexpected token, or not in this sandbox: ${soql}`)

/** @param isBinToo includes deleted records, as `queryAll` does. */
export function query(org: Org, version: string, soql: string, isBinToo = false): WireAnswer {
  const question = readSoql(soql)
  if (question === null) return malformed(soql)
  const { columns, object, orderBy, limit, offset } = question
  const system = systemRecords(org, object)
  if (system !== null) return ofSystem(org, version, question, system)
  const fields = org.fields(object)
  if (!fields) return failure(400, 'INVALID_TYPE', `sObject type '${object}' is not supported.`)
  const names = [...fields.map(({ name }) => name), ...(isBinToo ? ['IsDeleted', 'MasterRecordId'] : [])]
  const known = new Map(names.map((name) => [name.toLowerCase(), name]))
  const named = [...columns, ...fieldsOf(question.where), ...orderBy.map(({ field }) => field)]
  const unknown = named.find((name) => !known.has(name.toLowerCase()))
  if (unknown?.includes('.')) return failure(400, 'INVALID_FIELD', `not in this sandbox: the relationship ${unknown}`)
  if (unknown !== undefined) return failure(400, 'INVALID_FIELD', `No such column '${unknown}' on entity '${object}'.`)
  const nameOf = (name: string) => known.get(name.toLowerCase()) ?? name
  const sealed = fieldsOf(question.where).find((name) =>
    fields.some((each) => each.encrypted === true && each.name === nameOf(name)),
  )
  if (sealed !== undefined)
    return failure(400, 'INVALID_FIELD', `field '${sealed}' can not be filtered in a query call`)
  const quoted = quotedNumber(question.where, fields)
  if (quoted !== undefined) {
    const message = `value of filter criterion for field '${quoted}' must be of type double and should not be enclosed in quotes`
    return failure(400, 'INVALID_FIELD', message)
  }
  const found = [...select(org, question, nameOf), ...(isBinToo ? deletedOf(org, question, nameOf) : [])]
  if (columns.length === 0) return { status: 200, body: { totalSize: found.length, done: true, records: [] } }
  const wanted = found.slice(offset, limit === null ? undefined : offset + limit)
  const records = wanted.map((record) =>
    shown(
      record,
      version,
      columns.map((name) => known.get(name.toLowerCase()) ?? name),
    ),
  )
  return pageOf(org, version, records, 0)
}

function ofSystem(org: Org, version: string, question: Question, all: readonly OrgRecord[]): WireAnswer {
  const { columns, where, limit } = question
  const related = [...columns, ...fieldsOf(where)].find((name) => name.includes('.'))
  if (related !== undefined) return failure(400, 'INVALID_FIELD', `not in this sandbox: the relationship ${related}`)
  const found = all.filter((record) => where === null || holds(where, record, (name) => name))
  const wanted = found.slice(0, limit ?? undefined)
  return pageOf(
    org,
    version,
    wanted.map((record) => shown(record, version, columns)),
    0,
  )
}

/** The reply to a query with `columns=true`, which the vendor's command line sends before it shows a table. */
export function columnsOf(org: Org, soql: string): WireAnswer {
  const question = readSoql(soql)
  if (question === null) return malformed(soql)
  const fields = new Map(org.fields(question.object)?.map((field) => [field.name.toLowerCase(), field]))
  const columnMetadata = question.columns.map((name) => {
    const field = fields.get(name.toLowerCase())
    const kinds = { booleanType: field?.type === 'boolean', numberType: field?.type === 'double', textType: true }
    const shownAs = {
      columnName: name,
      displayName: name,
      apexType: 'String',
      aggregate: false,
      custom: name.endsWith('__c'),
    }
    return { ...shownAs, ...kinds, foreignKeyName: null, insertable: true, updatable: true, joinColumns: [] }
  })
  return {
    status: 200,
    body: { columnMetadata, entityName: question.object, groupBy: false, idSelected: true, keyPrefix: '' },
  }
}

/** @param locator `01g…-2000`, from the previous page. */
export function queryMore(org: Org, version: string, locator: string): WireAnswer {
  const [id = '', from = ''] = locator.split('-')
  const records = org.cursors.get(id)
  if (!records || !/^\d+$/.test(from)) return failure(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator')
  return pageOf(org, version, records, Number(from), id)
}

function pageOf(org: Org, version: string, records: readonly unknown[], from: number, cursor?: string): WireAnswer {
  const page = records.slice(from, from + org.queryPageRows)
  const next = from + page.length
  const head = { totalSize: records.length, done: next >= records.length }
  if (head.done) return { status: 200, body: { ...head, records: page } }
  const id = cursor ?? org.keepCursor(records)
  return {
    status: 200,
    body: { ...head, nextRecordsUrl: `/services/data/v${version}/query/${id}-${next}`, records: page },
  }
}

export function shown(record: OrgRecord, version: string, columns: readonly string[]): Record<string, unknown> {
  const { object, id } = record
  return {
    attributes: { type: object, url: `/services/data/v${version}/sobjects/${object}/${id}` },
    ...Object.fromEntries(columns.map((name) => [name, heldBy(record, name)])),
  }
}

function select(org: Org, { object, where, orderBy }: Question, nameOf: (name: string) => string): OrgRecord[] {
  const found = candidates(org, object, where, nameOf).filter(
    (record) => maySee(org, record) && (where === null || holds(where, record, nameOf)),
  )
  for (const { field, descending } of [...orderBy].reverse()) {
    const name = nameOf(field)
    found.sort((a, b) => inOrder(heldBy(a, name), heldBy(b, name)) * (descending ? -1 : 1))
  }
  return found
}

function deletedOf(org: Org, { object, where }: Question, nameOf: (name: string) => string): OrgRecord[] {
  return [...org.bin.values()].filter(
    (record) => record.object === object && (where === null || holds(where, record, nameOf)),
  )
}

/** All records of the object, or those that an equality condition at the top level selects. */
function candidates(org: Org, object: string, where: Condition | null, nameOf: (name: string) => string): OrgRecord[] {
  const tops = where?.kind === 'and' ? where.parts : where ? [where] : []
  for (const top of tops) {
    if (top.kind !== 'compare' || (top.operator !== '=' && top.operator !== 'IN')) continue
    const name = nameOf(top.field)
    if (!org.isKey(object, name) || top.values.some((value) => typeof value !== 'string')) continue
    return [...new Set(top.values)].flatMap((value) => org.find(object, name, value))
  }
  return org.of(object)
}

function holds(condition: Condition, record: OrgRecord, nameOf: (name: string) => string): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => holds(part, record, nameOf))
    case 'or':
      return condition.parts.some((part) => holds(part, record, nameOf))
    case 'not':
      return !holds(condition.part, record, nameOf)
    case 'compare': {
      const name = nameOf(condition.field)
      return condition.values.some((value) => compares(heldBy(record, name), condition.operator, value))
    }
  }
}

function compares(held: Literal, operator: string, value: Literal): boolean {
  switch (operator) {
    case '=':
    case 'IN':
      return isSame(held, value)
    case '!=':
    case '<>':
      return !isSame(held, value)
    case 'LIKE':
      return typeof held === 'string' && isLike(held.toLowerCase(), String(value).toLowerCase())
    default: {
      if (held === null || value === null) return false
      const order = inOrder(held, value)
      if (operator === '<') return order < 0
      if (operator === '<=') return order <= 0
      return operator === '>' ? order > 0 : order >= 0
    }
  }
}

/** Texts are compared ignoring case. */
function isSame(held: Literal, value: Literal): boolean {
  if (typeof held === 'string' && typeof value === 'string') return held.toLowerCase() === value.toLowerCase()
  return held === value
}

/** `%` matches any text, `_` one character; backtracks to the last `%` only. */
function isLike(text: string, pattern: string): boolean {
  let [at, p, star, mark] = [0, 0, -1, 0]
  while (at < text.length) {
    if (p < pattern.length && pattern[p] !== '%' && (pattern[p] === '_' || pattern[p] === text[at])) {
      at += 1
      p += 1
    } else if (pattern[p] === '%') {
      star = p
      mark = at
      p += 1
    } else if (star >= 0) {
      mark += 1
      at = mark
      p = star + 1
    } else return false
  }
  while (pattern[p] === '%') p += 1
  return p === pattern.length
}

function inOrder(a: Literal, b: Literal): number {
  if (a === null || b === null) return (a === null ? 0 : 1) - (b === null ? 0 : 1)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [x, y] = [String(a).toLowerCase(), String(b).toLowerCase()]
  return x < y ? -1 : x > y ? 1 : 0
}

/** A number field that is compared with a text. */
function quotedNumber(where: Condition | null, fields: readonly SandboxField[]): string | undefined {
  if (where === null) return undefined
  if (where.kind === 'not') return quotedNumber(where.part, fields)
  if (where.kind !== 'compare') return where.parts.map((part) => quotedNumber(part, fields)).find((name) => name)
  const field = fields.find(({ name }) => name.toLowerCase() === where.field.toLowerCase())
  return field?.type === 'double' && where.values.some((value) => typeof value === 'string') ? field.name : undefined
}

function fieldsOf(where: Condition | null): string[] {
  if (where === null) return []
  if (where.kind === 'compare') return [where.field]
  return where.kind === 'not' ? fieldsOf(where.part) : where.parts.flatMap(fieldsOf)
}
