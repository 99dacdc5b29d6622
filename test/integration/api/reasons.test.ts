/** What an operator must say of an act, over every operation that asks for it. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { operationsOf } from '../../support/openapi.ts'

const database = useTestDatabase()
const api = useApi(database)

const Body = z.looseObject({
  required: z.array(z.string()).default([]),
  examples: z.array(z.looseObject({})).default([]),
})

test('a reason or a reference of spaces is no reason, wherever an act of an operator asks for one', async () => {
  const document: { components: { schemas: Record<string, unknown> } } = (await api.get('/openapi.json')).json()
  const asked: string[] = []
  for (const { guard, path, name, parameters, requestBody } of await operationsOf(api)) {
    const schema = requestBody?.content['application/json']?.schema
    if (guard !== 'operator' || schema === undefined) continue
    const named = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined
    const { required, examples } = Body.parse(named === undefined ? schema : document.components.schemas[named])
    const url = parameters
      .filter((each) => each.in === 'path')
      .reduce((whole, each) => whole.replace(`{${each.name}}`, String(each.example ?? randomUUID())), path)
    for (const member of ['reason', 'reference'].filter((each) => required.includes(each))) {
      asked.push(`${name} ${member}`)
      const body = { ...examples[0], [member]: ' \t' }
      const reply = await api.post(url, operatorToken, body)
      expect(reply.statusCode, `${name} ${member}: ${reply.body}`).toBe(400)
      expect(reply.body).toContain(member)
    }
  }
  expect(asked).toContain('POST /admin/payments/refund reason')
  expect(asked).toContain('POST /admin/users/{id}/credits reference')
})
