/**
 * Random requests for an operation of the OpenAPI document: mostly valid by its schema, so that handlers are reached,
 * and some that no client should send: other types, shapes, methods and encodings.
 */
import fc from 'fast-check'
import { known } from './api-world.ts'
import type { ApiOperation, Schema } from './openapi.ts'

export interface FuzzRequest {
  readonly operation: ApiOperation
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Ids of existing things, by the word before them in a path. */
export type LivingIds = Readonly<Record<string, readonly string[]>>

const nastyTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  "' OR 1=1 --",
  "'; DROP TABLE registry.company; --",
  '" UNION SELECT NULL,NULL --',
  '$1',
  '%',
  '_%_',
  '\\',
  "\\'",
  '__proto__',
  'constructor',
  '{"$ne":null}',
  '../../etc/passwd',
  '\r\nX-Injected: 1',
  '\u202Eabc',
  '\uD800',
  '😀'.repeat(40),
  'é'.repeat(300),
  '-1',
  '1e400',
  '9'.repeat(40),
  'NaN',
  'null',
  '[]',
  '2024-02-30',
  '0000-00-00',
  '+infinity',
  '=1+1',
  '<script>alert(1)</script>',
  '& | ! ( ) :*',
]
const realTexts = [
  known.cin,
  known.llpin,
  known.din,
  known.gstin,
  known.missing.cin,
  known.missing.gstin,
  'Konkan',
  'KONKAN PETRO PVT LTD',
  'Goa',
  'Active',
  'credits',
  '2024-04-10',
  '403001',
  'North Goa,South Goa',
  'tea',
  '0902',
  '203.0.113.7',
  "State == 'Goa'",
  "paidUpCapital > 1000 AND llpStatus == 'Active'",
  "Status IN ['Active', 'Cancelled'] OR NOT (TradeName CONTAINS 'petro')",
  "company CONTAINS 'konkan' AND dateOfIncorporation BETWEEN '2020-01-01' AND '2024-12-31'",
  'State == ',
]
const hugeText = fc.constantFrom(3_000, 70_000, 900_000).map((length) => 'x'.repeat(length))
const anyText = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...realTexts) },
  { weight: 20, arbitrary: fc.constantFrom(...nastyTexts) },
  { weight: 10, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 10, arbitrary: fc.string({ maxLength: 12 }) },
)
const wrongValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 30, arbitrary: anyText },
  {
    weight: 10,
    arbitrary: fc.constantFrom(null, true, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER + 2, [], {}, ['a'], [[]]),
  },
  { weight: 5, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: hugeText },
)

function valueFor(schema: Schema): fc.Arbitrary<unknown> {
  if (schema['const'] !== undefined) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum'])
  if (Array.isArray(schema['examples'])) {
    const { examples, ...rest } = schema
    return fc.oneof(fc.constantFrom(...(examples as unknown[])), valueFor(rest))
  }
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(alternatives)) return fc.oneof(...alternatives.map((each: Schema) => valueFor(each)))
  switch (schema['type']) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return fc.array(valueFor((schema['items'] ?? {}) as Schema), { maxLength: 4 })
    case 'integer':
      return fc.integer({ min: Number(schema['minimum'] ?? 1), max: Math.min(Number(schema['maximum'] ?? 200), 200) })
    case 'number': {
      const [min, max] = [Number(schema['minimum'] ?? 1), Math.min(Number(schema['maximum'] ?? 200), 200)]
      return fc.double({ min, max, noNaN: true })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return anyText
  }
}

function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
  const required = (schema['required'] ?? []) as string[]
  const members = properties.map(([name, member]): [string, fc.Arbitrary<unknown>] => {
    const value = fc.oneof({ weight: 12, arbitrary: valueFor(member) }, { weight: 1, arbitrary: wrongValue })
    return [name, value]
  })
  return fc.record(Object.fromEntries(members), { requiredKeys: required })
}

const strangeMembers = fc.constantFrom('"__proto__":{"admin":true},', '"constructor":{"prototype":{}},', '"x":1,')

/** JSON texts: the schema's, damaged ones, and what is no JSON at all. */
function bodyOf(operation: ApiOperation): fc.Arbitrary<string | undefined> {
  const schema = operation.requestBody?.content['application/json']?.schema
  const example = operation.requestBody?.content['application/json']?.example
  const drawn = schema ? valueFor(schema) : fc.constant({})
  const good = (example === undefined ? drawn : fc.oneof(drawn, fc.constant(example))).map((value) =>
    JSON.stringify(value),
  )
  return fc.oneof(
    { weight: schema ? 30 : 1, arbitrary: good },
    { weight: 2, arbitrary: fc.tuple(good, strangeMembers).map(([text, more]) => text.replace('{', `{${more}`)) },
    { weight: 1, arbitrary: wrongValue.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '{', '[1,', 'null', '"', '{"a":1}}', '\0', '\uFEFF{}', '['.repeat(5_000)),
    },
    { weight: schema ? 1 : 30, arbitrary: fc.constant(undefined) },
  )
}

