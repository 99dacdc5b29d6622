/** What a developer finds on the reference page: every operation, parameter and member of a body explained. */
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../src/api/document.ts'
import { type ApiOperation, operationsIn, type Schema } from '../../support/openapi.ts'

const operations = operationsIn(await openApiDocument())

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

  test('can be tried as it stands: what must be sent has an example', () => {
    const needed = operation.parameters.filter((each) => each.in === 'query' && each.required)
    expect(needed.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([])
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

const bodyOf = ({ requestBody }: ApiOperation) => requestBody?.content['application/json']
const membersOf = (schema: Schema) => (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>

function undescribed(operation: ApiOperation): string[] {
  const members = Object.entries(membersOf(bodyOf(operation)?.schema ?? {}))
  return members.filter(([, schema]) => !schema['description']).map(([name]) => name)
}
