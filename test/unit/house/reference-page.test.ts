/** What a developer finds on the reference page: every operation, parameter and member of a body explained. */
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../src/api/document.ts'
import { type ApiOperation, operationsIn, type Schema } from '../../support/openapi.ts'

const document = await openApiDocument()
const operations = operationsIn(document)

describe.each(operations.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
  test('says what it does, what it takes and how it fails', () => {
    expect(operation.summary).toMatch(/^[A-Z].{3,70}[^.]$/)
    expect(operation.description).toMatch(/^\S.+\.$/s)
    expect(operation.tags).toHaveLength(1)
    expect(operation.parameters.filter(({ description }) => !description).map(({ name }) => name)).toEqual([])
    expect(undescribed(operation)).toEqual([])
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '500', '503']))
    for (const { description } of Object.values(operation.responses)) expect(description).toMatch(/\S/)
  })

  test('can be tried as it stands: every parameter and body has an example', () => {
    expect(operation.parameters.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([])
    const body = bodyOf(operation)
    if (body && Object.keys(membersOf(body.schema)).length > 0) expect(body.example).toBeDefined()
  })
})

test('every operation has a name of its own, that starts with what it does', () => {
  expect(operations.length).toBeGreaterThan(50)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  const unread = operations.filter(({ operationId }) => !/^[a-z]+([A-Z][a-z]+)*$/.test(operationId))
  expect(unread.map(({ operationId }) => operationId)).toEqual([])
})

const schemas = Object.entries((document as { components: { schemas: Record<string, Schema> } }).components.schemas)

test('every record of an answer is a schema with a name, so that generators name it too', () => {
  const nameless = operations.flatMap(({ name, responses }) =>
    Object.values(responses).flatMap(({ content }) =>
      Object.entries(membersOf(content?.['application/json']?.schema ?? {})).flatMap(([member, schema]) => {
        const shown = schema['type'] === 'array' ? (schema['items'] as Schema) : schema
        return shown['type'] === 'object' && shown['properties'] !== undefined ? [`${name} ${member}`] : []
      }),
    ),
  )
  expect(nameless).toEqual([])
  const inner = schemas.flatMap(([name, schema]) =>
    Object.entries(membersOf(schema)).flatMap(([member, { type, items }]) =>
      type === 'array' && (items as Schema)['properties'] !== undefined ? [`${name}.${member}`] : [],
    ),
  )
  expect(inner).toEqual([])
})

test('answers are open to members that come later', () => {
  const closed = (value: unknown) => JSON.stringify(value).includes('"additionalProperties":false')
  expect(schemas.filter(([, schema]) => closed(schema)).map(([name]) => name)).toEqual([])
  expect(operations.filter(({ responses }) => closed(responses)).map(({ name }) => name)).toEqual([])
})

test('members named like an instant, a day, an id or an address say so by their format', () => {
  const formats: readonly (readonly [RegExp, string])[] = [
    [/(_at|^reset|^last_updated)$/, 'date-time'],
    [/^(as_of|date|dateOf\w+|closed_on|retained_from)$/, 'date'],
    [/^(_id|user_id|userId|order_id|receipt_id)$/, 'uuid'],
    [/^email$/, 'email'],
  ]
  const wanting: string[] = []
  const visit = (place: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { properties, ...rest } = value as { properties?: Record<string, Schema> }
    for (const [name, member] of Object.entries(properties ?? {})) {
      const format = formats.find(([pattern]) => pattern.test(name))?.[1]
      if (format && !JSON.stringify(member).includes(`"format":"${format}"`)) wanting.push(`${place}.${name}`)
      visit(`${place}.${name}`, member)
    }
    for (const each of Object.values(rest)) visit(place, each)
  }
  for (const [name, schema] of schemas) visit(name, schema)
  for (const { name, responses } of operations) visit(name, responses)
  // The feeds' days carry an hour and no zone, as the specification has them.
  expect(wanting.filter((place) => !place.startsWith('Feed'))).toEqual([])
})

test('every header that the document defines is one that an answer refers to, on errors too', () => {
  const { components } = document as { components: { headers: object } }
  const referred = new Set(
    operations.flatMap(({ responses }) => Object.values(responses).flatMap(({ headers }) => Object.keys(headers))),
  )
  expect(Object.keys(components.headers).filter((name) => !referred.has(name))).toEqual([])
  for (const { path, responses } of operations.filter((each) => each.path.startsWith('/api/'))) {
    expect([path, Object.keys(responses['429']?.headers ?? {})]).toEqual([
      path,
      expect.arrayContaining(['Retry-After', 'X-RateLimit-Reset', 'X-Request-Id']),
    ])
  }
})

test('a flat lead is of one type alone, and a nested one is none of them', () => {
  const columns = schemas.filter(([name]) => /^Lead(Gst|Company|Director|Nested)$/.test(name))
  expect(columns).toHaveLength(4)
  for (const [name, { required }] of columns) {
    const others = columns.filter(([other]) => other !== name)
    // What satisfies another schema lacks something that this one demands.
    const confused = others.filter(([, other]) => (required as string[]).every((each) => each in membersOf(other)))
    expect([name, confused.map(([other]) => other)]).toEqual([name, []])
  }
})

const bodyOf = ({ requestBody }: ApiOperation) => requestBody?.content['application/json']
const membersOf = (schema: Schema) => (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>

function undescribed(operation: ApiOperation): string[] {
  const members = Object.entries(membersOf(bodyOf(operation)?.schema ?? {}))
  return members.filter(([, schema]) => !schema['description']).map(([name]) => name)
}
