/** Whole numbers of paths and query strings, on every operation of the served document: digits, and nothing else that reads as a number. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type LoggedIn, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { fillRegisters, known } from '../../support/api-world.ts'
import { useTestDatabase } from '../../support/database.ts'
import { type ApiOperation, operationsOf } from '../../support/openapi.ts'

const database = useTestDatabase()
const api = useApi(database)
let customer: LoggedIn
let asked: readonly { operation: ApiOperation; name: string; place: string; least: number }[] = []

beforeAll(async () => {
  await fillRegisters(database.db)
  const operations = await operationsOf(api)
  asked = operations.flatMap((operation) =>
    operation.parameters
      .filter(({ schema }) => schema['type'] === 'integer')
      .map(({ name, in: place, schema }) => ({ operation, name, place, least: Number(schema['minimum']) })),
  )
})

// An account makes 600 calls a minute, which the tests together exceed.
beforeEach(async () => {
  customer = await newCustomer(api, database, { plan: 'premium', isEnterprise: true })
})

async function call({ method, path, guard, parameters, requestBody }: ApiOperation, name: string, value: string) {
  const query = new URLSearchParams()
  for (const each of parameters)
    if (each.in === 'query' && each.required) query.set(each.name, String(each.example ?? known.cin))
  const inPath = path.includes(`{${name}}`)
  if (!inPath) query.set(name, value)
  const url = path
    .replace(`{${name}}`, encodeURIComponent(value))
    .replace('{entity}', 'company')
    .replace(/\{\w+\}/g, known.uuid)
  const reply = await api.app.inject({
    method,
    url: `${url}?${query}`,
    headers: { authorization: `Bearer ${guard === 'operator' ? operatorToken : customer.token}` },
    ...(requestBody ? { payload: requestBody.content['application/json']?.example as object } : {}),
  })
  return { status: reply.statusCode, ...reply.json<{ parameter?: string; detail?: string }>() }
}

test.each(['0x10', '1e1', '5.0', '0b11', ' 5', '+5', '5\n', '५', '1_0', 'Infinity'])(
  'a whole number written %j is refused by name, on every operation that takes one',
  async (value) => {
    expect(asked.length).toBeGreaterThan(70)
    for (const { operation, name, place } of asked)
      expect(await call(operation, name, value), `${operation.name} ${place} ${name}`).toMatchObject({
        status: 400,
        parameter: name,
        detail: expect.stringMatching(new RegExp(`^${name} must be a whole number`)),
      })
  },
)

test('in digits it is taken by every one of them', async () => {
  for (const { operation, name, place, least } of asked)
    expect(
      await call(operation, name, String(Math.max(least, 1))),
      `${operation.name} ${place} ${name}`,
    ).not.toMatchObject({
      parameter: name,
    })
})