/**
 * For an operation with many parameters hardly one request in a hundred would have all of them right, so some are
 * plain.
 */
const queryOf = (operation: ApiOperation): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: wildQuery(operation) }, { weight: 1, arbitrary: plainQuery(operation) })

/** The required parameters and one more, by their examples. */
function plainQuery(operation: ApiOperation): fc.Arbitrary<string> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query')
  const required = parameters.filter((parameter) => parameter.required)
  const optional = parameters.filter((parameter) => !parameter.required)
  return fc
    .subarray(optional, { maxLength: Math.min(1, optional.length) })
    .chain((more) =>
      fc.tuple(
        ...[...required, ...more].map(({ name, schema, example }) =>
          (example === undefined ? valueFor(schema) : fc.constant(example)).map(
            (value) => `${name}=${encoded(String(value))}`,
          ),
        ),
      ),
    )
    .map((all) => all.join('&'))
}

function wildQuery(operation: ApiOperation): fc.Arbitrary<string> {
  const parts = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, required }) => {
      const text = fc.oneof(
        { weight: 10, arbitrary: valueFor(schema).map(String) },
        { weight: 4, arbitrary: anyText },
        { weight: 4, arbitrary: fc.constantFrom(known.cin, known.din, known.gstin) },
      )
      const written = text.map((value) => `${name}=${encoded(value)}`)
      const strange = fc.tuple(fc.constantFrom('[]=', '[a]=', '[__proto__]=', '=1&'), written).map(([mark, rest]) => {
        return `${name}${mark}${rest}`
      })
      return fc.oneof(
        { weight: 20, arbitrary: written },
        { weight: required ? 2 : 30, arbitrary: fc.constant('') },
        { weight: 2, arbitrary: strange },
      )
    })
  const extra = fc.oneof(
    { weight: 20, arbitrary: fc.constant('') },
    {
      weight: 2,
      arbitrary: fc.constantFrom('__proto__[a]=1', '__proto__=1', 'constructor=1', '%00=1', '&&=&', '%=%zz'),
    },
  )
  return fc.tuple(extra, ...parts).map((all) => all.filter(Boolean).join('&'))
}

function pathOf(operation: ApiOperation, ids: LivingIds): fc.Arbitrary<string> {
  const parts = operation.path.split('/').map((part, index, all) => {
    return part.startsWith('{') ? idAmong(ids[all[index - 1] ?? ''] ?? []) : fc.constant(part)
  })
  return fc.tuple(...parts).map((all) => all.join('/'))
}

const strangeIds = ['%00', '%2e%2e%2f', '..%2F..', '%ff', '%', 'a%20b', "'--", 'x'.repeat(5_000)]
const idAmong = (living: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...living, known.uuid) },
    { weight: 3, arbitrary: anyText.map(encoded) },
    { weight: 1, arbitrary: fc.constantFrom(...strangeIds) },
  )

/** Lone surrogates have no UTF-8 form; a client could not send them in a URL. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const contentTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
  '',
]

export function requestFor(operation: ApiOperation, ids: LivingIds): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      method: fc.oneof(
        { weight: 40, arbitrary: fc.constant<string>(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS') },
      ),
      path: pathOf(operation, ids),
      query: queryOf(operation),
      body: bodyOf(operation),
      type: fc.oneof(
        { weight: 40, arbitrary: fc.constant('application/json') },
        { weight: 1, arbitrary: fc.constantFrom(...contentTypes) },
      ),
      extra: fc.oneof(
        { weight: 20, arbitrary: fc.constant({}) },
        {
          weight: 1,
          arbitrary: fc.constantFrom<Record<string, string>>(
            { 'idempotency-key': 'one-key' },
            { 'idempotency-key': 'x'.repeat(300) },
            { 'x-request-id': '<script>' },
            { 'if-none-match': '*' },
            { 'accept-encoding': 'gzip, br' },
            { 'x-forwarded-for': "1.2.3.4, ' OR 1=1" },
          ),
        },
      ),
    })
    .map(({ method, path, query, body, type, extra }) => ({
      operation,
      method,
      url: query ? `${path}?${query}` : path,
      headers: { ...(body === undefined ? {} : { 'content-type': type }), ...extra },
      body: method === 'GET' ? undefined : body,
    }))
}
